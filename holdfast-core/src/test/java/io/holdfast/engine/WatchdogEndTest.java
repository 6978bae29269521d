package io.holdfast.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.Lease;
import io.holdfast.LockEvent;
import io.holdfast.LockKind;
import io.holdfast.LockOptions;
import io.holdfast.LostReason;
import io.holdfast.spi.RenewResult;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** What ends the renewals: a dead owner, the maximum hold, a release, a loss. */
class WatchdogEndTest extends EngineFixture {
    private static final Duration NANO = Duration.ofNanos(1);

    // ---- a dead owner

    @Test
    void lock_ownerDies_notRenewedAndLostAtTheDeadlineNotBefore() throws Exception {
        Actor<Lease> owner = Actor.does("owner", () -> {
            lock().lock();
            return lock().lease();
        });
        Lease lease = owner.result();
        owner.awaitDeath();
        storeMayKeepClaims();

        runtime.advance(USABLE.minus(NANO));
        assertThat(lease.isValid()).isTrue();
        assertThat(backend.renewals()).isEmpty();
        assertThat(backend.releases()).isEmpty();
        runtime.advance(NANO);

        assertThat(events(LockEvent.Lost.class))
                .containsExactly(LockEvent.Lost.of(LockKind.LOCK, "a", lease.token(), LostReason.OWNER_DIED));
        assertThat(backend.releases()).as("its work may go on elsewhere").isEmpty();
    }

    @Test
    void lock_ownerDiesAfterARenewal_lostAtTheNewDeadline() throws Exception {
        CompletableFuture<Void> leave = new CompletableFuture<>();
        CompletableFuture<Lease> locked = new CompletableFuture<>();
        Actor<Boolean> owner = Actor.does("owner", () -> {
            lock().lock();
            locked.complete(lock().lease());
            leave.join();
            return true;
        });
        Lease lease = locked.join();
        storeMayKeepClaims();
        runtime.advance(USABLE.dividedBy(3));
        assertThat(backend.renewals()).hasSize(1);
        leave.complete(null);
        owner.awaitDeath();

        runtime.advance(USABLE.minusMillis(1));
        assertThat(lease.isValid()).isTrue();
        runtime.advance(millis(1));

        assertThat(events(LockEvent.Lost.class))
                .extracting(LockEvent.Lost::reason)
                .containsExactly(LostReason.OWNER_DIED);
        assertThat(backend.renewals()).hasSize(1);
    }

    @Test
    void acquire_callingThreadDies_leaseIsNobodysAndRenewed() throws Exception {
        Actor<Lease> thread = Actor.does("thread", () -> lock().acquire());
        Lease lease = thread.result();
        thread.awaitDeath();

        runtime.advance(Duration.ofMinutes(5));

        assertThat(lease.isValid()).isTrue();
        assertThat(backend.renewals()).isNotEmpty();
    }

    // ---- the maximum hold

    private Lease held(Duration maxHold) {
        return engine.lock("a", LockOptions.defaults().maxHold(maxHold)).acquire();
    }

    @Test
    void maxHold_shorterThanTheLease_lostAndReleasedInTime() {
        Lease lease = held(seconds(5));
        assertThat(lease.remaining()).isEqualTo(seconds(5));

        runtime.advance(seconds(5).minus(NANO));
        assertThat(lease.isValid()).isTrue();
        runtime.advance(NANO);

        assertThat(events(LockEvent.Lost.class))
                .containsExactly(LockEvent.Lost.of(LockKind.LOCK, "a", lease.token(), LostReason.MAX_HOLD));
        assertThat(backend.renewals()).isEmpty();
        assertThat(backend.releasesOf(backend.claim(0))).isPositive();
    }

    @Test
    void maxHold_longerThanTheLease_renewedUntilThenAndLost() {
        Lease lease = held(seconds(60));
        storeMayKeepClaims();

        runtime.advance(seconds(59));
        assertThat(lease.isValid()).isTrue();
        runtime.advance(seconds(1));

        assertThat(lease.isValid()).isFalse();
        assertThat(events(LockEvent.Lost.class))
                .extracting(LockEvent.Lost::reason)
                .containsExactly(LostReason.MAX_HOLD);
    }

    @Test
    void maxHold_longerThanTheLease_renewalsDoNotPileUpBeforeTheEnd() {
        held(seconds(60));
        storeMayKeepClaims();

        runtime.advance(seconds(61));

        assertThat(backend.renewals()).hasSizeBetween(4, 12);
    }

    @Test
    void maxHold_firstQuestionAfterIt_lost() {
        Lease lease = held(seconds(5));

        runtime.jump(seconds(5));

        assertThat(lease.isValid()).isFalse();
    }

    @Test
    void maxHold_fixedLease_extendDoesNotGoBeyondIt() {
        Lease lease = engine.lock(
                        "a", LockOptions.defaults().fixedLease(seconds(10)).maxHold(seconds(15)))
                .acquire();

        lease.extend(seconds(60));

        assertThat(lease.remaining()).isEqualTo(seconds(15));
        runtime.advance(seconds(15));
        assertThat(lease.isValid()).isFalse();
    }

    // ---- a release in between

    @Test
    void close_betweenCollectingAndRenewing_notRenewed() {
        Lease lease = lock().acquire();
        runtime.renewals().stop();
        runtime.advance(USABLE.dividedBy(3));
        assertThat(runtime.renewals().size()).isOne();

        lease.close();
        runtime.renewals().go();

        assertThat(backend.renewals()).isEmpty();
        assertThat(backend.releases()).hasSize(1);
        assertThat(engine.leftovers()).isZero();
    }

    @Test
    void close_oneOfARoundInBetween_theOthersAreRenewed() {
        Lease closed = lock().acquire();
        Lease stays = engine.lock("b").acquire();
        runtime.renewals().stop();
        runtime.advance(USABLE.dividedBy(3));

        closed.close();
        runtime.renewals().go();

        assertThat(backend.renewals().get(0).ids())
                .containsExactly(backend.claim(1).id());
        assertThat(stays.remaining()).isEqualTo(USABLE);
    }

    @Test
    void close_manyLeases_watchdogKeepsNone() {
        for (int i = 0; i < 100; i++) {
            lock().acquire().close();
        }

        assertThat(engine.leftovers()).isZero();
        assertThat(runtime.timers()).as("timers for leases that are gone").isLessThanOrEqualTo(1);
        runtime.advance(Duration.ofMinutes(1));
        assertThat(backend.renewals()).isEmpty();
        assertThat(runtime.timers()).isZero();
    }

    /** A renewal on its way when the lease is closed: its late success is answered with a release. */
    private void renewalInFlightWhile(Runnable meanwhile, RenewResult late) {
        backend.nextRenewal(renewals -> {
            meanwhile.run();
            return List.of(late);
        });
        runtime.advance(USABLE.dividedBy(3));
    }

    @Test
    void close_renewalInFlightSucceedsLater_releasedAgain() {
        Lease lease = lock().acquire();

        renewalInFlightWhile(lease::close, new RenewResult.Renewed(seconds(30)));

        assertThat(backend.releasesOf(backend.claim(0))).isEqualTo(2);
        assertThat(lease.isValid()).isFalse();
        assertThat(events(LockEvent.Renewed.class)).isEmpty();
        assertThat(events(LockEvent.Lost.class)).isEmpty();
        assertThat(engine.leftovers()).isZero();
    }

    @Test
    void close_renewalInFlightFindsNothing_nothingMore() {
        Lease lease = lock().acquire();

        renewalInFlightWhile(lease::close, new RenewResult.Gone());

        assertThat(events(LockEvent.Lost.class)).isEmpty();
        assertThat(backend.releases()).hasSize(1);
    }

    /** Nobody knows whether that renewal was or will be carried out. */
    @Test
    void close_renewalInFlightFails_releasedOnceMoreWhenItCannotTakeEffectAnyMore() {
        Lease lease = lock().acquire();
        AtomicReference<Long> sentNanos = new AtomicReference<>();

        renewalInFlightWhile(
                () -> {
                    sentNanos.set(runtime.nanoTime());
                    lease.close();
                },
                new RenewResult.Failed(new IllegalStateException("timeout")));
        runtime.advance(seconds(10));

        assertThat(events(LockEvent.AtRisk.class)).isEmpty();
        assertThat(backend.releases().get(backend.releases().size() - 1).atNanos())
                .as("time of the last release")
                .isGreaterThanOrEqualTo(sentNanos.get() + ScriptedBackend.REQUEST_TIMEOUT.toNanos());
    }

    @Test
    void close_anEarlierRenewalFailed_releasedOnceMoreWhenItCannotTakeEffectAnyMore() {
        Lease lease = lock().acquire();
        backend.nextRenewal(ScriptedBackend.down());
        runtime.advance(USABLE.dividedBy(3));
        long sentNanos = backend.renewals().get(0).atNanos();

        lease.close();
        assertThat(backend.releases()).hasSize(1);
        runtime.advance(seconds(10));

        assertThat(backend.releases().get(backend.releases().size() - 1).atNanos())
                .isGreaterThanOrEqualTo(sentNanos + ScriptedBackend.REQUEST_TIMEOUT.toNanos());
        assertThat(engine.leftovers()).isZero();
    }

    // ---- a loss in between

    @Test
    void deadline_passesWhileTheRenewalIsInFlight_lostOnceAndReleased() {
        Lease lease = lock().acquire();

        renewalInFlightWhile(() -> runtime.jump(USABLE), new RenewResult.Renewed(seconds(30)));

        assertThat(lease.isValid()).isFalse();
        assertThat(lease.remaining()).isZero();
        assertThat(events(LockEvent.Lost.class)).hasSize(1);
        assertThat(events(LockEvent.Renewed.class)).isEmpty();
        assertThat(backend.releasesOf(backend.claim(0))).isOne();
        assertThat(engine.leftovers()).isZero();
    }

    @Test
    void deadline_lossWasToldBeforeTheLateSuccess_notTakenBackAndReleased() {
        Lease lease = lock().acquire();

        renewalInFlightWhile(
                () -> {
                    runtime.advance(USABLE);
                    assertThat(events(LockEvent.Lost.class)).hasSize(1);
                },
                new RenewResult.Renewed(seconds(60)));

        assertThat(lease.isValid()).isFalse();
        assertThat(events(LockEvent.Lost.class)).hasSize(1);
        assertThat(backend.releasesOf(backend.claim(0))).isOne();
    }

    /**
     * Lost by its deadline while a renewal is on its way that may still make the store keep the lock for a whole lease.
     */
    @Test
    void deadline_renewalInFlightFailsLater_releasedWhenItCannotTakeEffectAnyMore() {
        lock().acquire();

        renewalInFlightWhile(
                () -> runtime.advance(USABLE), new RenewResult.Failed(new IllegalStateException("timeout")));
        runtime.advance(seconds(10));

        assertThat(events(LockEvent.Lost.class)).hasSize(1);
        assertThat(backend.releasesOf(backend.claim(0))).isPositive();
    }
}
