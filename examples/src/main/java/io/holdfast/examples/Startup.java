package io.holdfast.examples;

import io.holdfast.DistributedLatch;
import io.holdfast.LockClient;
import io.holdfast.memory.MemoryLocks;
import java.util.concurrent.CompletableFuture;

/** A latch: open the shop when three services are ready, wherever they run. */
public final class Startup {
    private Startup() {}

    /** Runs the example. */
    public static void main(String[] args) throws InterruptedException {
        try (LockClient locks = MemoryLocks.create()) {
            DistributedLatch ready = locks.latch("ready", 3);
            CompletableFuture<Void> opened = ready.awaitAsync();
            for (String service : new String[] {"stock", "prices", "payment"}) {
                ready.countDown();
                System.out.println(service + " is ready, missing: " + ready.count());
            }
            ready.await();
            opened.join();
            System.out.println("the shop is open");
        }
    }
}
