package io.holdfast.examples;

import io.holdfast.DistributedLock;
import io.holdfast.Lease;
import io.holdfast.LockClient;
import io.holdfast.memory.MemoryLocks;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * The ways to take one lock: as a {@link java.util.concurrent.locks.Lock}, with a bounded wait, and without a thread.
 */
public final class OrderDesk {
    private OrderDesk() {}

    /** Runs the example. */
    public static void main(String[] args) throws InterruptedException {
        try (LockClient locks = MemoryLocks.create()) {
            DistributedLock order = locks.lock("order:42");
            pack(order);
            giveUp(order);
            queue(order);
        }
    }

    /** In this style the lock belongs to the thread, which may take it again and must unlock it as often. */
    private static void pack(DistributedLock order) {
        order.lock();
        try {
            System.out.println("packing with token " + order.lease().token());
        } finally {
            order.unlock();
        }
    }

    /**
     * A lease belongs to its holder, so the second one is refused even here. An empty answer means that somebody has
     * it.
     */
    private static void giveUp(DistributedLock order) throws InterruptedException {
        try (Lease first = order.acquire()) {
            Optional<Lease> second = order.tryAcquire(Duration.ofMillis(20));
            System.out.println("second lease after 20 ms: " + (second.isEmpty() ? "not available" : "acquired"));
        }
    }

    private static void queue(DistributedLock order) {
        CompletableFuture<Lease> next;
        try (Lease first = order.acquire()) {
            next = order.acquireAsync();
            System.out.println("waiting without a thread: " + !next.isDone());
        }
        try (Lease lease = next.join()) {
            System.out.println("then acquired: " + lease.isValid());
        }
    }
}
