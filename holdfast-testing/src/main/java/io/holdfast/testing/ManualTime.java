package io.holdfast.testing;

import io.holdfast.spi.TimeSource;
import java.time.Duration;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.UnaryOperator;

/**
 * Two clocks that stand still until a test moves them.
 *
 * <p><b>Threads.</b> Safe for use by any number of threads.
 *
 * @since 0.1
 */
public final class ManualTime implements TimeSource {
    private static final long NANOS_PER_MILLI = 1_000_000;

    private final ReentrantLock lock = new ReentrantLock();
    private volatile Clocks clocks;

    /**
     * Creates two clocks.
     *
     * @param nanoTime where the monotonic clock begins; any number, also one that will soon overflow
     * @param wallMillis where the wall clock begins
     */
    public ManualTime(long nanoTime, long wallMillis) {
        clocks = new Clocks(nanoTime, Math.multiplyExact(wallMillis, NANOS_PER_MILLI));
    }

    /** Creates two clocks; the wall clock shows the first second of the year 2026. */
    public ManualTime() {
        this(0, 1_767_225_600_000L);
    }

    /**
     * Lets time pass on both clocks.
     *
     * @param time how much, not negative
     */
    public void advance(Duration time) {
        move(now -> now.monotonicLater(time).wallLater(time));
    }

    /**
     * Lets time pass on the wall clock only. Forward: the machine slept, or the clock was set. Backward: the clock was
     * set.
     *
     * @param time how much; may be negative
     */
    public void advanceWall(Duration time) {
        move(now -> now.wallLater(time));
    }

    /**
     * Lets time pass on the monotonic clock only: the wall clock was set back by as much as has passed.
     *
     * @param time how much, not negative
     */
    public void advanceMonotonic(Duration time) {
        move(now -> now.monotonicLater(time));
    }

    @Override
    public long nanoTime() {
        return clocks.monotonicNanos;
    }

    @Override
    public long wallMillis() {
        return Math.floorDiv(clocks.wallNanos, NANOS_PER_MILLI);
    }

    private void move(UnaryOperator<Clocks> step) {
        lock.lock();
        try {
            clocks = step.apply(clocks);
        } finally {
            lock.unlock();
        }
    }

    private record Clocks(long monotonicNanos, long wallNanos) {

        Clocks monotonicLater(Duration time) {
            if (time.isNegative()) {
                throw new IllegalArgumentException("time is " + time + ", but a monotonic clock never goes back");
            }
            return new Clocks(monotonicNanos + time.toNanos(), wallNanos);
        }

        Clocks wallLater(Duration time) {
            return new Clocks(monotonicNanos, Math.addExact(wallNanos, time.toNanos()));
        }
    }
}
