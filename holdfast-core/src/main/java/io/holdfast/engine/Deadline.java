package io.holdfast.engine;

import io.holdfast.spi.TimeSource;
import java.time.Duration;

/**
 * When a lease ends for its holder: counted from before the request was sent, less a margin, on both clocks. Whichever
 * is past first ends the lease, because the monotonic clock stands still while a machine sleeps, and the wall clock may
 * be set back.
 */
record Deadline(long nanos, long wallMillis) {

    static final long NANOS_PER_MILLI = 1_000_000L;

    /** The part of a lease given up because two clocks do not run at the same speed: one in this many. */
    private static final long DRIFT_DIVISOR = 100;

    /** What is given up of any lease, for the time between a look at the clock and the action that follows. */
    private static final long FIXED_MARGIN_NANOS = 10 * NANOS_PER_MILLI;

    static Deadline of(Moment sent, Duration left) {
        return of(sent.nanos(), sent.wallMillis(), left);
    }

    static Deadline of(long sentNanos, long sentWallMillis, Duration left) {
        long leaseNanos = left.toNanos();
        long usableNanos = leaseNanos - leaseNanos / DRIFT_DIVISOR - FIXED_MARGIN_NANOS;
        return new Deadline(sentNanos + usableNanos, sentWallMillis + usableNanos / NANOS_PER_MILLI);
    }

    /** Time left by the clock that has less of it; zero or less when it is past. */
    long remainingNanos(TimeSource time) {
        long byMonotonic = nanos - time.nanoTime();
        long byWall = (wallMillis - time.wallMillis()) * NANOS_PER_MILLI;
        return Math.min(byMonotonic, byWall);
    }

    boolean isPast(TimeSource time) {
        return remainingNanos(time) <= 0;
    }

    boolean isAfter(Deadline other) {
        return nanos - other.nanos > 0;
    }
}
