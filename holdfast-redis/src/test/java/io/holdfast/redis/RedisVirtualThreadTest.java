package io.holdfast.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.Fairness;
import io.holdfast.Lease;
import io.holdfast.LockClient;
import io.holdfast.LockOptions;
import io.holdfast.testing.redis.RedisServer;
import io.holdfast.testing.redis.RedisVersion;
import java.lang.reflect.InvocationTargetException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Virtual threads, whose sockets are closed by an interrupt. */
class RedisVirtualThreadTest {
    private RedisServer server;
    private LockClient locks;
    private ExecutorService threads;

    @BeforeEach
    void start() throws ReflectiveOperationException {
        server = RedisServer.start(RedisVersion.V7_0);
        locks = RedisLocks.builder(server.uri()).connections(8).connect();
        threads = virtualThreads();
    }

    @AfterEach
    void stop() {
        threads.shutdownNow();
        locks.close();
        server.close();
    }

    /** By reflection, because the build's own JDK has none. */
    private static ExecutorService virtualThreads() throws ReflectiveOperationException {
        try {
            return (ExecutorService)
                    Executors.class.getMethod("newVirtualThreadPerTaskExecutor").invoke(null);
        } catch (InvocationTargetException failure) {
            throw new IllegalStateException(failure.getCause());
        }
    }

    @Test
    void acquire_aThousandOfThemInLine_oneAfterAnother() throws Exception {
        LockOptions fifo = LockOptions.defaults().fairness(Fairness.FIFO);
        AtomicInteger inside = new AtomicInteger();
        List<Future<?>> all = new ArrayList<>();
        for (int i = 0; i < 1_000; i++) {
            all.add(threads.submit(() -> {
                try (Lease lease = locks.lock("shared", fifo).acquire()) {
                    assertThat(inside.incrementAndGet()).isOne();
                    inside.decrementAndGet();
                }
            }));
        }
        for (Future<?> each : all) {
            each.get(60, TimeUnit.SECONDS);
        }
    }

    @Test
    void acquire_interruptedInAnyState_leavesNothingBehind() throws Exception {
        CountDownLatch started = new CountDownLatch(200);
        List<Future<?>> all = new ArrayList<>();
        for (int i = 0; i < 200; i++) {
            String name = "name " + i % 7;
            all.add(threads.submit(() -> {
                started.countDown();
                while (!Thread.currentThread().isInterrupted()) {
                    try (Lease lease = locks.lock(name).acquireInterruptibly()) {
                        assertThat(lease.token()).isPositive();
                    } catch (InterruptedException asked) {
                        Thread.currentThread().interrupt();
                    }
                }
            }));
        }
        started.await();
        all.forEach(each -> each.cancel(true));
        threads.shutdown();
        assertThat(threads.awaitTermination(30, TimeUnit.SECONDS)).isTrue();

        for (int i = 0; i < 7; i++) {
            locks.lock("name " + i).acquire().close();
        }
    }
}
