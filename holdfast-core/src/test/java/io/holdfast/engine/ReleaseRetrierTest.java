package io.holdfast.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.Lease;
import io.holdfast.LockEvent;
import io.holdfast.LockStoreException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** Releases that were not answered. */
class ReleaseRetrierTest extends EngineFixture {

    @Test
    void close_storeDown_doesNotThrowAndIsRepeatedUntilAnswered() {
        Lease lease = lock().acquire();
        AtomicBoolean up = new AtomicBoolean();
        backend.releases(claim -> {
            if (!up.get()) {
                throw new IllegalStateException("connection refused");
            }
            return true;
        });

        assertThatCode(lease::close).doesNotThrowAnyException();
        assertThat(backend.releases()).hasSize(1);
        assertThat(events(LockEvent.Released.class)).hasSize(1);
        runtime.advance(seconds(5));
        int tries = backend.releases().size();
        assertThat(tries).isBetween(8, 14);
        up.set(true);
        runtime.advance(seconds(1));

        assertThat(backend.releases()).hasSize(tries + 1);
        assertThat(engine.leftovers()).isZero();
        runtime.advance(seconds(60));
        assertThat(backend.releases()).hasSize(tries + 1);
    }

    @Test
    void close_storeDownOnce_releasedByTheNextTry() {
        Lease lease = lock().acquire();
        backend.nextRelease(ScriptedBackend.down());

        lease.close();
        runtime.advance(seconds(60));

        assertThat(backend.releases()).hasSize(2);
        assertThat(engine.leftovers()).isZero();
    }

    @Test
    void close_storeDownLongerThanTheLease_givenUpWithAWarning() {
        try (LogCapture log = new LogCapture()) {
            Lease lease = lock().acquire();
            storeMayKeepClaims();
            backend.releases(ScriptedBackend.down());

            lease.close();
            runtime.advance(seconds(30));
            assertThat(engine.leftovers()).as("while the lease may last").isOne();
            runtime.advance(seconds(15));

            assertThat(engine.leftovers()).isZero();
            assertThat(log.messages()).hasSize(1).allMatch(message -> message.contains("gave up releasing"));
            int tries = backend.releases().size();
            runtime.advance(Duration.ofMinutes(5));
            assertThat(backend.releases()).hasSize(tries);
        }
    }

    @Test
    void close_extendedLeaseAndStoreDown_triedForAsLongAsTheStoreMayKeepIt() {
        try (LogCapture log = new LogCapture()) {
            Lease lease = lock().acquire();
            lease.extend(Duration.ofMinutes(10));
            backend.releases(ScriptedBackend.down());
            lease.close();

            runtime.advance(Duration.ofMinutes(9));
            assertThat(log.messages()).isEmpty();
            backend.releases(claim -> true);
            runtime.advance(seconds(1));

            assertThat(engine.leftovers()).isZero();
            assertThat(backend.known()).isEmpty();
        }
    }

    /** Not an exception that anybody expects; but the store must hear of the release all the same. */
    @Test
    void close_releaseThrowsAnError_repeatedAndTheGateIsFree() {
        Lease lease = lock().acquire();
        backend.nextRelease(claim -> {
            throw new LinkageError("half a deployment");
        });

        assertThatCode(lease::close).doesNotThrowAnyException();
        runtime.advance(seconds(5));

        assertThat(backend.releasesOf(backend.claim(0))).isEqualTo(2);
        assertThat(engine.leftovers()).isZero();
        assertThat(lock().tryAcquire()).isPresent();
    }

    @Test
    void close_storeDown_lockCanBeTakenAgainMeanwhile() {
        Lease lease = lock().acquire();
        backend.nextRelease(ScriptedBackend.down());
        lease.close();

        Lease next = lock().acquire();
        runtime.advance(seconds(5));

        assertThat(next.isValid()).isTrue();
        assertThat(backend.releasesOf(backend.claim(0))).isEqualTo(2);
        assertThat(backend.releasesOf(backend.claim(1))).isZero();
    }

    @Test
    void cancel_storeDown_claimLeavesTheLineLater() {
        CompletableFuture<Lease> future = queued(lock());
        backend.nextRelease(ScriptedBackend.down());
        backend.nextRelease(ScriptedBackend.down());

        future.cancel(false);
        runtime.advance(seconds(2));

        assertThat(backend.releasesOf(backend.claim(0))).isEqualTo(3);
        assertThat(engine.leftovers()).isZero();
    }

    /** As after a pause of the process between asking and sending: the store takes the request by when it was sent. */
    @Test
    void tryAcquire_noAnswerLongAfterItWasAsked_releasedAgainAfterTheLastMomentOfTheRequest() {
        backend.nextAttempt(claim -> {
            runtime.advance(backend.requestTimeout().multipliedBy(3));
            throw new IllegalStateException("no answer");
        });

        assertThatThrownBy(() -> lock().tryAcquire()).isInstanceOf(LockStoreException.class);
        runtime.advance(Duration.ZERO);
        assertThat(backend.releases()).hasSize(1);
        assertThat(engine.leftovers())
                .as("until the request cannot take effect any more")
                .isOne();
        runtime.advance(backend.requestTimeout().plusSeconds(1));

        assertThat(backend.releases()).hasSize(2);
        assertThat(engine.leftovers()).isZero();
    }

    /** The same for a renewal: a store that forgot the claim may take it up again. */
    @Test
    void close_renewalFailedLongAfterItWasAsked_releasedAgainAfterTheLastMomentOfTheRequest() {
        Lease lease = lock().acquire();
        backend.nextRenewal(renewals -> {
            runtime.jump(backend.requestTimeout().multipliedBy(3));
            throw new IllegalStateException("no answer");
        });
        runtime.advance(USABLE.dividedBy(3));
        long failedNanos = runtime.nanoTime();

        lease.close();
        runtime.advance(backend.requestTimeout().plusSeconds(1));

        assertThat(lastReleaseNanos() - failedNanos)
                .isGreaterThanOrEqualTo(backend.requestTimeout().toNanos());
        assertThat(engine.leftovers()).isZero();
    }

    /** One try clears what a release alone can clear, and a failed renewal makes it more than that. */
    @Test
    void tryAcquire_releaseAndRenewalWithoutAnswer_releasedAgainAfterTheLastMomentOfTheRenewal() {
        Lease lease = lock().acquire();
        backend.nextRelease(ScriptedBackend.down());
        backend.nextRenewal(renewals -> {
            lease.close();
            throw new IllegalStateException("no answer");
        });
        runtime.worker().stop();
        runtime.advance(USABLE.dividedBy(3));
        long failedNanos = runtime.nanoTime();
        assertThat(backend.releases()).hasSize(1);

        lock().tryAcquire().orElseThrow().close();
        runtime.worker().go();
        runtime.advance(backend.requestTimeout().plusSeconds(1));

        assertThat(lastReleaseNanos() - failedNanos)
                .isGreaterThanOrEqualTo(backend.requestTimeout().toNanos());
        assertThat(engine.leftovers()).isZero();
    }

    /** Of the first claim. */
    private long lastReleaseNanos() {
        return backend.releases().stream()
                .filter(call -> call.claim().id().equals(backend.claim(0).id()))
                .mapToLong(ScriptedBackend.Call.Release::atNanos)
                .reduce((first, second) -> second)
                .orElseThrow();
    }

    @Test
    void clientClose_debtsLeft_triedOneLastTime() {
        Lease lease = lock().acquire();
        backend.releases(ScriptedBackend.down());
        lease.close();
        runtime.run();
        int tries = backend.releases().size();
        backend.releases(claim -> true);

        engine.close();

        assertThat(backend.releases()).hasSize(tries + 1);
        assertThat(engine.leftovers()).isZero();
    }

    @Test
    void clientClose_storeStillDown_closesAllTheSame() {
        Lease lease = lock().acquire();
        storeMayKeepClaims();
        backend.releases(ScriptedBackend.down());
        lease.close();

        assertThatCode(engine::close).doesNotThrowAnyException();

        assertThat(engine.leftovers()).isZero();
        assertThat(backend.closings()).isOne();
    }
}
