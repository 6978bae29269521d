package io.holdfast.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.DistributedLock;
import io.holdfast.Lease;
import io.holdfast.LockEvent;
import io.holdfast.LockKind;
import io.holdfast.LockLostException;
import io.holdfast.LockOptions;
import io.holdfast.LockStoreException;
import io.holdfast.LostReason;
import io.holdfast.spi.RenewResult;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Leases that nobody renews, and those that are made longer by hand. */
class FixedLeaseTest extends EngineFixture {
    private static final Duration FIXED = seconds(10);

    private DistributedLock fixed() {
        return engine.lock("a", LockOptions.defaults().fixedLease(FIXED));
    }

    // ---- confirmed before the hand-out

    @Test
    void fixedLease_grantIsShorter_renewedOnceBeforeAnybodyHasIt() {
        CompletableFuture<Lease> future = queued(fixed());
        backend.nextRenewal(renewals -> {
            assertThat(future).isNotDone();
            assertThat(events(LockEvent.Acquired.class)).isEmpty();
            return ScriptedBackend.renewAll(renewals);
        });

        push(backend.claim(0), seconds(3));

        assertThat(lease(future).remaining()).isEqualTo(usable(FIXED));
        assertThat(backend.renewals()).hasSize(1);
        assertThat(backend.renewals().get(0).renewals().get(0).lease()).isEqualTo(FIXED);
        assertThat(backend.renewals().get(0).ids())
                .containsExactly(backend.claim(0).id());
    }

    @Test
    void fixedLease_grantIsLongEnough_notConfirmed() {
        Lease lease = fixed().acquire();

        assertThat(lease.remaining()).isEqualTo(usable(FIXED));
        assertThat(backend.renewals()).isEmpty();
    }

    @Test
    void fixedLease_confirmationFails_sameClaimIsAskedForAgain() {
        CompletableFuture<Lease> future = queued(fixed());
        backend.attempts(this::grant);
        backend.nextRenewal(ScriptedBackend.down());

        push(backend.claim(0), seconds(3));
        assertThat(future).isNotDone();
        runtime.advance(millis(100));

        assertThat(backend.releases()).isEmpty();
        assertThat(backend.attempts()).allMatch(call -> call.claim().equals(backend.claim(0)));
        assertThat(lease(future).remaining()).isGreaterThan(usable(FIXED).minus(millis(100)));
    }

    @Test
    void fixedLease_storeForgotTheClaim_claimReleasedAndANewOneMade() {
        CompletableFuture<Lease> future = queued(fixed());
        backend.attempts(this::grant);
        backend.nextRenewal(renewals -> List.of(new RenewResult.Gone()));

        push(backend.claim(0), seconds(3));

        assertThat(backend.claim(1).id()).isNotEqualTo(backend.claim(0).id());
        assertThat(lease(future).isValid()).isTrue();
        assertThat(events(LockEvent.Lost.class)).isEmpty();
    }

    @Test
    void fixedLease_deadlinePassesDuringTheConfirmation_claimReleasedAndANewOneMade() {
        CompletableFuture<Lease> future = queued(fixed());
        backend.attempts(this::grant);
        backend.nextRenewal(renewals -> {
            runtime.jump(usable(seconds(3)));
            return ScriptedBackend.renewAll(renewals);
        });

        push(backend.claim(0), seconds(3));

        assertThat(backend.releasesOf(backend.claim(0))).isPositive();
        assertThat(backend.claim(1).id()).isNotEqualTo(backend.claim(0).id());
        assertThat(lease(future).remaining()).isEqualTo(usable(FIXED));
    }

    /**
     * A store that answers attempts and no renewals: the caller must hear of it, and the store must be left in peace.
     */
    @Test
    void fixedLease_confirmationAlwaysFails_waitEndsWithAnException() {
        backend.attempts(claim -> {
            if (backend.attempts().size() > 50) {
                throw new AssertionError("asked the store again and again, without a pause and without an end");
            }
            return backend.grant(claim, seconds(3));
        });
        backend.renewals(ScriptedBackend.down());

        CompletableFuture<Lease> future = waiting(fixed());
        runtime.advance(seconds(60));

        assertThat(future).isCompletedExceptionally();
        assertThatThrownBy(future::join).hasCauseInstanceOf(LockStoreException.class);
    }

    // ---- never renewed

    @Test
    void fixedLease_timeIsUp_lostAtItsDeadlineWithoutARenewal() {
        Lease lease = fixed().acquire();
        storeMayKeepClaims();

        runtime.advance(usable(FIXED).minusNanos(1));
        assertThat(lease.isValid()).isTrue();
        assertThat(events(LockEvent.Lost.class)).isEmpty();
        runtime.advance(Duration.ofNanos(1));

        assertThat(events(LockEvent.Lost.class))
                .containsExactly(LockEvent.Lost.of(LockKind.LOCK, "a", lease.token(), LostReason.EXPIRED));
        assertThat(backend.renewals()).isEmpty();
    }

    @Test
    void tryLock_fixedLeaseOfAnOtherwiseRenewedLock_neverRenewed() throws InterruptedException {
        assertThat(lock().tryLock(Duration.ZERO, FIXED)).isTrue();
        storeMayKeepClaims();

        runtime.advance(FIXED);

        assertThat(lock().isHeldByCurrentThread()).isFalse();
        assertThat(backend.renewals()).isEmpty();
        assertThatThrownBy(lock()::unlock).isInstanceOf(LockLostException.class);
    }

    /** A waiter takes over a claim that another one made, with a longer lease than its own. */
    @Test
    void fixedLease_storeGrantedLonger_lostAtItsOwnEndAndReleased() {
        CompletableFuture<Lease> leaves = queued(lock());
        CompletableFuture<Lease> stays = queued(fixed());
        leaves.cancel(false);
        runtime.run();
        push(backend.claim(0), seconds(30));
        assertThat(lease(stays).remaining()).isEqualTo(FIXED);

        runtime.advance(FIXED);

        assertThat(lease(stays).isValid()).isFalse();
        assertThat(events(LockEvent.Lost.class)).hasSize(1);
        assertThat(backend.releasesOf(backend.claim(0))).isPositive();
        assertThat(backend.renewals()).isEmpty();
    }

    // ---- extend

    @Test
    void extend_fixedLease_lastsThatLongFromNow() {
        Lease lease = fixed().acquire();
        storeMayKeepClaims();
        runtime.advance(seconds(5));

        lease.extend(seconds(20));

        assertThat(lease.remaining()).isEqualTo(usable(seconds(20)));
        runtime.advance(usable(seconds(20)).minusNanos(1));
        assertThat(lease.isValid()).isTrue();
        assertThat(backend.renewals()).hasSize(1);
        runtime.advance(Duration.ofNanos(1));
        assertThat(lease.isValid()).isFalse();
        assertThat(events(LockEvent.Lost.class)).hasSize(1);
    }

    @Test
    void extend_shorterThanWhatIsLeft_neverShortens() {
        Lease renewed = lock().acquire();
        Lease fixed = engine.lock("b", LockOptions.defaults().fixedLease(FIXED)).acquire();

        renewed.extend(seconds(1));
        fixed.extend(seconds(1));

        assertThat(renewed.remaining()).isEqualTo(USABLE);
        assertThat(fixed.remaining()).isEqualTo(usable(FIXED));
    }

    @Test
    void extend_storeDown_throwsAndLastsAsLongAsBefore() {
        Lease lease = lock().acquire();
        backend.nextRenewal(ScriptedBackend.down());

        assertThatThrownBy(() -> lease.extend(seconds(60)))
                .isInstanceOf(LockStoreException.class)
                .hasMessageContaining("'a'")
                .hasMessageContaining("connection reset")
                .hasMessageContaining("as long as before")
                .hasCauseInstanceOf(IllegalStateException.class);

        assertThat(lease.remaining()).isEqualTo(USABLE);
        assertThat(lease.isValid()).isTrue();
    }

    @Test
    void extend_storeForgotTheClaim_throwsLost() {
        Lease lease = lock().acquire();
        storeMayKeepClaims();
        backend.nextRenewal(renewals -> List.of(new RenewResult.Gone()));

        assertThatThrownBy(() -> lease.extend(seconds(60)))
                .isInstanceOfSatisfying(
                        LockLostException.class,
                        lost -> assertThat(lost.reason()).isEqualTo(LostReason.FORGOTTEN));
        assertThat(lease.isValid()).isFalse();
    }

    @Test
    void extend_deadlinePassesDuringTheCall_throwsLostAndReleases() {
        Lease lease = lock().acquire();
        backend.nextRenewal(renewals -> {
            runtime.jump(USABLE);
            return ScriptedBackend.renewAll(renewals);
        });

        assertThatThrownBy(() -> lease.extend(seconds(60))).isInstanceOf(LockLostException.class);

        assertThat(backend.releasesOf(backend.claim(0))).isOne();
        runtime.run();
        assertThat(events(LockEvent.Lost.class)).hasSize(1);
    }

    @Test
    void extend_closedLease_throwsAndAsksNothing() {
        Lease lease = lock().acquire();
        lease.close();

        assertThatThrownBy(() -> lease.extend(seconds(5)))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("closed");
        assertThat(backend.renewals()).isEmpty();
    }

    @Test
    void extend_badDuration_refusedBeforeTheStoreIsAsked() {
        Lease lease = lock().acquire();

        assertThatThrownBy(() -> lease.extend(millis(99)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("99ms")
                .hasMessageContaining("100ms");
        assertThatThrownBy(() -> lease.extend(Duration.ofDays(2))).isInstanceOf(IllegalArgumentException.class);
        assertThat(backend.renewals()).isEmpty();
    }

    @Test
    void tryLock_reentryWithALongerFixedLease_extendsOnce() throws InterruptedException {
        DistributedLock lock = lock();
        lock.lock();

        assertThat(lock.tryLock(Duration.ZERO, seconds(60))).isTrue();
        assertThat(lock.lease().remaining()).isEqualTo(usable(seconds(60)));
        assertThat(lock.tryLock(Duration.ZERO, seconds(20))).isTrue();

        assertThat(backend.renewals()).hasSize(1);
        assertThat(lock.holdCount()).isEqualTo(3);
        for (int i = 0; i < 3; i++) {
            lock.unlock();
        }
    }

    /** The monotonic clock may be any number, so also one that overflows while a lease is held. */
    @Test
    void extend_clockOverflowsMeanwhile_lastsThatLong() {
        TestRuntime clock = new TestRuntime(Long.MAX_VALUE - seconds(15).toNanos());
        ScriptedBackend store = new ScriptedBackend(clock);
        try (LockEngine client = LockEngine.start("overflow", store, LockOptions.defaults(), clock)) {
            Lease lease =
                    client.lock("a", LockOptions.defaults().fixedLease(FIXED)).acquire();

            lease.extend(seconds(20));

            assertThat(lease.remaining()).isEqualTo(usable(seconds(20)));
            clock.advance(seconds(19));
            assertThat(lease.isValid()).isTrue();
        }
    }
}
