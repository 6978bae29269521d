package io.holdfast.redis.settings;

import io.holdfast.spi.TimeSource;
import java.time.Duration;

/**
 * The clocks of a client, and times computed with them.
 *
 * @param source the clocks
 */
public record Timing(TimeSource source) {
    /** The clocks of the machine. */
    public static final Timing SYSTEM = new Timing(TimeSource.system());

    /** Now, on the monotonic clock. */
    public long nanos() {
        return source.nanoTime();
    }

    /** Now, on the wall clock. */
    public long wallMillis() {
        return source.wallMillis();
    }

    /** The end of a duration that begins now. */
    public long until(Duration time) {
        return nanos() + time.toNanos();
    }

    /** The time left until then, at least a nanosecond. */
    public Duration left(long untilNanos) {
        return Duration.ofNanos(Math.max(1, untilNanos - nanos()));
    }
}
