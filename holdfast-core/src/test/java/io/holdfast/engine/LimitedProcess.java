package io.holdfast.engine;

import io.holdfast.Lease;
import io.holdfast.LockClient;
import io.holdfast.LockOptions;
import io.holdfast.spi.TimeSource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;

/**
 * A program for {@link ProcessLimitTest}: loses locks while its user may start no more threads, and says what it saw.
 */
final class LimitedProcess {
    private static final int LOST = 100;
    private static final int MANY = 5_000;
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private LimitedProcess() {}

    public static void main(String[] args) {
        ScriptedBackend backend = new ScriptedBackend(TimeSource.system());
        LockOptions fixed = LockOptions.defaults().fixedLease(Duration.ofMillis(500));
        AtomicInteger told = new AtomicInteger();
        LockClient locks = LockEngine.start(backend, LockOptions.defaults());
        Lease kept = locks.lock("kept", LockOptions.defaults().lease(Duration.ofSeconds(6)))
                .acquire();
        List<Lease> brief = new ArrayList<>();
        for (int i = 0; i < LOST; i++) {
            brief.add(locks.lock("brief-" + i, fixed).acquire());
            brief.get(i).onLost(reason -> told.incrementAndGet());
        }
        CountDownLatch end = new CountDownLatch(1);
        System.out.println("no more threads after " + takeAllThreads(end) + " of " + MANY);

        await("every brief lease is over", () -> brief.stream().noneMatch(Lease::isValid));
        await("the kept lease is renewed", () -> !backend.renewals().isEmpty());
        end.countDown();
        await("every loss is told", () -> told.get() == LOST);
        Lease after = locks.lock("after", fixed).acquire();
        after.onLost(reason -> told.incrementAndGet());
        await("a later loss is told", () -> told.get() == LOST + 1);
        System.out.println("kept is " + (kept.isValid() ? "valid" : "lost"));
        locks.close();
        System.out.println("done");
    }

    /** Starts threads until no more can be started. */
    private static int takeAllThreads(CountDownLatch end) {
        for (int i = 0; i < MANY; i++) {
            try {
                Thread thread = new Thread(() -> {
                    try {
                        end.await();
                    } catch (InterruptedException ended) {
                        Thread.currentThread().interrupt();
                    }
                });
                thread.setDaemon(true);
                thread.start();
            } catch (OutOfMemoryError limit) {
                return i;
            }
        }
        return MANY;
    }

    private static void await(String what, BooleanSupplier seen) {
        long startNanos = System.nanoTime();
        while (!seen.getAsBoolean()) {
            if (System.nanoTime() - startNanos > PATIENCE.toNanos()) {
                System.out.println("never: " + what);
                System.exit(1);
            }
            java.util.concurrent.locks.LockSupport.parkNanos(10_000_000);
        }
        System.out.println("seen: " + what);
    }
}
