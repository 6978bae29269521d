package io.holdfast.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.Lease;
import io.holdfast.LockEvent;
import io.holdfast.LockListener;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;

/** Waiters that leave: what becomes of the claim, and of a grant that comes just then. */
class HandOverTest extends EngineFixture {

    private void assertSameClaimStays() {
        assertThat(backend.releases()).isEmpty();
        assertThat(backend.attempts()).allMatch(call -> call.claim().equals(backend.claim(0)));
    }

    // ---- the first leaves

    @Test
    void cancel_firstOfTheLine_nextGoesOnWithTheSameClaim() {
        CompletableFuture<Lease> first = queued(lock());
        CompletableFuture<Lease> second = queued(lock());

        first.cancel(false);
        runtime.run();
        assertSameClaimStays();
        push(backend.claim(0), seconds(3));

        assertThat(lease(second).token()).isOne();
        assertSameClaimStays();
    }

    @Test
    void cancel_firstOfTheLine_nextGoesOnPolling() {
        CompletableFuture<Lease> first = queued(lock());
        CompletableFuture<Lease> second = queued(lock());
        runtime.advance(millis(500));

        first.cancel(false);
        backend.attempts(this::grant);
        runtime.advance(millis(500));

        assertThat(lease(second).isValid()).isTrue();
        assertSameClaimStays();
    }

    @Test
    void timeout_firstOfTheLine_nextGoesOnWithTheSameClaim() {
        backend.attempts(ScriptedBackend.queued(1, seconds(10)));
        CompletableFuture<Optional<Lease>> first = lock().tryAcquireAsync(seconds(2));
        CompletableFuture<Lease> second = lock().acquireAsync();

        runtime.advance(seconds(2));
        assertThat(first.join()).isEmpty();
        assertSameClaimStays();
        push(backend.claim(0), seconds(3));

        assertThat(lease(second).token()).isOne();
        assertSameClaimStays();
    }

    @Test
    void interrupt_firstOfTheLine_nextGoesOnWithTheSameClaim() throws Exception {
        backend.attempts(ScriptedBackend.queued(1, seconds(10)));
        Actor<Lease> first = Actor.does("first", () -> lock().acquireInterruptibly());
        first.awaitParked();
        Actor<Lease> second = Actor.does("second", () -> lock().acquireInterruptibly());
        second.awaitParked();

        first.interrupt();
        assertThat(first.failure()).isInstanceOf(InterruptedException.class);
        assertSameClaimStays();
        backend.push(backend.claim(0), 1, seconds(3), runtime.nanoTime());

        assertThat(second.result().token()).isOne();
        assertSameClaimStays();
    }

    @Test
    void cancel_someoneInTheMiddle_theOthersKeepTheirOrder() {
        Lease held = lock().acquire();
        CompletableFuture<Lease> first = waiting(lock());
        CompletableFuture<Lease> second = waiting(lock());
        CompletableFuture<Lease> third = waiting(lock());

        second.cancel(false);
        runtime.run();
        held.close();
        runtime.run();
        assertThat(third).isNotDone();
        lease(first).close();
        runtime.run();

        assertThat(lease(third).token()).isEqualTo(3);
        assertThat(backend.attempts()).hasSize(1);
    }

    @Test
    void tryAcquire_leavesAClaimWithoutAPlace_nextMakesOneThatWaits() {
        CompletableFuture<CompletableFuture<Lease>> second = new CompletableFuture<>();
        backend.nextAttempt(claim -> {
            second.complete(lock().acquireAsync());
            return ScriptedBackend.busy().apply(claim);
        });

        assertThat(lock().tryAcquire()).isEmpty();
        runtime.run();

        assertThat(lease(second.join()).isValid()).isTrue();
        assertThat(backend.claim(0).waits()).isFalse();
        assertThat(backend.claim(1).waits()).isTrue();
        assertThat(backend.claim(1).id()).isNotEqualTo(backend.claim(0).id());
        assertThat(backend.releases()).isEmpty();
    }

    // ---- the last leaves

    @Test
    void cancel_lastOfTheLine_claimIsReleased() {
        CompletableFuture<Lease> first = queued(lock());
        CompletableFuture<Lease> second = queued(lock());

        first.cancel(false);
        second.cancel(false);
        runtime.run();

        assertThat(backend.releasesOf(backend.claim(0))).isOne();
        assertThat(engine.leftovers()).isZero();
        runtime.advance(seconds(60));
        assertThat(backend.attempts()).hasSize(1);
    }

    @Test
    void cancel_behindAHolderHere_nothingToRelease() {
        Lease held = lock().acquire();
        CompletableFuture<Lease> waits = waiting(lock());

        waits.cancel(false);
        runtime.run();

        assertThat(backend.calls()).hasSize(1);
        held.close();
        assertThat(backend.releases()).hasSize(1);
    }

    @Test
    void orTimeout_onTheFuture_leavesTheLine() {
        CompletableFuture<Lease> future = queued(lock());

        future.completeExceptionally(new TimeoutException("orTimeout"));
        runtime.run();

        assertThat(backend.releasesOf(backend.claim(0))).isOne();
        assertThat(engine.leftovers()).isZero();
    }

    @Test
    void cancel_fifo_everyWaiterReleasesItsOwn() {
        CompletableFuture<Lease> first = queued(engine.lock("a", FIFO));
        CompletableFuture<Lease> second = queued(engine.lock("a", FIFO));

        first.cancel(false);
        runtime.run();
        assertThat(backend.releasesOf(backend.claim(0))).isOne();
        push(backend.claim(1), seconds(3));

        assertThat(second).isCompleted();
        assertThat(backend.releasesOf(backend.claim(1))).isZero();
    }

    // ---- a grant in the same moment

    @Test
    void cancel_afterTheMessageAndBeforeItIsSeen_grantGoesToTheNext() {
        CompletableFuture<Lease> first = queued(lock());
        CompletableFuture<Lease> second = queued(lock());

        backend.push(backend.claim(0), 1, seconds(3), runtime.nanoTime());
        first.cancel(false);
        runtime.run();

        assertThat(lease(second).token()).isOne();
        assertSameClaimStays();
    }

    @Test
    void cancel_afterTheMessageAndBeforeItIsSeen_nobodyElse_grantGoesBack() {
        CompletableFuture<Lease> first = queued(lock());

        backend.push(backend.claim(0), 1, seconds(3), runtime.nanoTime());
        first.cancel(false);
        runtime.run();

        assertThat(backend.releasesOf(backend.claim(0))).isOne();
        assertThat(events(LockEvent.Acquired.class)).isEmpty();
        assertThat(engine.leftovers()).isZero();
    }

    @Test
    void cancel_whileTheStoreGrants_grantGoesToTheNext() {
        CompletableFuture<Lease> first = lock().acquireAsync();
        CompletableFuture<Lease> second = lock().acquireAsync();
        backend.nextAttempt(claim -> {
            first.cancel(false);
            return grant(claim);
        });

        runtime.run();

        assertThat(lease(second).token()).isOne();
        assertThat(backend.attempts()).hasSize(1);
        assertThat(backend.releases()).isEmpty();
    }

    @Test
    void cancel_whileTheStoreGrants_nobodyElse_grantGoesBack() {
        CompletableFuture<Lease> first = lock().acquireAsync();
        backend.nextAttempt(claim -> {
            first.cancel(false);
            return grant(claim);
        });

        runtime.run();

        assertThat(backend.releasesOf(backend.claim(0))).isOne();
        assertThat(engine.leftovers()).isZero();
    }

    @Test
    void cancel_leaseIsMadeButNotDelivered_passedOn() {
        CompletableFuture<Lease> first = lock().acquireAsync();
        CompletableFuture<Lease> second = lock().acquireAsync();
        runtime.callbacks().stop();
        runtime.run();

        first.cancel(false);
        runtime.callbacks().go();

        assertThat(lease(second).token()).isEqualTo(2);
        assertThat(backend.attempts()).hasSize(1);
    }

    @Test
    void cancel_leaseIsMadeButNotDelivered_nobodyElse_grantGoesBack() {
        CompletableFuture<Lease> first = lock().acquireAsync();
        runtime.callbacks().stop();
        runtime.run();

        first.cancel(false);
        runtime.callbacks().go();

        assertThat(backend.releases()).hasSize(1);
        assertThat(events(LockEvent.Released.class)).hasSize(1);
        assertThat(engine.leftovers()).isZero();
    }

    @Test
    void cancel_whileTheLockIsPassedOnHere_nextInTheLineGetsIt() {
        Lease held = lock().acquire();
        CompletableFuture<Lease> first = waiting(lock());
        CompletableFuture<Lease> second = waiting(lock());

        held.close();
        first.cancel(false);
        runtime.run();

        assertThat(lease(second).token()).isEqualTo(2);
        assertThat(backend.calls()).hasSize(1);
    }

    @Test
    void cancel_whileTheLockIsPassedOnHere_nobodyElse_grantGoesBack() {
        Lease held = lock().acquire();
        CompletableFuture<Lease> first = waiting(lock());

        held.close();
        first.cancel(false);
        runtime.run();

        assertThat(backend.releases()).hasSize(1);
        assertThat(engine.leftovers()).isZero();
    }

    @Test
    void timeout_whileTheStoreGrants_leaseIsHandedOutOrGivenBack() throws Exception {
        CompletableFuture<Optional<Lease>> future = lock().tryAcquireAsync(seconds(1));
        backend.nextAttempt(claim -> {
            runtime.jump(seconds(2));
            return grant(claim);
        });

        runtime.run();

        Optional<Lease> lease = future.get(1, TimeUnit.SECONDS);
        assertThat(lease.isPresent()).isNotEqualTo(backend.releases().size() == 1);
    }

    @Test
    void acquireAsync_servedBeforeTheCallReturns_nothingIsLeft() {
        Lease held = lock().acquire();
        LockListener meanwhile = event -> {
            if (event instanceof LockEvent.Contended) {
                held.close();
                runtime.run();
            }
        };
        engine.addListener(meanwhile);

        CompletableFuture<Lease> future = lock().acquireAsync();
        runtime.run();
        lease(future).close();

        assertThat(engine.leftovers()).isZero();
    }

    @Test
    void complete_byItsUser_leaseThatComesIsGivenBack() {
        CompletableFuture<Lease> future = lock().acquireAsync();
        runtime.callbacks().stop();
        runtime.run();

        future.completeExceptionally(new IllegalArgumentException("changed my mind"));
        runtime.callbacks().go();

        assertThat(backend.releases()).hasSize(1);
        assertThatThrownBy(future::join)
                .isInstanceOf(CompletionException.class)
                .hasCauseInstanceOf(IllegalArgumentException.class);
    }
}
