package io.holdfast.tck;

import io.holdfast.spi.TimeSource;
import java.time.Duration;

/**
 * The clocks of another machine: they run as ours do, but the wall clock is wrong, and the monotonic one began at
 * another time.
 *
 * @param ahead by how much the wall clock is ahead; less than zero if it is behind
 */
record SkewedTime(Duration ahead) implements TimeSource {
    /** How wrong clocks are at most in the kit. */
    static final Duration MOST = Duration.ofHours(1);

    @Override
    public long nanoTime() {
        return TimeSource.system().nanoTime() + 7 * ahead.toNanos();
    }

    @Override
    public long wallMillis() {
        return TimeSource.system().wallMillis() + ahead.toMillis();
    }
}
