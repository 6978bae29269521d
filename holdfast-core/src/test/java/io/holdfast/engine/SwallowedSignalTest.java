package io.holdfast.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.DistributedSemaphore;
import io.holdfast.Lease;
import io.holdfast.LockKind;
import io.holdfast.LockOptions;
import io.holdfast.LockStoreException;
import io.holdfast.spi.Resource;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import org.junit.jupiter.api.Test;

/** A thread that parks at a contended mutex uses up the signal that it would have waited for. */
class SwallowedSignalTest extends EngineFixture {

    /** Contended once, when its thread takes the last look before it would wait: something ends the wait meanwhile. */
    private static final class ContendedLock extends ReentrantLock {
        private static final long serialVersionUID = 1L;

        private transient volatile Thread thread;
        private transient volatile Waiting waiting;
        private transient volatile Runnable meanwhile;
        private volatile int waitersThen;

        void contend(Waiting waiting, int waitersThen, Runnable meanwhile) {
            this.waiting = waiting;
            this.waitersThen = waitersThen;
            this.meanwhile = meanwhile;
        }

        @Override
        public void lock() {
            if (Thread.currentThread() == thread && waiting.size() == waitersThen) {
                thread = null;
                meanwhile.run();
                LockSupport.park(); // as a mutex does that another thread has; it looks again when it is woken
            }
            super.lock();
        }
    }

    private final ContendedLock mutex = new ContendedLock();
    private final SharedGate gate =
            new SharedGate(engine.parts.gates, new Resource(LockKind.LOCK, "a", 1), true, null, mutex);

    private Request request() {
        return new Request(LockOptions.defaults(), 1, "test", null, runtime.nanoTime(), Request.FOREVER);
    }

    private EngineLease acquire() throws InterruptedException {
        return Objects.requireNonNull(new ThreadWaiter(engine.parts.acquisitions, gate, request()).await(false));
    }

    private Actor<EngineLease> waitsAtTheMutex() {
        return Actor.does("waiter", () -> {
            mutex.thread = Thread.currentThread();
            return acquire();
        });
    }

    @Test
    void close_waiterIsAtTheMutex_failsIt() throws Exception {
        EngineLease held = acquire();
        mutex.contend(engine.parts.waiting, 1, engine.parts.waiting::abandonAll);

        Throwable failure = waitsAtTheMutex().failure();

        assertThat(failure).isInstanceOf(IllegalStateException.class).hasMessageContaining("closed");
        held.close();
    }

    @Test
    void outage_waiterIsAtTheMutex_failsIt() throws Exception {
        CountDownLatch there = new CountDownLatch(1);
        CountDownLatch failed = new CountDownLatch(1);
        backend.attempts(ScriptedBackend.queued(1, seconds(10)));
        CompletableFuture<EngineLease> first = FutureWaiter.start(engine.parts.acquisitions, gate, request());
        runtime.run();
        mutex.contend(engine.parts.waiting, 2, () -> {
            there.countDown();
            while (failed.getCount() > 0) {
                Thread.onSpinWait(); // everything else would use up the signal here
            }
        });
        Actor<EngineLease> second = waitsAtTheMutex();
        there.await();

        backend.attempts(ScriptedBackend.down());
        runtime.advance(seconds(10));
        assertThat(first).isCompletedExceptionally();
        failed.countDown();

        assertThat(second.failure()).isInstanceOf(LockStoreException.class);
    }

    /** The one who finds that nobody came for what is idle gives it back: its thread parks in the store's client. */
    @Test
    void giveBack_calledMeanwhile_looksAgain() throws Exception {
        DistributedSemaphore permits = engine.semaphore("s", 4);
        Lease old = permits.acquire();
        runtime.jump(millis(40));
        List<Lease> young = List.of(permits.acquire(), permits.acquire());
        backend.attempts(ScriptedBackend.queued(1, seconds(10)));
        CompletableFuture<Lease> sleeper = permits.acquireAsync();
        runtime.run();
        Actor<Lease> awake = Actor.does("awake", permits::acquire).awaitParked();
        runtime.worker().stop();
        old.close(); // the sleeper is called
        runtime.jump(millis(10)); // and it is too late
        backend.nextRelease(claim -> {
            young.forEach(Lease::close); // both are called
            LockSupport.park();
            return true;
        });

        LockSupport.unpark(awake.thread());

        awake.result().close();
        runtime.worker().go();
        sleeper.join().close();
    }
}
