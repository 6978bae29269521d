package io.holdfast.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.Lease;
import io.holdfast.LockEvent;
import io.holdfast.LockKind;
import io.holdfast.LockLostException;
import io.holdfast.LostReason;
import io.holdfast.spi.Claim;
import io.holdfast.spi.RenewResult;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** What the answers to one round of renewals mean, for each by itself. */
class WatchdogAnswersTest extends EngineFixture {
    private Lease lease(String name) {
        return engine.lock(name).acquire();
    }

    @Test
    void renewal_oneOfARoundFails_othersAreRenewed() {
        Lease renewed = lease("a");
        Lease failing = lease("b");
        Lease gone = lease("c");
        Lease last = lease("d");
        storeMayKeepClaims();
        List<String> told = new ArrayList<>();
        failing.onAtRisk(() -> told.add("b at risk"));
        gone.onLost(reason -> told.add("c " + reason));
        backend.nextRenewal(renewals -> List.of(
                new RenewResult.Renewed(seconds(30)),
                new RenewResult.Failed(new IllegalStateException("slot is moving")),
                new RenewResult.Gone(),
                new RenewResult.Renewed(seconds(30))));

        runtime.advance(USABLE.dividedBy(3));

        assertThat(renewed.remaining()).isEqualTo(USABLE);
        assertThat(last.remaining()).isEqualTo(USABLE);
        assertThat(failing.remaining()).isEqualTo(USABLE.minus(USABLE.dividedBy(3)));
        assertThat(gone.isValid()).isFalse();
        assertThat(told).containsExactlyInAnyOrder("b at risk", "c FORGOTTEN");
    }

    @Test
    void renewal_storeForgotTheClaim_lostAtOnceAndNotReleased() {
        Lease lease = lock().acquire();
        storeMayKeepClaims();
        backend.renewals(renewals -> List.of(new RenewResult.Gone()));

        runtime.advance(USABLE.dividedBy(3));

        assertThat(events(LockEvent.Lost.class))
                .containsExactly(LockEvent.Lost.of(LockKind.LOCK, "a", lease.token(), LostReason.FORGOTTEN));
        assertThat(lease.isValid()).isFalse();
        assertThat(engine.leftovers()).isZero();
        assertThat(backend.releases()).isEmpty();
    }

    @Test
    void renewal_storeForgotTheClaim_nextWaiterAsksWithAClaimOfItsOwn() {
        lock().acquire();
        storeMayKeepClaims();
        CompletableFuture<Lease> next = waiting(lock());
        backend.nextRenewal(renewals -> List.of(new RenewResult.Gone()));

        runtime.advance(USABLE.dividedBy(3));

        assertThat(lease(next).isValid()).isTrue();
        assertThat(backend.attempts()).hasSize(2);
        assertThat(backend.claim(1).id()).isNotEqualTo(backend.claim(0).id());
    }

    /** Anybody may say so. */
    @Test
    void revoked_storeStillHasIt_staysAsItIs() {
        Lease lease = lock().acquire();
        runtime.advance(seconds(1));
        Duration left = lease.remaining();

        backend.listener().revoked(backend.claim(0).id());
        runtime.run();

        assertThat(backend.renewals()).hasSize(1);
        assertThat(lease.isValid()).isTrue();
        assertThat(lease.remaining()).isEqualTo(left);
    }

    @Test
    void revoked_storeSaysSoToo_lostAtOnce() {
        lock().acquire();
        storeMayKeepClaims();
        backend.nextRenewal(renewals -> List.of(new RenewResult.Gone()));

        backend.listener().revoked(backend.claim(0).id());
        runtime.run();

        assertThat(events(LockEvent.Lost.class))
                .extracting(LockEvent.Lost::reason)
                .containsExactly(LostReason.FORGOTTEN);
    }

    /** At whatever look at the clocks that is, the lease is lost or the store still has it. */
    @Test
    void renewal_wallClockIsSetBackWhileItsAnswerIsJudged_notReleasedBehindTheLease() {
        for (int looks = 1; looks <= 12; looks++) {
            Lease lease = lease("name " + looks);
            Claim claim = backend.claim(looks - 1);
            AtomicInteger left = new AtomicInteger(looks);
            backend.nextRenewal(renewals -> {
                runtime.stepWall(seconds(60));
                runtime.onNanoTime(() -> {
                    if (left.decrementAndGet() == 0) {
                        runtime.stepWall(seconds(-60));
                    }
                });
                return ScriptedBackend.renewAll(renewals);
            });

            try {
                lease.extend(seconds(30));
            } catch (LockLostException lost) {
                assertThat(lease.isValid()).isFalse();
            }
            runtime.onNanoTime(() -> {});

            assertThat(lease.isValid() && backend.releasesOf(claim) > 0)
                    .as("valid, and released in the store, after %s looks", looks)
                    .isFalse();
            lease.close();
            runtime.run();
            assertThat(engine.leftovers()).isZero();
        }
        storeMayKeepClaims();
    }
}
