package io.holdfast.tck;

import io.holdfast.spi.TimeSource;
import java.time.Duration;

/**
 * Two clocks that stand still until a test moves them.
 *
 * <p><b>Threads.</b> Safe for use by any number of threads.
 *
 * @since 0.1
 */
public final class ManualTime implements TimeSource {
    private static final long NANOS_PER_MILLI = 1_000_000;

    private long monotonicNanos;
    private long wallNanos;

    /**
     * Creates two clocks.
     *
     * @param nanoTime where the monotonic clock begins; any number, also one that will soon overflow
     * @param wallMillis where the wall clock begins
     */
    public ManualTime(long nanoTime, long wallMillis) {
        this.monotonicNanos = nanoTime;
        this.wallNanos = Math.multiplyExact(wallMillis, NANOS_PER_MILLI);
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
    public synchronized void advance(Duration time) {
        advanceMonotonic(time);
        advanceWall(time);
    }

    /**
     * Lets time pass on the wall clock only. Forward: the machine slept, or the clock was set. Backward: the clock was
     * set.
     *
     * @param time how much; may be negative
     */
    public synchronized void advanceWall(Duration time) {
        wallNanos = Math.addExact(wallNanos, time.toNanos());
    }

    /**
     * Lets time pass on the monotonic clock only: the wall clock was set back by as much as has passed.
     *
     * @param time how much, not negative
     */
    public synchronized void advanceMonotonic(Duration time) {
        if (time.isNegative()) {
            throw new IllegalArgumentException("time is " + time + ", but a monotonic clock never goes back");
        }
        monotonicNanos += time.toNanos();
    }

    @Override
    public synchronized long nanoTime() {
        return monotonicNanos;
    }

    @Override
    public synchronized long wallMillis() {
        return Math.floorDiv(wallNanos, NANOS_PER_MILLI);
    }
}
