package io.holdfast.memory;

import static io.holdfast.memory.TestClient.LEASE;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.LockKind;
import io.holdfast.spi.AttemptResult.Busy;
import io.holdfast.spi.AttemptResult.Granted;
import io.holdfast.spi.AttemptResult.Queued;
import io.holdfast.spi.Claim;
import io.holdfast.spi.Resource;
import io.holdfast.spi.TimeSource;
import io.holdfast.testing.ManualTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Those who wait: order, hand-over, places that end. */
class MemoryStoreLineTest {
    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final Resource LOCK = new Resource(LockKind.LOCK, "lock", 1);

    private final ManualTime time = TestClient.time();
    private final MemoryStore store = new MemoryStore(time);
    private final TestClient one = new TestClient(store, "one", time);
    private final TestClient two = new TestClient(store, "two", time);

    @Test
    void release_withALine_handsToTheFirstWithAShortLease() {
        Claim held = one.claim(LOCK);
        Claim first = two.claim(LOCK);
        Claim second = two.claim(LOCK);
        long token = one.granted(held);
        two.queued(first);
        assertThat(two.queued(second)).isEqualTo(2);
        time.advance(SECOND);

        one.release(held);

        assertThat(two.heard)
                .containsExactly(new TestClient.Heard(
                        first.id(), time.wallMillis() * 1000, MemoryStore.GRANT_LEASE, time.nanoTime()));
        assertThat(two.heard.get(0).token()).isGreaterThan(token);
        assertThat(two.queued(second)).isEqualTo(1);
    }

    @Test
    void release_waiterWithShorterLease_keepsItsOwn() {
        Claim held = one.claim(LOCK);
        one.granted(held);
        two.queued(two.claim(LOCK, 1, SECOND, true));

        one.release(held);

        assertThat(two.heard.get(0).left()).isEqualTo(SECOND);
    }

    @Test
    void attempt_ofAClaimThatWasHandedTo_keepsTokenAndGetsItsWholeLease() {
        Claim held = one.claim(LOCK);
        Claim next = two.claim(LOCK);
        one.granted(held);
        two.queued(next);
        one.release(held);

        assertThat(two.attempt(next)).isEqualTo(new Granted(two.heard.get(0).token(), LEASE));
    }

    @Test
    void handOver_isToldAfterItIsStoredAndOutsideOfTheLock() {
        Claim held = one.claim(LOCK);
        Claim next = two.claim(LOCK);
        one.granted(held);
        two.queued(next);
        List<Object> seen = new ArrayList<>();
        two.onGranted = heard -> seen.addAll(CompletableFuture.supplyAsync(() -> one.holders(LOCK))
                .orTimeout(60, TimeUnit.SECONDS)
                .join());

        one.release(held);

        assertThat(seen).containsExactly(next.id());
    }

    @Test
    void handOver_readsTheClientsClockBeforeTheLeaseBegins() {
        TimeSource slowToAnswer = new TimeSource() {
            @Override
            public long nanoTime() {
                time.advance(SECOND); // the store is paused between the two clocks
                return 77;
            }

            @Override
            public long wallMillis() {
                return 0;
            }
        };
        TestClient paused = new TestClient(store, "paused", slowToAnswer);
        Claim held = one.claim(LOCK);
        one.granted(held);
        paused.queued(paused.claim(LOCK));

        one.release(held);

        assertThat(paused.heard.get(0).startNanos()).isEqualTo(77);
        assertThat(one.backend.inspect(LOCK).orElseThrow().holders().get(0).left())
                .isEqualTo(MemoryStore.GRANT_LEASE);
    }

    @Test
    void handOver_underWay_doesNotStopAnotherName() {
        TimeSource asksForAnotherName = new TimeSource() {
            @Override
            public long nanoTime() { // called with the lock of the resource held
                CompletableFuture.runAsync(() -> two.granted(two.claim(new Resource(LockKind.LOCK, "another", 1))))
                        .orTimeout(60, TimeUnit.SECONDS)
                        .join();
                return 0;
            }

            @Override
            public long wallMillis() {
                return 0;
            }
        };
        TestClient waiter = new TestClient(store, "waiter", asksForAnotherName);
        Claim held = one.claim(LOCK);
        one.granted(held);
        waiter.queued(waiter.claim(LOCK));

        one.release(held);

        assertThat(waiter.heard).hasSize(1);
    }

    @Test
    void attempt_withSomebodyInLine_doesNotBarge() {
        one.granted(one.claim(LOCK, 1, SECOND, true));
        Claim first = two.claim(LOCK);
        two.queued(first);
        time.advance(SECOND);

        assertThat(one.attempt(one.claim(LOCK))).isEqualTo(new Queued(1, MemoryStore.GRANT_LEASE, true));
        assertThat(two.heardClaims()).containsExactly(first.id());
    }

    @Test
    void attempt_thatDoesNotWaitWithSomebodyInLine_servesThemAndIsBusy() {
        one.granted(one.claim(LOCK, 1, SECOND, true));
        two.queued(two.claim(LOCK));
        time.advance(SECOND);

        assertThat(one.attempt(one.claim(LOCK, 1, LEASE, false))).isEqualTo(new Busy(MemoryStore.GRANT_LEASE));
        assertThat(two.heard).hasSize(1);
    }

    @Test
    void attempt_byTheFirstInLineAfterExpiry_isGrantedItsWholeLeaseWithoutAMessage() {
        one.granted(one.claim(LOCK, 1, SECOND, true));
        Claim first = two.claim(LOCK);
        two.queued(first);
        time.advance(SECOND);

        assertThat(two.attempt(first)).isEqualTo(new Granted(time.wallMillis() * 1000, LEASE));
        assertThat(two.heard).isEmpty();
    }

    @Test
    void attempt_byTheSecondInLineAfterExpiry_servesTheFirst() {
        one.granted(one.claim(LOCK, 1, SECOND, true));
        Claim first = one.claim(LOCK);
        Claim second = two.claim(LOCK);
        one.queued(first);
        two.queued(second);
        time.advance(SECOND);

        assertThat(two.queued(second)).isEqualTo(1);
        assertThat(one.heardClaims()).containsExactly(first.id());
    }

    @Test
    void attempt_repeatedWhileWaiting_keepsThePlace() {
        one.granted(one.claim(LOCK));
        Claim first = two.claim(LOCK);
        Claim second = one.claim(LOCK);
        two.queued(first);
        one.queued(second);

        assertThat(two.queued(first)).isEqualTo(1);
        assertThat(one.queued(second)).isEqualTo(2);
        assertThat(one.waiting(LOCK)).containsExactly(first.id(), second.id());
    }

    @Test
    void attempt_thatNoLongerWaits_losesThePlace() {
        one.granted(one.claim(LOCK));
        Claim claim = two.claim(LOCK);
        two.queued(claim);

        assertThat(two.attempt(Claim.builder(claim.id(), LOCK, LEASE).label("").build()))
                .isInstanceOf(Busy.class);
        assertThat(two.waiting(LOCK)).isEmpty();
    }

    @Test
    void release_ofWaitingClaims_leavesHolesThatNobodyNotices() {
        Claim held = one.claim(LOCK);
        one.granted(held);
        List<Claim> claims = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
            claims.add(two.claim(LOCK));
            two.queued(claims.get(i));
        }
        for (int hole : new int[] {0, 2, 3}) {
            assertThat(two.release(claims.get(hole))).isTrue();
            assertThat(two.release(claims.get(hole))).isFalse();
        }
        assertThat(two.queued(claims.get(4))).isEqualTo(2);

        one.release(held);
        two.release(claims.get(1));
        two.release(claims.get(4));

        assertThat(two.heardClaims())
                .containsExactly(
                        claims.get(1).id(), claims.get(4).id(), claims.get(5).id());
    }

    @Test
    void queued_inALongLine_countsAtLeastThoseBefore() {
        one.granted(one.claim(LOCK));
        Claim gone = two.claim(LOCK);
        two.queued(gone);
        for (int i = 2; i < 200; i++) {
            assertThat(two.queued(two.claim(LOCK))).isEqualTo(i);
        }
        two.release(gone);

        assertThat(two.queued(two.claim(LOCK))).isEqualTo(199);
    }

    @Test
    void release_firstPlaceEnded_isSkippedAndQueuesAgainAtTheEnd() {
        Claim held = one.claim(LOCK);
        Claim silent = two.claim(LOCK);
        Claim alive = two.claim(LOCK);
        one.granted(held);
        two.queued(silent);
        two.queued(alive);
        time.advance(MemoryStore.PLACE_LEASE);
        two.queued(alive);
        assertThat(two.waiting(LOCK)).containsExactly(alive.id());

        one.release(held);

        assertThat(two.heardClaims()).containsExactly(alive.id());
        Claim third = one.claim(LOCK);
        one.queued(third);
        assertThat(two.queued(silent)).isEqualTo(2);
        assertThat(one.waiting(LOCK)).containsExactly(third.id(), silent.id());
    }

    @Test
    void attempt_afterThePlaceEndedButBeforeItsTurn_keepsThePlace() {
        one.granted(one.claim(LOCK));
        Claim silent = two.claim(LOCK);
        Claim behind = two.claim(LOCK);
        two.queued(silent);
        two.queued(behind);
        time.advance(MemoryStore.PLACE_LEASE);

        assertThat(two.attempt(silent)).isInstanceOf(Queued.class);
        two.queued(behind);
        assertThat(one.waiting(LOCK)).containsExactly(silent.id(), behind.id());
    }

    @Test
    void release_thousandDeadPlaces_reachesTheFirstAliveAtOnce() {
        Claim held = one.claim(LOCK);
        one.granted(held);
        for (int i = 0; i < 1000; i++) {
            two.queued(two.claim(LOCK));
        }
        time.advance(MemoryStore.PLACE_LEASE);
        Claim alive = one.claim(LOCK);
        one.queued(alive);

        one.release(held);

        assertThat(one.heardClaims()).containsExactly(alive.id());
        assertThat(two.heard).isEmpty();
    }

    @Test
    void release_waitersClientClosed_isSkipped() {
        Claim held = one.claim(LOCK);
        Claim alive = one.claim(LOCK);
        one.granted(held);
        two.queued(two.claim(LOCK));
        one.queued(alive);
        two.backend.close();

        one.release(held);

        assertThat(one.heardClaims()).containsExactly(alive.id());
        assertThat(two.heard).isEmpty();
    }
}
