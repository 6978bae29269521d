package io.holdfast.examples;

import io.holdfast.DistributedLock;
import io.holdfast.Lease;
import io.holdfast.LockClient;
import io.holdfast.LockOptions;
import io.holdfast.memory.MemoryLocks;
import io.holdfast.memory.MemoryStore;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongPredicate;

/**
 * A job that is scheduled on every node and must run on one of them. The lock keeps two from running at the same time.
 * It does not keep a node whose clock is a little late from running the same night again, once the first is done: for
 * that, the night that was done is written down.
 */
public final class NightlyReport {
    private NightlyReport() {}

    /** Runs the example. */
    public static void main(String[] args) {
        System.out.println("with a lock only:");
        for (long night = 1; night <= 2; night++) {
            new Night(night).run(each -> true, () -> {});
        }
        System.out.println("with a lock and a record:");
        // A row in the database of the report, in real life. It stands behind a fence there, because the lease may end
        // between
        // its last check and the write: docs/guide/scheduled-jobs.md.
        AtomicLong lastDone = new AtomicLong();
        for (long night = 1; night <= 2; night++) {
            long done = night;
            new Night(night).run(each -> lastDone.get() < each, () -> lastDone.set(done));
        }
    }

    /** Three clocks strike at the same time, and one strikes later. */
    static final class Night {
        private final long night;
        private final MemoryStore store = new MemoryStore();
        private final CountDownLatch turnedAway = new CountDownLatch(2);

        Night(long night) {
            this.night = night;
        }

        void run(LongPredicate isDue, Runnable whenDone) {
            CompletableFuture<?>[] onTime = new CompletableFuture<?>[3];
            for (int node = 0; node < onTime.length; node++) {
                String name = "node " + (node + 1);
                onTime[node] = CompletableFuture.runAsync(() -> tick(name, isDue, whenDone));
            }
            CompletableFuture.allOf(onTime).join();
            tick("late node", isDue, whenDone);
        }

        /** What the scheduler calls on each node. Whoever does not get the lock at once has nothing to do. */
        void tick(String node, LongPredicate isDue, Runnable whenDone) {
            try (LockClient locks =
                    MemoryLocks.connect(store, LockOptions.defaults().label(node))) {
                DistributedLock lock = locks.lock("nightly-report");
                Optional<Lease> mine = lock.tryAcquire();
                if (mine.isEmpty()) {
                    turnedAway.countDown();
                    return;
                }
                try (Lease lease = mine.get()) {
                    if (isDue.test(night)) {
                        report();
                        // At the end: if this node dies or is stopped before, another one does it.
                        lease.ensureValid();
                        whenDone.run();
                    }
                }
            }
        }

        /**
         * Takes long enough for the other nodes to ask. Throws if it did not happen, so that nobody writes down that it
         * did.
         */
        private void report() {
            try {
                turnedAway.await();
                System.out.println("  report of night " + night);
            } catch (InterruptedException stop) {
                Thread.currentThread().interrupt();
                throw new CancellationException("the report of night " + night + " was interrupted");
            }
        }
    }
}
