package io.holdfast.memory;

import static io.holdfast.memory.TestClient.LEASE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.LockKind;
import io.holdfast.spi.AttemptResult.Busy;
import io.holdfast.spi.AttemptResult.Granted;
import io.holdfast.spi.AttemptResult.Mismatched;
import io.holdfast.spi.AttemptResult.Queued;
import io.holdfast.spi.Claim;
import io.holdfast.spi.ClaimId;
import io.holdfast.spi.LockBackend;
import io.holdfast.spi.RenewResult;
import io.holdfast.spi.RenewResult.Gone;
import io.holdfast.spi.RenewResult.Renewed;
import io.holdfast.spi.Renewal;
import io.holdfast.spi.Resource;
import io.holdfast.spi.ResourceView;
import io.holdfast.testing.ManualTime;
import java.time.Duration;
import java.util.AbstractList;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** One resource and its holders: attempt, release, renew, inspect, and the connection itself. */
class MemoryStoreTest {
    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final Duration INSTANT = Duration.ofNanos(1);
    private static final Resource LOCK = new Resource(LockKind.LOCK, "lock", 1);

    private final ManualTime time = TestClient.time();
    private final MemoryStore store = new MemoryStore(time);
    private final TestClient one = new TestClient(store, "one", time);
    private final TestClient two = new TestClient(store, "two", time);

    @Test
    void attempt_free_grantsWithTokenFromTheWallClock() {
        assertThat(one.attempt(one.claim(LOCK))).isEqualTo(new Granted(time.wallMillis() * 1000, LEASE));
    }

    @Test
    void attempt_repeatedByTheHolder_keepsTokenAndExtends() {
        Claim claim = one.claim(LOCK);
        long token = one.granted(claim);
        time.advance(SECOND);

        assertThat(one.attempt(claim)).isEqualTo(new Granted(token, LEASE));
        assertThat(one.holders(LOCK)).containsExactly(claim.id());
    }

    @Test
    void attempt_repeatedByTheHolderWithShorterLease_neverShortens() {
        Claim claim = one.claim(LOCK);
        long token = one.granted(claim);
        Claim shorter =
                Claim.builder(claim.id(), LOCK, SECOND).waits(true).label("").build();

        assertThat(one.attempt(shorter)).isEqualTo(new Granted(token, LEASE));
    }

    @Test
    void attempt_heldByAnotherAndWaits_isQueuedWithTheTimeLeft() {
        one.granted(one.claim(LOCK));
        time.advance(SECOND);

        assertThat(two.attempt(two.claim(LOCK))).isEqualTo(new Queued(1, LEASE.minus(SECOND), true));
    }

    @Test
    void attempt_heldByAnotherAndDoesNotWait_isBusyAndLeavesNothing() {
        one.granted(one.claim(LOCK));

        assertThat(two.attempt(two.claim(LOCK, 1, LEASE, false))).isEqualTo(new Busy(LEASE));
        assertThat(two.waiting(LOCK)).isEmpty();
    }

    @Test
    void attempt_afterTheHoldersLeaseEnded_grantsWithGreaterToken() {
        long first = one.granted(one.claim(LOCK));
        time.advance(LEASE);

        assertThat(two.granted(two.claim(LOCK))).isGreaterThan(first);
    }

    @Test
    void attempt_anInstantBeforeTheLeaseEnds_isNotGranted() {
        one.granted(one.claim(LOCK));
        time.advance(LEASE.minus(INSTANT));

        assertThat(two.attempt(two.claim(LOCK))).isEqualTo(new Queued(1, INSTANT, true));
    }

    @Test
    void attempt_lateAfterItsRelease_isANewGrantThatASecondReleaseEnds() {
        Claim claim = one.claim(LOCK);
        long token = one.granted(claim);
        one.release(claim);

        assertThat(one.granted(claim)).isGreaterThan(token);
        assertThat(one.release(claim)).isTrue();
        assertThat(one.holders(LOCK)).isEmpty();
    }

    @Test
    void attempt_blockOfTokens_reservesAllOfThem() {
        Claim block = Claim.builder(new ClaimId("one", 99), LOCK, LEASE)
                .tokens(16)
                .waits(true)
                .label("")
                .build();
        long first = one.granted(block);

        assertThat(one.granted(block)).isEqualTo(first);
        assertThat(one.backend.inspect(LOCK).orElseThrow().holders().get(0).token())
                .isEqualTo(first + 15);
        one.release(block);
        assertThat(two.granted(two.claim(LOCK))).isEqualTo(first + 16);
    }

    @Test
    void attempt_semaphore_grantsWhileItFits() {
        Resource three = new Resource(LockKind.SEMAPHORE, "three", 3);
        one.granted(one.claim(three, 2));

        assertThat(two.attempt(two.claim(three, 2, LEASE, false))).isInstanceOf(Busy.class);
        two.granted(two.claim(three, 1));
        assertThat(two.attempt(two.claim(three, 1, LEASE, false))).isInstanceOf(Busy.class);
    }

    @Test
    void attempt_anotherCapacityWhileHeld_isMismatched() {
        Claim held = one.claim(new Resource(LockKind.SEMAPHORE, "s", 3));
        one.granted(held);
        Claim other = two.claim(new Resource(LockKind.SEMAPHORE, "s", 4));

        assertThat(two.attempt(other)).isEqualTo(new Mismatched(3));
        one.release(held);
        two.granted(other);
    }

    @Test
    void attempt_anotherCapacityWhileSomebodyWaits_servesAndIsMismatched() {
        Resource all = new Resource(LockKind.SEMAPHORE, "s", 3);
        one.granted(one.claim(all, 3, SECOND, true));
        Claim waiting = one.claim(all, 3);
        one.queued(waiting);
        time.advance(SECOND);

        assertThat(two.attempt(two.claim(new Resource(LockKind.SEMAPHORE, "s", 4))))
                .isEqualTo(new Mismatched(3));
        assertThat(one.heardClaims()).containsExactly(waiting.id());
    }

    @Test
    void attempt_anotherCapacityWhileOnlyDeadPlacesAreLeft_isGranted() {
        Resource latch = new Resource(LockKind.LATCH, "l", 3);
        one.queued(one.claim(latch, 0));
        time.advance(MemoryStore.PLACE_LEASE);

        two.granted(two.claim(new Resource(LockKind.LATCH, "l", 4), 1));
    }

    @Test
    void attempt_readWriteWithAnyOtherCapacity_isMismatched() {
        assertThat(one.attempt(one.claim(new Resource(LockKind.READ_WRITE, "rw", 5))))
                .isEqualTo(new Mismatched(Resource.ALL_READERS));
    }

    @Test
    void attempt_sameNameOfAnotherKind_isAnotherResource() {
        for (LockKind kind : LockKind.values()) {
            one.granted(one.claim(new Resource(kind, "same", kind == LockKind.READ_WRITE ? Resource.ALL_READERS : 1)));
        }
    }

    @Test
    void attempt_badClaim_isRefusedWithTheBound() {
        assertThatThrownBy(() -> one.attempt(one.claim(LOCK, 2)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("weight");
        assertThatThrownBy(() -> one.attempt(one.claim(LOCK, 0)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("weight");
        assertThatThrownBy(() -> one.attempt(one.claim(LOCK, 1, Duration.ZERO, true)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("lease");
        assertThatThrownBy(() -> one.attempt(Claim.builder(new ClaimId("one", 7), LOCK, LEASE)
                        .tokens(0)
                        .waits(true)
                        .label("")
                        .build()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("tokens");
    }

    @Test
    void attempt_endlessLease_doesNotOverflow() {
        one.granted(one.claim(LOCK, 1, Duration.ofSeconds(Long.MAX_VALUE), true));
        time.advance(Duration.ofDays(365));

        assertThat(two.attempt(two.claim(LOCK))).isInstanceOf(Queued.class);
    }

    @Test
    void release_unknown_isFalseAndTouchesNothing() {
        Claim held = one.claim(LOCK);
        one.granted(held);

        assertThat(two.release(two.claim(LOCK))).isFalse();
        assertThat(two.release(two.claim(new Resource(LockKind.LOCK, "never seen", 1))))
                .isFalse();
        assertThat(two.holders(LOCK)).containsExactly(held.id());
    }

    @Test
    void release_twice_isFalseAndDoesNotEndTheNextHolder() {
        Claim first = one.claim(LOCK);
        one.granted(first);
        one.release(first);
        Claim second = two.claim(LOCK);
        two.granted(second);

        assertThat(one.release(first)).isFalse();
        assertThat(one.holders(LOCK)).containsExactly(second.id());
    }

    @Test
    void renew_held_lastsFromNow() {
        Claim claim = one.claim(LOCK);
        one.granted(claim);
        time.advance(SECOND);

        assertThat(one.renew(claim, LEASE)).isEqualTo(new Renewed(LEASE));
        time.advance(LEASE.minus(INSTANT));
        assertThat(two.attempt(two.claim(LOCK))).isInstanceOf(Queued.class);
    }

    @Test
    void renew_shorterThanWhatIsLeft_neverShortens() {
        Claim claim = one.claim(LOCK);
        one.granted(claim);

        assertThat(one.renew(claim, SECOND)).isEqualTo(new Renewed(LEASE));
    }

    @Test
    void renew_expiredWaitingOrUnknown_isGone() {
        Claim held = one.claim(LOCK, 1, SECOND, true);
        Claim waiting = two.claim(LOCK);
        one.granted(held);
        two.queued(waiting);

        assertThat(two.renew(waiting, LEASE)).isEqualTo(new Gone());
        assertThat(two.renew(two.claim(LOCK), LEASE)).isEqualTo(new Gone());
        assertThat(two.renew(two.claim(new Resource(LockKind.LOCK, "never seen", 1)), LEASE))
                .isEqualTo(new Gone());
        time.advance(SECOND);
        assertThat(one.renew(held, LEASE)).isEqualTo(new Gone());
        assertThat(two.heard).as("a renewal touches nobody else").isEmpty();
    }

    @Test
    void renew_hundredThousand_answersEachInOrder() {
        List<Renewal> renewals = new ArrayList<>();
        List<RenewResult> expected = new ArrayList<>();
        for (int i = 0; i < 100_000; i++) {
            Claim claim = one.claim(new Resource(LockKind.LOCK, "lock" + i, 1));
            renewals.add(new Renewal(claim, LEASE));
            if (i % 3 == 0) {
                expected.add(new Gone());
            } else {
                one.granted(claim);
                expected.add(new Renewed(LEASE));
            }
        }
        time.advance(SECOND);

        assertThat(one.backend.renew(renewals)).isEqualTo(expected);
    }

    @Test
    void renew_manyUnderWay_doesNotStopOthers() {
        Claim held = one.claim(LOCK);
        one.granted(held);
        List<Renewal> asksInTheMiddle = new AbstractList<>() {
            @Override
            public Renewal get(int index) {
                if (index == 1) {
                    inAnotherThread(
                            () -> assertThat(two.queued(two.claim(LOCK))).isEqualTo(1));
                }
                return new Renewal(held, LEASE);
            }

            @Override
            public int size() {
                return 3;
            }
        };

        assertThat(one.backend.renew(asksInTheMiddle)).hasSize(3);
        assertThat(two.waiting(LOCK)).hasSize(1);
    }

    @Test
    void inspect_showsHoldersAndLine() {
        Claim held = one.claim(LOCK);
        Claim next = two.claim(LOCK);
        long token = one.granted(held);
        two.queued(next);
        time.advance(SECOND);

        assertThat(two.backend.inspect(new Resource(LockKind.LOCK, "lock", 77)))
                .contains(new ResourceView(
                        LOCK,
                        List.of(new ResourceView.Holder(held.id(), 1, token, LEASE.minus(SECOND), "label of one")),
                        List.of(new ResourceView.Waiting(next.id(), 1, "label of two"))));
    }

    @Test
    void inspect_whatNobodyHoldsAnyMore_isEmpty() {
        Claim held = one.claim(LOCK);
        assertThat(one.backend.inspect(LOCK)).isEmpty();
        one.granted(held);
        one.release(held);
        assertThat(one.backend.inspect(LOCK)).isEmpty();
        one.granted(one.claim(LOCK));
        time.advance(LEASE);
        assertThat(one.backend.inspect(LOCK)).isEmpty();
    }

    @Test
    void list_prefix_showsOnlyWhatIsUsed() {
        for (String name : List.of("a:1", "a:2", "b:1")) {
            one.granted(one.claim(new Resource(LockKind.LOCK, name, 1)));
        }
        one.granted(one.claim(new Resource(LockKind.SEMAPHORE, "a:3", 5)));
        Claim released = one.claim(new Resource(LockKind.LOCK, "a:4", 1));
        one.granted(released);
        one.release(released);

        assertThat(names("a:")).containsExactlyInAnyOrder("a:1", "a:2", "a:3");
        assertThat(names("")).hasSize(4);
    }

    @Test
    void close_twice_thenEveryCallNamesTheClient() {
        Claim claim = one.claim(LOCK);
        one.backend.close();
        one.backend.close();

        assertThatThrownBy(() -> one.attempt(claim))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("one");
        assertThatThrownBy(() -> one.release(claim)).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> one.backend.renew(List.of())).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> one.backend.inspect(LOCK)).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> one.backend.list("")).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> one.backend.start("one", one)).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void close_whileHolding_keepsTheLeaseUntilItEnds() {
        one.granted(one.claim(LOCK));
        one.backend.close();

        assertThat(two.attempt(two.claim(LOCK))).isEqualTo(new Queued(1, LEASE, true));
    }

    @Test
    void start_missingOrTwice_isMisuse() {
        try (LockBackend fresh = store.connect()) {
            assertThatThrownBy(() -> fresh.release(one.claim(LOCK))).isInstanceOf(IllegalStateException.class);
        }
        assertThatThrownBy(() -> one.backend.start("again", one)).isInstanceOf(IllegalStateException.class);
    }

    private List<String> names(String prefix) {
        try (Stream<ResourceView> views = one.backend.list(prefix)) {
            return views.map(view -> view.resource().name()).toList();
        }
    }

    private static void inAnotherThread(Runnable action) {
        CompletableFuture.runAsync(action).orTimeout(60, TimeUnit.SECONDS).join();
    }
}
