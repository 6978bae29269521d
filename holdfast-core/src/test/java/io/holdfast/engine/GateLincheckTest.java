package io.holdfast.engine;

import io.holdfast.Lease;
import io.holdfast.LockKind;
import io.holdfast.LockOptions;
import io.holdfast.spi.Resource;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.jetbrains.lincheck.datastructures.ThreadIdGen;
import org.jetbrains.lincheck.datastructures.Validate;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The local gate under every interleaving, on a store that grants everything: at most one lease is out, and no
 * hand-over is lost.
 */
@Tag("integration")
class GateLincheckTest {

    private static EngineLock lock(EngineParts parts) {
        LocalLock local = new LocalLock(parts.gates, new Resource(LockKind.LOCK, "a", 1));
        return EngineLock.mutex(parts.acquisitions, local, LockOptions.defaults());
    }

    /** Tries and releases, each thread its own, compared with a plain field. */
    @Param(name = "thread", gen = ThreadIdGen.class)
    public static class Tries {
        private final GrantingBackend backend = new GrantingBackend();
        private final EngineParts parts = new EngineParts("client", backend, new InlineRuntime());
        private final EngineLock lock = lock(parts);
        private final AtomicReferenceArray<Lease> held = new AtomicReferenceArray<>(8);

        @Operation(params = "thread")
        public boolean tryAcquire(int thread) {
            Lease lease = lock.tryAcquire().orElse(null);
            if (lease != null) {
                held.set(thread, lease);
            }
            return lease != null;
        }

        @Operation(params = "thread")
        public boolean close(int thread) {
            Lease lease = held.getAndSet(thread, null);
            if (lease != null) {
                lease.close();
            }
            return lease != null;
        }

        @Validate
        public void check() {
            int leases = 0;
            for (int i = 0; i < held.length(); i++) {
                leases += held.get(i) == null ? 0 : 1;
            }
            if (backend.grantedTwice() || backend.granted() != leases) {
                throw new IllegalStateException("granted " + backend.granted() + ", held " + leases);
            }
        }
    }

    /** What {@link Tries} should look like. */
    public static class Owner {
        private int owner = -1;

        public boolean tryAcquire(int thread) {
            boolean free = owner == -1;
            if (free) {
                owner = thread;
            }
            return free;
        }

        public boolean close(int thread) {
            boolean own = owner == thread;
            if (own) {
                owner = -1;
            }
            return own;
        }
    }

    /** Waits, releases and cancels. */
    public static class HandOvers {
        private final GrantingBackend backend = new GrantingBackend();
        private final EngineParts parts = new EngineParts("client", backend, new InlineRuntime());
        private final EngineLock lock = lock(parts);
        private final ConcurrentLinkedQueue<Lease> held = new ConcurrentLinkedQueue<>();
        private final ConcurrentLinkedQueue<CompletableFuture<Lease>> futures = new ConcurrentLinkedQueue<>();
        private final AtomicInteger out = new AtomicInteger();
        private volatile boolean twoOut;

        @Operation
        public void acquireAsync() {
            CompletableFuture<Lease> future = lock.acquireAsync();
            futures.add(future);
            future.thenAccept(lease -> {
                if (out.incrementAndGet() > 1) {
                    twoOut = true;
                }
                held.add(lease);
            });
        }

        @Operation
        public void close() {
            Lease lease = held.poll();
            if (lease != null) {
                out.decrementAndGet();
                lease.close();
            }
        }

        @Operation
        public void cancel() {
            CompletableFuture<Lease> future = futures.poll();
            if (future != null) {
                future.cancel(false);
            }
        }

        /** So that {@link #cancel} finds one that waits. */
        void forgetFirst() {
            futures.poll();
        }

        @Validate
        public void check() {
            int waiting = 0;
            for (CompletableFuture<Lease> future : futures) {
                waiting += future.isDone() ? 0 : 1;
            }
            int leases = held.size();
            boolean lost = waiting > 0 && leases == 0;
            boolean leaked = backend.granted() != leases || parts.leftovers() != leases + waiting;
            if (twoOut || leases > 1 || lost || leaked) {
                throw new IllegalStateException("leases " + leases + ", waiting " + waiting + ", granted "
                        + backend.granted() + ", left over " + parts.leftovers());
            }
        }
    }

    @Test
    void tryAcquireAndClose_everyInterleaving_likeAPlainField() {
        Lincheck.options()
                .iterations(4)
                .invocationsPerIteration(80)
                .threads(2)
                .actorsPerThread(3)
                .actorsBefore(0)
                .actorsAfter(0)
                .sequentialSpecification(Owner.class)
                .check(Tries.class);
    }

    @Test
    @Tag("full")
    void waitCloseCancel_everyInterleaving_noHandOverIsLost() {
        Lincheck.options()
                .iterations(5)
                .invocationsPerIteration(100)
                .threads(2)
                .actorsPerThread(2)
                .actorsBefore(2)
                .actorsAfter(0)
                .check(HandOvers.class);
    }
}
