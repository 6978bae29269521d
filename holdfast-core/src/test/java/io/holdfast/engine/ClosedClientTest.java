package io.holdfast.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.holdfast.DistributedLock;
import io.holdfast.Lease;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** A client that is closed, and leases of it that were given back in the background. */
class ClosedClientTest extends EngineFixture {

    @Test
    void closedClient_anyUse_throwsIllegalState() throws Exception {
        DistributedLock open = lock();
        engine.close();
        int calls = backend.calls().size();

        List<ThrowingCallable> uses = List.of(
                () -> engine.lock("a"),
                () -> engine.readWriteLock("a"),
                () -> engine.semaphore("a", 1),
                () -> engine.allOf("a", "b"),
                () -> engine.election("a"),
                () -> engine.latch("a", 1),
                open::acquire,
                open::tryAcquire,
                open::acquireInterruptibly,
                open::acquireAsync,
                () -> open.tryAcquire(seconds(1)),
                () -> open.tryAcquireAsync(seconds(1)),
                open::lock,
                open::tryLock,
                open::lockInterruptibly);
        for (ThrowingCallable use : uses) {
            CloseTest.assertClosedFailure(catchThrowable(use));
        }
        assertThat(backend.calls()).hasSize(calls);
    }

    @Test
    void close_leaseIsGivenBackInTheBackgroundAndNoThreadComes_futureFails() {
        storeMayKeepClaims();
        Lease lease = lock().acquire();
        runtime.worker().stopForGood();
        CompletableFuture<Void> closing = lease.closeAsync();

        engine.close();

        assertThat(closing)
                .failsWithin(Duration.ZERO)
                .withThrowableThat()
                .havingCause()
                .isInstanceOf(IllegalStateException.class)
                .withMessageContaining("client was closed before a lease of it was released");
        runtime.worker().go(); // a thread that comes too late gives the lease back all the same
        assertThat(lease.isValid()).isFalse();
    }

    @Test
    void close_leaseWasGivenBackButNobodyWasTold_futureCompletes() {
        Lease lease = lock().acquire();
        runtime.callbacks().stopForGood();
        CompletableFuture<Void> closing = lease.closeAsync();
        runtime.run();
        assertThat(lease.isValid()).isFalse();
        assertThat(closing).as("users' code runs with the callbacks").isNotDone();

        engine.close();

        assertThat(closing).isCompleted();
    }

    @Test
    void closeAsync_afterTheClientWasClosed_completes() {
        Lease lease = lock().acquire();
        engine.close();

        assertThat(lease.closeAsync()).isDone();
    }

    @Test
    void toString_client_namesIt() {
        assertThat(engine).hasToString("LockClient client");
        assertThat(engine.id()).isEqualTo("client");
    }
}
