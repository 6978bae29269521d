package io.holdfast.engine;

import io.holdfast.Acquirable;
import io.holdfast.Lease;
import io.holdfast.LockKind;
import io.holdfast.LockOptions;
import io.holdfast.spi.Resource;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Validate;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Gates whose threads share what the client holds, under every interleaving, on a store that keeps apart: never a
 * writer beside somebody else, never more permits than there are, no hand-over lost, nothing left.
 */
@Tag("integration")
class SharedGateLincheckTest {

    /** One client and what is out of its gates. */
    public abstract static class Crowd {
        final LineBackend.Store store = new LineBackend.Store();
        final InlineRuntime runtime = new InlineRuntime();
        final LineBackend backend = new LineBackend(store, runtime::nanoTime);
        final EngineParts parts = new EngineParts("client", backend, runtime);
        private final ConcurrentLinkedQueue<Runnable> closings = new ConcurrentLinkedQueue<>();
        private final ConcurrentLinkedQueue<CompletableFuture<Lease>> futures = new ConcurrentLinkedQueue<>();
        private final AtomicInteger leases = new AtomicInteger();
        private final AtomicInteger weights = new AtomicInteger();
        private final int capacity;
        private volatile boolean tooMany;

        Crowd(int capacity) {
            this.capacity = capacity;
            backend.start("client", parts.announcements);
        }

        final void acquire(Acquirable<Lease> what, int weight) {
            CompletableFuture<Lease> future = what.acquireAsync();
            futures.add(future);
            future.thenAccept(lease -> {
                leases.incrementAndGet();
                if (weights.addAndGet(weight) > capacity) {
                    tooMany = true;
                }
                closings.add(() -> {
                    weights.addAndGet(-weight);
                    leases.decrementAndGet();
                    lease.close();
                });
            });
        }

        @Operation
        public final void close() {
            Runnable closing = closings.poll();
            if (closing != null) {
                closing.run();
            }
        }

        @Operation
        public final void cancel() {
            CompletableFuture<Lease> future = futures.poll();
            if (future != null) {
                future.cancel(false);
            }
        }

        @Validate
        public final void check() {
            int waiting = 0;
            for (CompletableFuture<Lease> future : futures) {
                waiting += future.isDone() ? 0 : 1;
            }
            boolean lost = waiting > 0 && leases.get() == 0;
            boolean leaked = waiting == 0 && leases.get() == 0 && (store.used() != 0 || parts.leftovers() != 0);
            if (tooMany || lost || leaked) {
                throw new IllegalStateException("leases " + leases + ", weights " + weights + ", waiting " + waiting
                        + ", granted " + store.used() + ", left over " + parts.leftovers());
            }
        }
    }

    public static class ReadersAndWriters extends Crowd {
        private final EngineReadWriteLock lock = new EngineReadWriteLock(
                parts.acquisitions,
                new LocalLock(parts.gates, new Resource(LockKind.READ_WRITE, "a", 4)),
                LockOptions.defaults());

        public ReadersAndWriters() {
            super(4);
        }

        @Operation
        public void read() {
            acquire(lock.readLock(), 1);
        }

        @Operation
        public void write() {
            acquire(lock.writeLock(), 4);
        }
    }

    public static class Permits extends Crowd {
        private final EngineSemaphore semaphore = new EngineSemaphore(
                parts.acquisitions,
                new LocalLock(parts.gates, new Resource(LockKind.SEMAPHORE, "a", 2)),
                LockOptions.defaults());

        public Permits() {
            super(2);
        }

        @Operation
        public void one() {
            acquire(semaphore, 1);
        }
    }

    private static ModelCheckingOptions options() {
        return Lincheck.options()
                .iterations(4)
                .invocationsPerIteration(50)
                .threads(2)
                .actorsPerThread(2)
                .actorsBefore(3)
                .actorsAfter(0);
    }

    @Test
    @Tag("full")
    void readWriteCloseCancel_everyInterleaving_writersAreAlone() {
        options().check(ReadersAndWriters.class);
    }

    @Test
    @Tag("full")
    void permitCloseCancel_everyInterleaving_neverMoreThanThereAre() {
        options().check(Permits.class);
    }
}
