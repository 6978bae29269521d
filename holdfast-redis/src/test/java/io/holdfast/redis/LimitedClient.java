package io.holdfast.redis;

import io.holdfast.Lease;
import io.holdfast.LockClient;
import io.holdfast.LockOptions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;

/** A program for {@link ThreadLimitTest}: holds and waits while its user may start no more threads. */
final class LimitedClient {
    private static final Duration LEASE = Duration.ofSeconds(6);
    private static final int LOCKS = 12;

    private LimitedClient() {}

    public static void main(String[] args) throws InterruptedException {
        LockClient locks = RedisLocks.connect(args[0]);
        LockClient other = RedisLocks.connect(args[0]);
        List<Lease> held = new ArrayList<>();
        for (int i = 0; i < LOCKS; i++) {
            held.add(locks.lock("limited-" + i, LockOptions.defaults().lease(LEASE))
                    .acquire());
        }
        takeAllThreads();
        boolean busy = other.lock("limited-1").tryAcquire(Duration.ofSeconds(2)).isEmpty();
        System.out.println("waited: " + busy);
        long untilNanos = System.nanoTime() + 2 * LEASE.toNanos();
        while (System.nanoTime() - untilNanos < 0) {
            LockSupport.parkNanos(100_000_000);
        }
        System.out.println("valid: " + held.stream().filter(Lease::isValid).count());
        Runtime.getRuntime().halt(0); // without threads nothing ends in good order
    }

    private static void takeAllThreads() {
        CountDownLatch never = new CountDownLatch(1);
        try {
            while (true) {
                Thread thread = new Thread(() -> {
                    try {
                        never.await();
                    } catch (InterruptedException ended) {
                        Thread.currentThread().interrupt();
                    }
                });
                thread.setDaemon(true);
                thread.start();
            }
        } catch (OutOfMemoryError limit) {
            System.out.println("no more threads");
        }
    }
}
