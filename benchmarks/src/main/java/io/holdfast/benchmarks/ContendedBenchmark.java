package io.holdfast.benchmarks;

import io.holdfast.Fairness;
import io.holdfast.LockClient;
import io.holdfast.LockOptions;
import io.holdfast.memory.MemoryLocks;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Threads;
import org.openjdk.jmh.annotations.Warmup;

/**
 * How often one name changes hands when all threads of one client want it all the time. Choose the number of threads
 * with {@code -t}. The two local locks stand there for orientation: they show what changing hands costs on this machine
 * at all.
 */
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(3)
@Threads(2)
public class ContendedBenchmark {

    /** Which lock the threads fight for. */
    public enum Sort {
        /** Holdfast, passing the lock on inside the client. */
        THROUGHPUT,
        /** Holdfast, every waiter in the store's line. */
        FIFO,
        /** A local lock that lets newcomers overtake. */
        LOCAL_UNFAIR,
        /** A local lock that keeps the order. */
        LOCAL_FAIR
    }

    /** The lock that all threads share. */
    @State(Scope.Benchmark)
    public static class Shared {
        private final LockClient locks = MemoryLocks.create();

        /** The lock under test. */
        @Param
        public Sort sort = Sort.THROUGHPUT;

        private long passes;

        Lock open() {
            return switch (sort) {
                case THROUGHPUT -> locks.lock("order:42");
                case FIFO -> locks.lock("order:42", LockOptions.defaults().fairness(Fairness.FIFO));
                case LOCAL_UNFAIR -> UNFAIR;
                case LOCAL_FAIR -> FAIR;
            };
        }

        /** Ends the client. */
        @TearDown
        public void close() {
            locks.close();
        }
    }

    private static final Lock UNFAIR = new ReentrantLock();
    private static final Lock FAIR = new ReentrantLock(true);

    /** One thread's way to the lock. */
    @State(Scope.Thread)
    public static class Contender {
        private Lock lock = UNFAIR;

        /** Opens the lock. */
        @Setup
        public void open(Shared shared) {
            lock = shared.open();
        }
    }

    /** A short piece of work under the lock. */
    @Benchmark
    public long pass(Shared shared, Contender contender) {
        contender.lock.lock();
        try {
            return ++shared.passes;
        } finally {
            contender.lock.unlock();
        }
    }
}
