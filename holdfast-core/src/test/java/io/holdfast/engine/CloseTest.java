package io.holdfast.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;

import io.holdfast.Lease;
import io.holdfast.LockEvent;
import io.holdfast.LockOptions;
import io.holdfast.spi.AttemptResult;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.Test;

/** Closing a client, at every moment. */
class CloseTest extends EngineFixture {

    static void assertClosedFailure(Throwable failure) {
        assertThat(failure)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("client")
                .hasMessageContaining("closed");
        assertThat(failure.getMessage()).contains("lock client client is closed");
    }

    private static void assertClosedFailure(CompletableFuture<?> future) {
        assertThat(future).isDone();
        Throwable thrown = catchThrowable(future::join);
        assertThat(thrown).isInstanceOf(CompletionException.class);
        assertClosedFailure(thrown.getCause());
    }

    /** Everything that the store had to hear came before it was closed. */
    private void assertClosedLast() {
        List<ScriptedBackend.Call> calls = backend.calls();
        assertThat(calls.get(calls.size() - 1)).isInstanceOf(ScriptedBackend.Call.Close.class);
    }

    // ---- what is held

    @Test
    void close_heldLeases_released() {
        Lease a = lock().acquire();
        Lease b = engine.lock("b", FIFO).acquire();
        Lease c = engine.semaphore("c", 3).acquire(2);
        engine.lock("d").lock();

        engine.close();

        assertThat(List.of(a, b, c)).noneMatch(Lease::isValid);
        assertThat(backend.releases()).hasSize(4);
        assertThat(events(LockEvent.Released.class)).hasSize(4);
        assertThat(events(LockEvent.Lost.class)).isEmpty();
        assertClosedLast();
        assertThat(engine.leftovers()).isZero();
    }

    @Test
    void close_nothingHeld_closesBackendAndRuntimeOnce() {
        engine.close();
        engine.close();

        assertThat(backend.closings()).isOne();
        assertThat(runtime.closings()).isOne();
        assertThat(backend.calls()).hasSize(1);
    }

    @Test
    void close_leaseWasGivenUp_closedLeaseSaysClosed() {
        Lease lease = lock().acquire();

        engine.close();

        assertThatThrownBy(lease::ensureValid).isInstanceOf(IllegalStateException.class);
        assertThatCode(lease::close).doesNotThrowAnyException();
        assertThat(backend.releases()).hasSize(1);
    }

    @Test
    void close_leaseIsBeingLookedAtByTheWatchdog_releasedAllTheSame() {
        Lease lease = lock().acquire();
        runtime.jump(USABLE.dividedBy(3));
        runtime.onNanoTime(() -> {
            boolean outOfSight = engine.leftovers() == 0;
            if (outOfSight) {
                engine.close();
            }
        });

        runtime.advance(millis(1));
        engine.close();

        assertThat(lease.isValid()).isFalse();
        assertThat(backend.releasesOf(backend.claim(0))).isPositive();
    }

    // ---- who waits

    @Test
    void close_waitingFutures_failAndLeaveTheLine() {
        CompletableFuture<Lease> first = queued(lock());
        CompletableFuture<Lease> second = queued(lock());
        CompletableFuture<Lease> fifo = queued(engine.lock("b", FIFO));
        CompletableFuture<Optional<Lease>> bounded = engine.lock("c").tryAcquireAsync(seconds(100));
        runtime.run();

        engine.close();

        assertClosedFailure(first);
        assertClosedFailure(second);
        assertClosedFailure(fifo);
        assertClosedFailure(bounded);
        assertThat(backend.releases()).hasSize(3);
        assertClosedLast();
    }

    @Test
    void close_futureNotEvenStarted_fails() {
        CompletableFuture<Lease> future = lock().acquireAsync();

        engine.close();

        assertClosedFailure(future);
        assertClosedLast();
    }

    @Test
    void close_leaseMadeButNotDelivered_futureFailsAndLeaseIsGivenBack() {
        runtime.callbacks().stop();
        CompletableFuture<Lease> future = waiting(lock());

        engine.close();

        assertThat(future).isDone();
        if (!future.isCompletedExceptionally()) {
            assertThat(future.join().isValid()).isFalse();
        }
        assertThat(backend.releases()).hasSize(1);
        assertThat(backend.attempts()).hasSize(1);
        assertClosedLast();
    }

    @Test
    void close_waitingThreads_failAndLeaveTheLine() throws Exception {
        Lease held = engine.lock("held").acquire();
        backend.attempts(ScriptedBackend.queued(1, seconds(10)));
        Actor<Lease> inTheStoresLine = Actor.does("store", () -> lock().acquire());
        Actor<Boolean> bounded = Actor.does("bounded", () -> engine.lock("b").tryLock(Duration.ofHours(1), seconds(1)));
        Actor<Lease> here = Actor.does("here", () -> engine.lock("held").acquireInterruptibly());
        inTheStoresLine.awaitParked();
        bounded.awaitParked();
        here.awaitParked();

        engine.close();

        assertClosedFailure(inTheStoresLine.failure());
        assertClosedFailure(bounded.failure());
        assertClosedFailure(here.failure());
        assertThat(held.isValid()).isFalse();
        assertThat(backend.releases()).hasSize(3);
        assertClosedLast();
    }

    @Test
    void close_lockIsPassedOnJustThen_releasedOnce() {
        Lease held = lock().acquire();
        CompletableFuture<Lease> next = waiting(lock());
        held.close();

        engine.close();

        assertClosedFailure(next);
        assertThat(backend.releases()).hasSize(1);
        assertClosedLast();
    }

    // ---- calls under way

    @Test
    void close_duringAnAttemptThatIsGranted_throwsAndGivesBackBeforeTheStoreIsClosed() throws Exception {
        CompletableFuture<Void> asking = new CompletableFuture<>();
        CompletableFuture<Void> answer = new CompletableFuture<>();
        backend.nextAttempt(claim -> {
            asking.complete(null);
            answer.join();
            return grant(claim);
        });
        Actor<Lease> caller = Actor.does("caller", () -> lock().acquire());
        asking.join();

        Actor<Boolean> closer = Actor.does("closer", () -> {
            engine.close();
            return true;
        });
        await().until(this::isClosed);
        answer.complete(null);

        assertClosedFailure(caller.failure());
        assertThat(closer.result()).isTrue();
        assertThat(backend.releasesOf(backend.claim(0))).isOne();
        assertClosedLast();
    }

    @Test
    void close_duringAnAttemptThatIsQueued_throwsAndLeavesTheLineBeforeTheStoreIsClosed() throws Exception {
        CompletableFuture<Void> asking = new CompletableFuture<>();
        CompletableFuture<Void> answer = new CompletableFuture<>();
        backend.nextAttempt(claim -> {
            asking.complete(null);
            answer.join();
            return new AttemptResult.Queued(1, seconds(10), true);
        });
        Actor<Lease> caller = Actor.does("caller", () -> lock().acquire());
        asking.join();

        Actor<Boolean> closer = Actor.does("closer", () -> {
            engine.close();
            return true;
        });
        await().until(this::isClosed);
        answer.complete(null);

        assertClosedFailure(caller.failure());
        assertThat(closer.result()).isTrue();
        assertThat(backend.releasesOf(backend.claim(0))).isOne();
        assertClosedLast();
    }

    /** One call to the store that hangs must not cost everybody else's locks. */
    @Test
    void close_anotherCallHangs_heldLeasesAreGivenBackAllTheSame() throws Exception {
        Lease held = engine.lock("held").acquire();
        CompletableFuture<Void> asking = new CompletableFuture<>();
        CompletableFuture<Void> answer = new CompletableFuture<>();
        backend.nextAttempt(claim -> {
            asking.complete(null);
            answer.join();
            return ScriptedBackend.busy().apply(claim);
        });
        Actor<Optional<Lease>> caller = Actor.does("caller", () -> lock().tryAcquire());
        asking.join();

        engine.close();
        List<ScriptedBackend.Call> calls = backend.calls();
        answer.complete(null);

        assertThat(caller.failure()).isInstanceOf(IllegalStateException.class);
        assertThat(held.isValid()).isFalse();
        assertThat(calls.stream()
                        .takeWhile(call -> !(call instanceof ScriptedBackend.Call.Close))
                        .filter(ScriptedBackend.Call.Release.class::isInstance))
                .as("releases before the store was closed: %s", calls)
                .hasSize(1);
    }

    private boolean isClosed() {
        try {
            lock();
            return false;
        } catch (IllegalStateException closed) {
            return true;
        }
    }

    @Test
    void close_renewalWaitsForItsThread_noRenewalAfterwards() {
        Lease lease = lock().acquire();
        runtime.renewals().stop();
        runtime.advance(USABLE.dividedBy(3));

        engine.close();

        assertThat(lease.isValid()).isFalse();
        assertThat(backend.renewals()).isEmpty();
        assertThat(backend.releases()).hasSize(1);
    }

    @Test
    void close_renewalInFlight_lateSuccessLeavesNothing() {
        Lease lease = lock().acquire();
        backend.nextRenewal(renewals -> {
            engine.close();
            return ScriptedBackend.renewAll(renewals);
        });

        runtime.advance(USABLE.dividedBy(3));

        assertThat(lease.isValid()).isFalse();
        assertThat(backend.releasesOf(backend.claim(0))).isPositive();
        assertThat(engine.leftovers()).isZero();
    }

    // ---- trouble while closing

    @Test
    void close_storeDown_restIsClosedAllTheSame() {
        storeMayKeepClaims();
        lock().acquire();
        CompletableFuture<Lease> waits = queued(engine.lock("b"));
        backend.releases(ScriptedBackend.down());

        assertThatCode(engine::close).doesNotThrowAnyException();

        assertClosedFailure(waits);
        assertThat(engine.leftovers()).isZero();
    }

    @Test
    void close_backendThrows_runtimeIsClosedAndTheFailureTold() {
        backend.onClose(() -> {
            throw new IllegalArgumentException("no");
        });

        assertThatThrownBy(engine::close).isInstanceOf(IllegalArgumentException.class);

        assertThat(runtime.closings()).isOne();
    }

    @Test
    void start_backendThrows_backendAndRuntimeAreClosed() {
        TestRuntime other = new TestRuntime();
        ScriptedBackend broken = new ScriptedBackend(other).onStart(() -> {
            throw new IllegalArgumentException("eviction is on");
        });
        broken.onClose(() -> {
            throw new IllegalStateException("not open");
        });

        assertThatThrownBy(() -> LockEngine.start(broken, LockOptions.defaults(), other))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("eviction is on")
                .satisfies(failure -> assertThat(failure.getSuppressed()).hasSize(1));
        assertThat(broken.closings()).isOne();
        assertThat(other.closings()).isOne();
    }
}
