package io.holdfast.benchmarks;

import io.holdfast.Lease;
import io.holdfast.LockClient;
import io.holdfast.memory.MemoryLocks;
import io.holdfast.spring.EnableLocks;
import io.holdfast.spring.Locked;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** What {@code @Locked} costs over {@code acquire()} and {@code close()}, in memory. */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(3)
public class LockedBenchmark {
    private static final int NAMES = 64;

    /** An application with one bean. */
    @Configuration(proxyBeanMethods = false)
    @EnableLocks(proxyTargetClass = true)
    static class Application {
        @Bean
        LockClient locks() {
            return MemoryLocks.create();
        }

        @Bean
        Orders orders() {
            return new Orders();
        }
    }

    /** The bean. */
    public static class Orders {

        /**
         * Does nothing, under its lock.
         *
         * @param id is a part of the name
         * @return the same
         */
        @Locked("order:{p0}")
        public long ship(long id) {
            return id;
        }
    }

    /** The application, and the next order. */
    @State(Scope.Benchmark)
    public static class Running {
        final AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext(Application.class);
        final LockClient locks = context.getBean(LockClient.class);
        final Orders orders = context.getBean(Orders.class);
        private long asked;

        long next() {
            return asked++ % NAMES;
        }

        /** Ends it. */
        @TearDown
        public void close() {
            context.close();
        }
    }

    /**
     * By hand.
     *
     * @param running the application
     * @return the token
     */
    @Benchmark
    public long acquire(Running running) throws InterruptedException {
        try (Lease lease = running.locks.lock("order:" + running.next()).acquire()) {
            return lease.token();
        }
    }

    /**
     * By the annotation.
     *
     * @param running the application
     * @return the order
     */
    @Benchmark
    public long locked(Running running) {
        return running.orders.ship(running.next());
    }
}
