package io.holdfast.benchmarks;

import io.holdfast.DistributedLock;
import io.holdfast.LockClient;
import io.holdfast.memory.MemoryLocks;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import org.openjdk.jmh.annotations.AuxCounters;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * What a lock costs when nobody else wants it: one thread, one name, the store in memory. Next to each Holdfast pair
 * stands the same pair of a {@link ReentrantLock}, because only the ratio of the two says something on another machine.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(3)
@SuppressWarnings("LockNotBeforeTry") // a pair is all there is: nothing stands between that could throw
public class UncontendedBenchmark {
    private static final String NAME = "order:42";

    /** A lock of each sort that nobody holds. */
    @State(Scope.Thread)
    public static class Free {
        final LockClient locks = MemoryLocks.create();
        final DistributedLock lock = locks.lock(NAME);
        final Lock local = new ReentrantLock();

        /** Ends the client. */
        @TearDown
        public void close() {
            locks.close();
        }
    }

    /**
     * A lock of each sort that the measuring thread holds. Taken anew for each iteration, since that may be another
     * thread.
     */
    @State(Scope.Thread)
    public static class Held {
        final LockClient locks = MemoryLocks.create();
        final Lock lock = locks.lock(NAME);
        final Lock local = new ReentrantLock();

        /** Takes both locks. */
        @Setup(Level.Iteration)
        public void lock() {
            lock.lock();
            local.lock();
        }

        /** Gives both locks back. */
        @TearDown(Level.Iteration)
        public void unlock() {
            local.unlock();
            lock.unlock();
        }

        /** Ends the client. */
        @TearDown
        public void close() {
            locks.close();
        }
    }

    /**
     * How much of the time the measuring thread really ran. A score multiplied by {@code cpuNanos / wallNanos} is
     * processor time for each operation, which says the same on a machine that is busy with other things.
     */
    @State(Scope.Thread)
    @AuxCounters(AuxCounters.Type.EVENTS)
    public static class Share {
        private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

        /** Processor time of the iteration. */
        public long cpuNanos;

        /** Time of the iteration. */
        public long wallNanos;

        private long cpuStartNanos;
        private long wallStartNanos;

        /** Reads both clocks. */
        @Setup(Level.Iteration)
        public void start() {
            cpuStartNanos = THREADS.getCurrentThreadCpuTime();
            wallStartNanos = System.nanoTime();
        }

        /** Reads both clocks again. */
        @TearDown(Level.Iteration)
        public void stop() {
            cpuNanos = THREADS.getCurrentThreadCpuTime() - cpuStartNanos;
            wallNanos = System.nanoTime() - wallStartNanos;
        }
    }

    /** A lease, acquired and closed. */
    @Benchmark
    public void lease(Free free, Share share) {
        free.lock.acquire().close();
    }

    /** The same with a lock object opened for it, which is how most code is written. */
    @Benchmark
    public void openedLease(Free free, Share share) {
        free.locks.lock(NAME).acquire().close();
    }

    /** The thread-owned style. */
    @Benchmark
    public void lockView(Free free, Share share) {
        free.lock.lock();
        free.lock.unlock();
    }

    /** What the lease and the thread-owned style are compared with. */
    @Benchmark
    public void reentrantLock(Free free, Share share) {
        free.local.lock();
        free.local.unlock();
    }

    /** A second hold of a thread that has the lock. */
    @Benchmark
    public void reentry(Held held, Share share) {
        held.lock.lock();
        held.lock.unlock();
    }

    /** What the second hold is compared with. */
    @Benchmark
    public void reentrantLockReentry(Held held, Share share) {
        held.local.lock();
        held.local.unlock();
    }
}
