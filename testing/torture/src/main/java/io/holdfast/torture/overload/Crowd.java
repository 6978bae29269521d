package io.holdfast.torture.overload;

import io.holdfast.DistributedLock;
import io.holdfast.Lease;
import io.holdfast.LockClient;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/** Callers that take and give back a lock, again and again. */
final class Crowd {
    private static final long STACK = 256 << 10;
    private static final long END_SECONDS = 120;

    private final LockClient client;
    private final String kind;
    private final int size;
    private final IntFunction<String> names;
    private final @Nullable BareServer bare;
    private final LongAdder cycles = new LongAdder();
    private final LongAdder failures = new LongAdder();
    private final CountDownLatch begun;
    private final CountDownLatch ended;
    private volatile boolean over;
    private volatile String failure = "";

    /**
     * @param kind threads, virtual or async
     * @param bare to be called twice instead of using a lock, or null
     */
    Crowd(LockClient client, String kind, int size, IntFunction<String> names, @Nullable BareServer bare) {
        this.client = client;
        this.kind = kind;
        this.size = size;
        this.names = names;
        this.bare = bare;
        this.begun = new CountDownLatch(size);
        this.ended = new CountDownLatch(size);
    }

    void start() throws ReflectiveOperationException {
        for (int i = 0; i < size; i++) {
            DistributedLock lock = client.lock(names.apply(i));
            switch (kind) {
                case "threads" -> {
                    Thread thread = new Thread(null, () -> cycle(lock), "caller-" + i, STACK);
                    thread.setDaemon(true);
                    thread.start();
                }
                case "virtual" ->
                    Thread.class.getMethod("startVirtualThread", Runnable.class).invoke(null, (Runnable)
                            () -> cycle(lock));
                case "async" -> {
                    begun.countDown();
                    cycleAsync(lock);
                }
                default -> throw new IllegalArgumentException("callers are threads, virtual or async, not " + kind);
            }
        }
    }

    private void cycle(DistributedLock lock) {
        begun.countDown();
        while (!over) {
            if (bare != null) {
                bare.call();
                bare.call();
                cycles.increment();
                continue;
            }
            try (Lease lease = lock.acquire()) {
                cycles.increment();
            } catch (RuntimeException trouble) {
                failed(trouble);
            }
        }
        ended.countDown();
    }

    private void cycleAsync(DistributedLock lock) {
        if (over) {
            ended.countDown();
            return;
        }
        lock.acquireAsync()
                .thenCompose(lease -> {
                    cycles.increment();
                    return lease.closeAsync();
                })
                .whenCompleteAsync((done, trouble) -> {
                    if (trouble != null) {
                        failed(trouble);
                    }
                    cycleAsync(lock);
                });
    }

    private void failed(Throwable trouble) {
        failures.increment();
        LockSupport.parkNanos(100_000_000); // a caller that fails at once must not keep the machine busy
        failure = String.valueOf(trouble);
    }

    void awaitBegun() throws InterruptedException {
        begun.await();
    }

    long cycles() {
        return cycles.sum();
    }

    long failures() {
        return failures.sum();
    }

    String failure() {
        return failure;
    }

    void end() throws InterruptedException {
        over = true;
        if (!ended.await(END_SECONDS, TimeUnit.SECONDS)) {
            failures.add(ended.getCount());
            failure = ended.getCount() + " callers did not come back";
        }
    }

    /** Leases that are held all the while. */
    static final class Held implements AutoCloseable {
        private final List<Lease> leases = new ArrayList<>();
        private final AtomicLong lost = new AtomicLong();

        Held(LockClient client, int count) {
            for (int i = 0; i < count; i++) {
                Lease lease = client.lock("held-" + i).acquire();
                lease.onLost(reason -> lost.incrementAndGet());
                leases.add(lease);
            }
        }

        List<Lease> leases() {
            return leases;
        }

        /** How many are not held any more, told or not. */
        long lost() {
            return Math.max(
                    lost.get(),
                    leases.stream().filter(lease -> !lease.isValid()).count());
        }

        @Override
        public void close() {
            leases.forEach(Lease::close);
        }
    }
}
