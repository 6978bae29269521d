package io.holdfast.memory;

import static io.holdfast.memory.TestClient.LEASE;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.LockKind;
import io.holdfast.spi.AttemptResult;
import io.holdfast.spi.AttemptResult.Granted;
import io.holdfast.spi.AttemptResult.Refused;
import io.holdfast.spi.Claim;
import io.holdfast.spi.RenewResult.Gone;
import io.holdfast.spi.RenewResult.Renewed;
import io.holdfast.spi.Resource;
import io.holdfast.spi.TimeSource;
import io.holdfast.testing.ManualTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What the store forgets, by itself or by a restart, and what it must not do afterwards. */
class MemoryStoreRestartTest {
    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final Duration HOUR = Duration.ofHours(1);
    private static final Resource LOCK = new Resource(LockKind.LOCK, "lock", 1);
    private static final Resource ANOTHER = new Resource(LockKind.LOCK, "another", 1);

    private final ManualTime time = TestClient.time();
    private final MemoryStore store = new MemoryStore(time);
    private final TestClient one = new TestClient(store, "one", time);
    private final TestClient two = new TestClient(store, "two", time);

    @Test
    void restart_thatRemembers_keepsEverythingAndTellsEveryClient() {
        Claim held = one.claim(LOCK);
        Claim next = two.claim(LOCK);
        one.granted(held);
        two.queued(next);

        store.restart(false);

        assertThat(one.missed).isEqualTo(1);
        assertThat(two.missed).isEqualTo(1);
        assertThat(one.renew(held, LEASE)).isEqualTo(new Renewed(LEASE));
        assertThat(one.waiting(LOCK)).containsExactly(next.id());
        two.granted(two.claim(ANOTHER));
    }

    @Test
    void restart_closedClient_isNotTold() {
        two.backend.close();

        store.restart(false);

        assertThat(two.missed).isZero();
    }

    @Test
    void restart_thatForgets_dropsHoldersAndLines() {
        Claim held = one.claim(LOCK);
        Claim next = two.claim(LOCK);
        one.granted(held);
        two.queued(next);

        store.restart(true);

        assertThat(one.missed).isEqualTo(1);
        assertThat(one.backend.inspect(LOCK)).isEmpty();
        assertThat(one.renew(held, LEASE)).isEqualTo(new Gone());
        assertThat(one.release(held)).isFalse();
        assertThat(two.release(next)).isFalse();
        assertThat(two.heard).isEmpty();
    }

    @Test
    void restart_thatForgets_refusesUntilTheLongestLeaseHasPassed() {
        Claim longest = one.claim(ANOTHER, 1, HOUR, true);
        one.granted(longest);
        one.release(longest);
        one.granted(one.claim(LOCK));
        store.restart(true);

        Claim claim = two.claim(LOCK);
        assertThat(two.attempt(claim)).isInstanceOfSatisfying(Refused.class, refused -> {
            assertThat(refused.retryAfter()).isEqualTo(HOUR);
            assertThat(refused.why()).contains("restarted");
        });
        time.advance(HOUR.minusNanos(1));
        assertThat(two.attempt(claim)).isInstanceOf(Refused.class);
        time.advance(Duration.ofNanos(1));
        assertThat(two.attempt(claim)).isInstanceOf(Granted.class);
    }

    @Test
    void restart_thatForgets_countsTheLeaseOfARenewalToo() {
        Claim held = one.claim(LOCK);
        one.granted(held);
        one.renew(held, HOUR);
        store.restart(true);
        time.advance(LEASE);

        assertThat(two.attempt(two.claim(LOCK))).isInstanceOf(Refused.class);
    }

    @Test
    void restart_thatForgetsTwice_beginsToWaitAnew() {
        one.granted(one.claim(LOCK));
        store.restart(true);
        time.advance(SECOND);
        store.restart(true);

        assertThat(two.attempt(two.claim(LOCK)))
                .isInstanceOfSatisfying(
                        Refused.class,
                        refused -> assertThat(refused.retryAfter()).isEqualTo(LEASE));
    }

    @Test
    @Timeout(60)
    void restart_stillForgetting_refusesWhatIsForgottenAlready() {
        Resource slow = new Resource(LockKind.SEMAPHORE, "slow", 1);
        List<AttemptResult> answers = new ArrayList<>();
        List<CompletableFuture<Void>> restarts = new ArrayList<>();
        TimeSource restartsMeanwhile = new TimeSource() {
            @Override
            public long nanoTime() { // called with the lock of one resource held, for which the restart has to wait
                restarts.add(CompletableFuture.runAsync(() -> store.restart(true)));
                while (two.backend.inspect(LOCK).isPresent()) {
                    Thread.onSpinWait();
                }
                answers.add(two.attempt(two.claim(LOCK)));
                return 0;
            }

            @Override
            public long wallMillis() {
                return 0;
            }
        };
        TestClient waiter = new TestClient(store, "waiter", restartsMeanwhile);
        Claim held = one.claim(slow);
        one.granted(held);
        one.granted(one.claim(LOCK));
        waiter.queued(waiter.claim(slow));

        one.release(held);

        restarts.forEach(CompletableFuture::join);
        assertThat(answers).singleElement().isInstanceOf(Refused.class);
    }

    @Test
    void restart_beforeAnythingWasLeased_grantsAtOnce() {
        store.restart(true);

        one.granted(one.claim(LOCK));
    }

    @Test
    void restart_withoutGuard_grantsWhatSomebodyStillBelievesToHold() {
        MemoryStore unsafe = MemoryStore.withoutGuard(time);
        TestClient before = new TestClient(unsafe, "before", time);
        TestClient after = new TestClient(unsafe, "after", time);
        before.granted(before.claim(LOCK));

        unsafe.restart(true);

        after.granted(after.claim(LOCK));
    }

    @Test
    void restart_thatForgetsWithTheClockSetBack_keepsTheOrderOfTokens() {
        MemoryStore unsafe = MemoryStore.withoutGuard(time);
        TestClient client = new TestClient(unsafe, "client", time);
        long token = client.granted(client.claim(LOCK));
        unsafe.restart(true);
        time.advanceWall(HOUR.negated());

        assertThat(client.granted(client.claim(LOCK))).isGreaterThan(token);
    }

    @Test
    void grant_clockSetBack_keepsTheOrderOfTokens() {
        Claim first = one.claim(LOCK);
        long token = one.granted(first);
        one.release(first);
        time.advanceWall(HOUR.negated());

        assertThat(two.granted(two.claim(LOCK))).isEqualTo(token + 1);
    }

    @Test
    void grant_afterTheNameWasForgottenAndTheClockSetBack_keepsTheOrderOfTokens() {
        Claim first = one.claim(LOCK);
        long token = one.granted(first);
        one.release(first);
        time.advance(MemoryStore.RETENTION);
        time.advanceWall(HOUR.negated());
        two.granted(two.claim(ANOTHER));
        assertThat(store.size()).as("only the other name is left").isEqualTo(1);

        assertThat(two.granted(two.claim(LOCK))).isGreaterThan(token);
    }

    @Test
    void sweep_idleBeforeTheRetention_isRemembered() {
        Claim claim = one.claim(LOCK);
        one.granted(claim);
        one.release(claim);
        time.advance(MemoryStore.RETENTION.minusNanos(1));
        two.granted(two.claim(ANOTHER));

        assertThat(store.size()).isEqualTo(2);
    }

    @Test
    void sweep_usedAgainMeanwhile_isForgottenARetentionLater() {
        Claim claim = one.claim(LOCK);
        one.granted(claim);
        time.advance(MemoryStore.RETENTION.minusNanos(1));
        one.release(claim);
        time.advance(Duration.ofNanos(1));
        Claim other = two.claim(ANOTHER, 1, HOUR, true);
        two.granted(other);
        assertThat(store.size()).isEqualTo(2);

        time.advance(MemoryStore.RETENTION);
        two.granted(other);
        assertThat(store.size()).isEqualTo(1);
    }

    @Test
    void sweep_heldOrWaitedFor_isRemembered() {
        Resource latch = new Resource(LockKind.LATCH, "latch", 1);
        one.granted(one.claim(LOCK, 1, HOUR, true));
        one.queued(one.claim(latch, 0));
        time.advance(MemoryStore.RETENTION);
        two.queued(two.claim(latch, 0));
        time.advance(MemoryStore.PLACE_LEASE.dividedBy(2));
        two.granted(two.claim(ANOTHER));

        assertThat(one.holders(LOCK)).hasSize(1);
        assertThat(one.waiting(latch)).hasSize(1);
    }

    @Test
    void sweep_manyNames_areForgottenBitByBit() {
        for (int i = 0; i < 1000; i++) {
            Claim claim = one.claim(new Resource(LockKind.LOCK, "name" + i, 1), 1, SECOND, true);
            one.granted(claim);
            if (i % 2 == 0) {
                one.release(claim); // the others are left to expire
            }
        }
        time.advance(MemoryStore.RETENTION.plus(SECOND));
        for (int i = 0; i < 500; i++) {
            int before = store.size();
            one.release(two.claim(LOCK));
            two.attempt(two.claim(LOCK));
            assertThat(before - store.size()).as("work of one call").isLessThanOrEqualTo(2);
        }

        assertThat(store.size()).isEqualTo(1);
    }
}
