package io.holdfast.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.Lease;
import io.holdfast.LockLostException;
import io.holdfast.LockOptions;
import io.holdfast.LockStoreException;
import io.holdfast.LostReason;
import io.holdfast.MultiLease;
import io.holdfast.MultiLock;
import io.holdfast.spi.AttemptResult;
import io.holdfast.spi.RenewResult;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Several locks: all or none. */
class MultiLockTest extends EngineFixture {
    private final MultiLock all = engine.allOf("b", "c", "a", "b");

    @Test
    void extend_everyLease_lastsLonger() {
        MultiLease leases = all.acquire();
        leases.extend(seconds(60));
        assertThat(leases.remaining()).isEqualTo(usable(seconds(60)));
        leases.close();
        assertThatThrownBy(() -> leases.extend(seconds(60))).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void extend_oneIsLost_throwsAndAsksNothing() {
        storeMayKeepClaims();
        MultiLease leases = engine.allOf(
                        List.of("a", "b"), LockOptions.defaults().fixedLease(seconds(1)))
                .acquire();
        runtime.advance(seconds(2));
        int asked = backend.renewals().size();
        assertThatThrownBy(() -> leases.extend(seconds(5))).isInstanceOf(LockLostException.class);
        assertThat(backend.renewals()).hasSize(asked);
    }

    @Test
    void lost_firstOfThem_completesOnceWithItsReason() {
        storeMayKeepClaims();
        MultiLease leases = all.acquire();
        CompletableFuture<LostReason> lost = leases.lost().toCompletableFuture();
        backend.renewals(renewals -> renewals.stream()
                .<RenewResult>map(renewal -> renewal.claim().resource().name().equals("b")
                        ? new RenewResult.Gone()
                        : new RenewResult.Renewed(renewal.lease()))
                .toList());
        assertThat(lost).isNotDone();
        runtime.advance(seconds(11));
        assertThat(lost).isCompletedWithValue(LostReason.FORGOTTEN);
        leases.close();
    }

    @Test
    void lost_closedFirst_neverCompletes() {
        MultiLease leases = all.acquire();
        CompletableFuture<LostReason> lost = leases.lost().toCompletableFuture();
        leases.closeAsync();
        runtime.advance(seconds(60));
        assertThat(lost).isNotDone();
        assertThat(leases.isValid()).isFalse();
    }

    @Test
    void onAtRisk_renewalsFail_isToldForEachName() {
        MultiLease leases = engine.allOf("a", "b").acquire();
        List<String> told = new ArrayList<>();
        leases.onAtRisk(() -> told.add("at risk"));
        backend.renewals(renewals -> {
            throw new IllegalStateException("connection reset");
        });
        runtime.advance(seconds(12));
        assertThat(told).hasSize(2);
        leases.close();
    }

    @Test
    void tryLock_duration_takesAllOrNone() throws InterruptedException {
        assertThat(all.tryLock(seconds(1))).isTrue();
        all.unlock();
        assertThatThrownBy(() -> all.tryLock(millis(-1))).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void acquire_anyOrderOfNames_takenInOneOrderAndGivenBackInTheOther() {
        assertThat(all.names()).containsExactly("a", "b", "c");

        MultiLease leases = all.acquire();
        assertThat(asked()).containsExactly("a", "b", "c");
        assertThat(leases.isValid()).isTrue();
        assertThat(leases.leases()).extracting(Lease::name).containsExactly("a", "b", "c");
        assertThat(leases.token("b")).isEqualTo(leases.leases().get(1).token());
        leases.close();
        leases.close();

        assertThat(released()).containsExactly("c", "b", "a");
        assertThat(leases.isValid()).isFalse();
        assertThatThrownBy(() -> leases.token("z"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("'z'")
                .hasMessageContaining("[a, b, c]");
    }

    @Test
    void tryAcquire_oneIsTaken_theOthersAreGivenBack() {
        backend.attempts(allBut("c", ScriptedBackend.busy()));

        assertThat(all.tryAcquire()).isEmpty();

        assertThat(released()).containsExactly("b", "a");
        assertThat(engine.leftovers()).isZero();
    }

    @Test
    void tryAcquire_storeFailsForOne_theOthersAreGivenBack() {
        backend.attempts(allBut("b", ScriptedBackend.down()));

        assertThatThrownBy(all::tryAcquire).isInstanceOf(LockStoreException.class);

        assertThat(released()).contains("a").doesNotContain("c");
        runtime.advance(seconds(10));
        assertThat(engine.leftovers()).isZero();
    }

    @Test
    void tryLock_oneIsTaken_theOthersAreGivenBack() throws InterruptedException {
        backend.attempts(allBut("c", ScriptedBackend.busy()));

        assertThat(all.tryLock()).isFalse();
        assertThat(all.tryLock(0, TimeUnit.SECONDS)).isFalse();

        assertThat(released()).containsExactly("b", "a", "b", "a");
        assertThat(engine.lock("a").isHeldByCurrentThread()).isFalse();
    }

    @Test
    void lock_twice_reentrant() {
        all.lock();
        all.lock();
        assertThat(backend.attempts()).hasSize(3);
        all.unlock();
        assertThat(engine.lock("b").isHeldByCurrentThread()).isTrue();
        all.unlock();

        assertThat(released()).containsExactly("c", "b", "a");
        assertThatThrownBy(all::unlock).isInstanceOf(IllegalMonitorStateException.class);
    }

    @Test
    void tryAcquire_bounded_oneDeadlineForAllNames() throws InterruptedException {
        backend.attempts(claim -> {
            runtime.jump(seconds(2));
            return claim.resource().name().equals("c") ? new AttemptResult.Busy(seconds(9)) : grant(claim);
        });

        assertThat(all.tryAcquire(seconds(5))).isEmpty();

        assertThat(backend.attempts()).hasSize(3);
        assertThat(backend.attempts().get(2).patience()).isEqualTo(seconds(1));
        assertThat(released()).containsExactly("b", "a");
    }

    @Test
    void tryAcquire_aLeaseEndsWhileALaterOneIsWaitedFor_startsOver() throws InterruptedException {
        storeMayKeepClaims();
        backend.nextAttempt(this::grant);
        backend.nextAttempt(claim -> {
            runtime.stepWall(USABLE);
            return grant(claim);
        });

        Optional<MultiLease> leases = all.tryAcquire(seconds(60));

        assertThat(leases).isPresent();
        assertThat(leases.get().isValid()).isTrue();
        leases.get().close();
    }

    @Test
    void tryAcquireAsync_aLeaseEndsWhileALaterOneIsWaitedFor_startsOver() {
        storeMayKeepClaims();
        backend.nextAttempt(this::grant);
        backend.nextAttempt(claim -> {
            runtime.stepWall(USABLE);
            return grant(claim);
        });

        CompletableFuture<Optional<MultiLease>> future = all.tryAcquireAsync(seconds(60));
        runtime.run();

        assertThat(future.join()).isPresent();
        assertThat(future.join().get().isValid()).isTrue();
    }

    // ---- futures

    @Test
    void acquireAsync_allFree_completes() {
        CompletableFuture<MultiLease> future = all.acquireAsync();
        runtime.run();

        assertThat(future).isCompleted();
        assertThat(asked()).containsExactly("a", "b", "c");
        future.join().close();
        assertThat(released()).containsExactly("c", "b", "a");
    }

    @Test
    void acquireAsync_cancelledWhileItWaits_everythingIsGivenBack() {
        backend.attempts(allBut("b", ScriptedBackend.queued(1, seconds(10))));
        CompletableFuture<MultiLease> future = all.acquireAsync();
        runtime.run();
        assertThat(asked()).containsExactly("a", "b");

        future.cancel(false);
        runtime.run();

        assertThat(released()).containsExactlyInAnyOrder("a", "b");
        assertThat(engine.leftovers()).isZero();
    }

    @Test
    void tryAcquireAsync_cancelledWhileItWaits_everythingIsGivenBack() {
        backend.attempts(allBut("b", ScriptedBackend.queued(1, seconds(10))));
        CompletableFuture<Optional<MultiLease>> future = all.tryAcquireAsync(seconds(60));
        runtime.run();

        future.cancel(false);
        runtime.run();

        assertThat(released()).containsExactlyInAnyOrder("a", "b");
        assertThat(engine.leftovers()).isZero();
    }

    @Test
    void acquireAsync_cancelledWhileTheLastIsGranted_everythingIsGivenBack() {
        CompletableFuture<MultiLease> future = all.acquireAsync();
        backend.attempts(allBut("c", claim -> {
            future.cancel(false);
            return grant(claim);
        }));

        runtime.run();

        assertThat(released()).containsExactlyInAnyOrder("a", "b", "c");
        assertThat(engine.leftovers()).isZero();
    }

    @Test
    void tryAcquireAsync_timeIsUp_emptyAndEverythingIsGivenBack() {
        backend.attempts(allBut("c", ScriptedBackend.queued(1, seconds(10))));
        CompletableFuture<Optional<MultiLease>> future = all.tryAcquireAsync(seconds(3));

        runtime.advance(seconds(3));

        assertThat(future.join()).isEmpty();
        assertThat(released()).containsExactlyInAnyOrder("a", "b", "c");
    }

    @Test
    void acquireAsync_storeFails_failsAndEverythingIsGivenBack() {
        backend.attempts(allBut("c", ScriptedBackend.down()));
        CompletableFuture<MultiLease> future = all.acquireAsync();

        runtime.advance(seconds(10));

        assertThatThrownBy(future::join).hasRootCauseInstanceOf(IllegalStateException.class);
        assertThat(released()).contains("a", "b", "c");
        assertThat(engine.leftovers()).isZero();
    }

    // ---- the lease of all

    @Test
    void multiLease_oneIsLost_invalidAndToldOnce() {
        storeMayKeepClaims();
        MultiLease leases = engine.allOf(
                        List.of("a", "b"), LockOptions.defaults().fixedLease(seconds(10)))
                .acquire();
        List<LostReason> told = new ArrayList<>();
        leases.onLost(told::add);
        assertThat(leases.remaining()).isEqualTo(usable(seconds(10)));
        leases.leases().get(1).extend(seconds(20));
        assertThat(leases.remaining()).isEqualTo(usable(seconds(10)));

        runtime.advance(seconds(10));
        assertThat(leases.isValid()).isFalse();
        assertThat(leases.remaining()).isZero();
        assertThatThrownBy(leases::ensureValid).hasMessageContaining("'a'");
        assertThat(told).containsExactly(LostReason.EXPIRED);
        runtime.advance(seconds(10));

        assertThat(told).hasSize(1);
        leases.close();
    }
}
