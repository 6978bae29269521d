package io.holdfast.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.DistributedLock;
import io.holdfast.Lease;
import io.holdfast.LockEvent;
import io.holdfast.LockLostException;
import io.holdfast.LockOptions;
import io.holdfast.LockStoreException;
import io.holdfast.LostReason;
import io.holdfast.spi.AttemptResult;
import io.holdfast.spi.Claim;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** When a lease ends for its holder. */
class LeaseDeadlineTest extends EngineFixture {

    private AttemptResult slowGrant(Claim claim, Duration takes) {
        runtime.jump(takes);
        return grant(claim);
    }

    // ---- from when it counts

    @Test
    void acquire_storeTakesItsTime_countsFromBeforeTheRequest() {
        backend.attempts(claim -> slowGrant(claim, seconds(4)));

        Lease lease = lock().acquire();

        assertThat(lease.remaining()).isEqualTo(USABLE.minusSeconds(4));
    }

    @Test
    void acquire_storeTakesItsTime_wallClockCountsFromBeforeTheRequestToo() {
        backend.attempts(claim -> slowGrant(claim, seconds(4)));
        Lease lease = lock().acquire();
        storeMayKeepClaims();

        runtime.stepWall(USABLE.minusSeconds(4).minusMillis(1));
        assertThat(lease.isValid()).isTrue();
        runtime.stepWall(millis(1));
        assertThat(lease.isValid()).isFalse();
    }

    @ParameterizedTest
    @ValueSource(longs = {100, 1_000, 3_000, 30_000, 86_400_000})
    void acquire_anyLease_onePercentAndTenMillisAreGivenUp(long leaseMillis) {
        Duration asked = millis(leaseMillis);

        Lease lease = engine.lock("a", LockOptions.defaults().lease(asked)).acquire();

        assertThat(lease.remaining()).isEqualTo(usable(asked));
    }

    @Test
    void acquire_storeGrantsLessThanAsked_countsWhatItGranted() {
        backend.attempts(claim -> backend.grant(claim, seconds(5)));

        assertThat(lock().acquire().remaining()).isEqualTo(usable(seconds(5)));
    }

    @Test
    void renewal_storeTakesItsTime_countsFromBeforeTheRequest() {
        Lease lease = lock().acquire();
        backend.nextRenewal(renewals -> {
            runtime.jump(seconds(4));
            return ScriptedBackend.renewAll(renewals);
        });

        runtime.advance(USABLE.dividedBy(3));

        assertThat(backend.renewals()).hasSize(1);
        assertThat(lease.remaining()).isEqualTo(USABLE.minusSeconds(4));
    }

    @Test
    void extend_storeTakesItsTime_countsFromBeforeTheRequest() {
        Lease lease = lock().acquire();
        backend.nextRenewal(renewals -> {
            runtime.jump(seconds(4));
            return ScriptedBackend.renewAll(renewals);
        });

        lease.extend(seconds(60));

        assertThat(lease.remaining()).isEqualTo(usable(seconds(60)).minusSeconds(4));
    }

    // ---- two clocks

    @Test
    void isValid_monotonicClockReachesTheDeadline_lost() {
        Lease lease = lock().acquire();
        storeMayKeepClaims();

        runtime.jump(USABLE.minusNanos(1));
        assertThat(lease.isValid()).isTrue();
        runtime.jump(Duration.ofNanos(1));
        assertThat(lease.isValid()).isFalse();
    }

    @Test
    void isValid_wallClockStepsForward_lost() {
        Lease lease = lock().acquire();
        storeMayKeepClaims();

        runtime.stepWall(USABLE);

        assertThat(lease.isValid()).isFalse();
        runtime.run();
        assertThat(events(LockEvent.Lost.class)).hasSize(1);
    }

    @Test
    void isValid_machineSuspendedPartOfTheLease_timeLeftShrinks() {
        Lease lease = lock().acquire();

        runtime.stepWall(seconds(20));

        assertThat(lease.remaining()).isEqualTo(USABLE.minusSeconds(20));
        assertThat(lease.isValid()).isTrue();
    }

    @Test
    void watchdog_machineSuspendedPastTheDeadline_tellsLossAndDoesNotRenew() {
        Lease lease = lock().acquire();
        storeMayKeepClaims();
        CompletableFuture<LostReason> told = new CompletableFuture<>();
        lease.onLost(told::complete);

        runtime.stepWall(USABLE);
        runtime.advance(USABLE.dividedBy(3));

        assertThat(told).isCompletedWithValue(LostReason.EXPIRED);
        assertThat(backend.renewals()).isEmpty();
    }

    @Test
    void isValid_wallClockStepsBack_harmless() {
        Lease lease =
                engine.lock("a", LockOptions.defaults().fixedLease(seconds(30))).acquire();
        storeMayKeepClaims();

        runtime.stepWall(Duration.ofHours(-2));

        assertThat(lease.remaining()).isEqualTo(USABLE);
        runtime.advance(USABLE.minusNanos(1));
        assertThat(lease.isValid()).isTrue();
        runtime.advance(Duration.ofNanos(1));
        assertThat(lease.isValid()).isFalse();
    }

    @Test
    void renewal_wallClockSteppedBackBefore_newDeadlineCountsFromTheNewTime() {
        Lease lease = lock().acquire();
        storeMayKeepClaims();
        runtime.stepWall(Duration.ofHours(-1));
        runtime.advance(USABLE.dividedBy(3));
        assertThat(backend.renewals()).hasSize(1);

        runtime.stepWall(USABLE);

        assertThat(lease.isValid()).isFalse();
    }

    // ---- asked every time

    @Test
    void remaining_timePasses_computedAnew() {
        Lease lease = lock().acquire();

        for (int i = 0; i < 3; i++) {
            Duration before = lease.remaining();
            runtime.jump(seconds(2));
            assertThat(lease.remaining()).isEqualTo(before.minusSeconds(2));
        }
    }

    static Stream<Named<Boolean>> clocks() {
        return Stream.of(Named.of("after a pause", true), Named.of("after a suspend", false));
    }

    private void sleepPastDeadline(boolean pause) {
        storeMayKeepClaims();
        if (pause) {
            runtime.jump(USABLE);
        } else {
            runtime.stepWall(USABLE);
        }
    }

    @ParameterizedTest
    @MethodSource("clocks")
    void remaining_firstQuestionAfterTheDeadline_zero(boolean pause) {
        Lease lease = lock().acquire();
        sleepPastDeadline(pause);
        assertThat(lease.remaining()).isZero();
    }

    @ParameterizedTest
    @MethodSource("clocks")
    void ensureValid_firstQuestionAfterTheDeadline_throwsLost(boolean pause) {
        Lease lease = lock().acquire();
        sleepPastDeadline(pause);
        assertThatThrownBy(lease::ensureValid)
                .isInstanceOfSatisfying(LockLostException.class, lost -> {
                    assertThat(lost.reason()).isEqualTo(LostReason.EXPIRED);
                    assertThat(lost.lockName()).isEqualTo("a");
                })
                .hasMessageContaining("'a'")
                .hasMessageContaining("token 1")
                .hasMessageContaining("EXPIRED");
    }

    @ParameterizedTest
    @MethodSource("clocks")
    void isHeldByCurrentThread_firstQuestionAfterTheDeadline_false(boolean pause) {
        DistributedLock lock = lock();
        lock.lock();
        sleepPastDeadline(pause);
        assertThat(lock.isHeldByCurrentThread()).isFalse();
    }

    @ParameterizedTest
    @MethodSource("clocks")
    void unlock_firstQuestionAfterTheDeadline_throwsLost(boolean pause) {
        DistributedLock lock = lock();
        lock.lock();
        sleepPastDeadline(pause);
        assertThatThrownBy(lock::unlock).isInstanceOf(LockLostException.class);
        assertThat(lock.holdCount()).isZero();
        assertThat(backend.releases()).isEmpty();
    }

    /** A re-entry does not ask the clocks, but it does not pass over a loss that was noticed. */
    @ParameterizedTest
    @MethodSource("clocks")
    void lock_reentryAfterTheLossWasNoticed_throwsLost(boolean pause) {
        DistributedLock lock = lock();
        lock.lock();
        sleepPastDeadline(pause);
        assertThat(lock.lease().isValid()).isFalse();
        assertThatThrownBy(lock::lock).isInstanceOf(LockLostException.class);
        assertThat(lock.holdCount()).isZero();
        assertThatThrownBy(lock::unlock).isInstanceOf(LockLostException.class);
        assertThat(lock.holdCount()).isZero();
    }

    @ParameterizedTest
    @MethodSource("clocks")
    void extend_firstQuestionAfterTheDeadline_throwsLostAndAsksNothing(boolean pause) {
        Lease lease = lock().acquire();
        sleepPastDeadline(pause);
        assertThatThrownBy(() -> lease.extend(seconds(5))).isInstanceOf(LockLostException.class);
        assertThat(backend.renewals()).isEmpty();
    }

    @ParameterizedTest
    @MethodSource("clocks")
    void close_firstQuestionAfterTheDeadline_lostNotReleased(boolean pause) {
        Lease lease = lock().acquire();
        sleepPastDeadline(pause);
        lease.close();
        runtime.run();
        assertThat(events(LockEvent.Released.class)).isEmpty();
        assertThat(events(LockEvent.Lost.class)).hasSize(1);
    }

    @Test
    void isValid_lostByTheMonotonicClock_storeEndsTheLeaseByItself() {
        Lease lease = lock().acquire();
        sleepPastDeadline(true);
        assertThat(lease.isValid()).isFalse();
        runtime.run();
        assertThat(backend.releases()).isEmpty();
    }

    /** The wall clock may have been set forward, and then the store would keep the lock for nobody. */
    @Test
    void isValid_lostByTheWallClock_releasedOnceItIsLost() {
        Lease lease = lock().acquire();
        sleepPastDeadline(false);
        assertThat(backend.releases()).isEmpty();
        assertThat(lease.isValid()).isFalse();
        runtime.run();
        assertThat(backend.releasesOf(backend.claim(0))).isOne();
    }

    // ---- just before the hand-out

    @Test
    void acquire_grantArrivesPastItsDeadline_releasedAndANewClaimIsMade() {
        backend.nextAttempt(claim -> slowGrant(claim, USABLE));

        Lease lease = lock().acquire();

        assertThat(backend.attempts()).hasSize(2);
        Claim late = backend.claim(0);
        assertThat(backend.claim(1).id()).isNotEqualTo(late.id());
        assertThat(backend.releasesOf(late)).isOne();
        assertThat(lease.token()).isEqualTo(1L + Cohort.USUAL);
        assertThat(lease.remaining()).isEqualTo(USABLE);
        assertThat(events(LockEvent.Acquired.class)).hasSize(1);
        assertThat(events(LockEvent.Lost.class)).isEmpty();
    }

    @Test
    void acquire_grantArrivesWithTheLastNanosecondLeft_handedOut() {
        storeMayKeepClaims();
        backend.nextAttempt(claim -> slowGrant(claim, USABLE.minusNanos(1)));

        assertThat(lock().acquire().token()).isOne();
        assertThat(backend.attempts()).hasSize(1);
    }

    @Test
    void acquire_machineSuspendedDuringTheRequest_grantIsNotHandedOut() {
        backend.nextAttempt(claim -> {
            runtime.stepWall(USABLE);
            return grant(claim);
        });

        Lease lease = lock().acquire();

        assertThat(backend.attempts()).hasSize(2);
        assertThat(backend.releasesOf(backend.claim(0))).isOne();
        assertThat(lease.isValid()).isTrue();
    }

    @Test
    void tryAcquire_boundedAndGrantArrivesPastItsDeadline_emptyAndReleased() throws InterruptedException {
        backend.attempts(claim -> slowGrant(claim, seconds(40)));

        assertThat(lock().tryAcquire(seconds(35))).isEmpty();

        assertThat(backend.releasesOf(backend.claim(0))).isOne();
        assertThat(backend.attempts()).hasSize(1);
    }

    /** A store that is slower than the lease: one try must come to an end, with an answer or an exception. */
    @Test
    void tryAcquire_everyGrantArrivesPastItsDeadline_comesToAnEnd() {
        backend.attempts(claim -> {
            if (backend.attempts().size() > 10) {
                throw new AssertionError("one try has asked the store ten times");
            }
            return slowGrant(claim, USABLE);
        });

        Optional<Lease> result;
        try {
            result = lock().tryAcquire();
        } catch (LockStoreException slow) {
            result = Optional.empty();
        }

        assertThat(result).isEmpty();
    }

    @Test
    void acquireAsync_deadlinePassesBeforeTheFutureCompletes_newClaimIsMade() {
        storeMayKeepClaims();
        runtime.callbacks().stop();
        CompletableFuture<Lease> future = waiting(lock());
        runtime.jump(USABLE);

        runtime.callbacks().go();

        assertThat(lease(future).isValid()).isTrue();
        assertThat(lease(future).remaining()).isEqualTo(USABLE);
        assertThat(backend.attempts()).hasSize(2);
        assertThat(backend.claim(1).id()).isNotEqualTo(backend.claim(0).id());
    }
}
