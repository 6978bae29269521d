package io.holdfast.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.LockKind;
import io.holdfast.LockOptions;
import io.holdfast.spi.Resource;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.ReentrantLock;
import org.junit.jupiter.api.Test;

/** What an acquisition costs that nobody is in the way of. */
class UncontendedTest extends EngineFixture {
    private static final class CountingLock extends ReentrantLock {
        private static final long serialVersionUID = 1L;

        private int taken;

        @Override
        public void lock() {
            taken++;
            super.lock();
        }
    }

    private final CountingLock mutex = new CountingLock();
    private final SharedGate gate =
            new SharedGate(engine.parts.gates, new Resource(LockKind.LOCK, "a", 1), true, null, mutex);

    private Request request(long waitNanos) {
        return new Request(LockOptions.defaults(), 1, "test", null, runtime.nanoTime(), waitNanos);
    }

    private EngineLease acquire(long waitNanos) throws InterruptedException {
        return Objects.requireNonNull(
                new ThreadWaiter(engine.parts.acquisitions, gate, request(waitNanos)).await(false));
    }

    @Test
    void acquire_nobodyInTheWay_takesTheMutexTwice() throws InterruptedException {
        EngineLease lease = acquire(Request.FOREVER);

        assertThat(mutex.taken).isEqualTo(2);
        lease.close();
    }

    @Test
    void tryAcquire_nobodyInTheWay_takesTheMutexTwice() throws InterruptedException {
        EngineLease lease = acquire(0);

        assertThat(mutex.taken).isEqualTo(2);
        lease.close();
    }

    @Test
    void acquireAsync_nobodyInTheWay_takesTheMutexTwice() {
        CompletableFuture<EngineLease> future =
                FutureWaiter.start(engine.parts.acquisitions, gate, request(Request.FOREVER));
        runtime.run();

        assertThat(mutex.taken).isEqualTo(2);
        future.join().close();
    }

    /** To see who comes next, and to free the gate once the store has answered. */
    @Test
    void close_nobodyWaits_takesTheMutexTwice() throws InterruptedException {
        EngineLease lease = acquire(Request.FOREVER);
        mutex.taken = 0;

        lease.close();

        assertThat(mutex.taken).isEqualTo(2);
    }
}
