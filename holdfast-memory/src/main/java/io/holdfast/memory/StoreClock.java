package io.holdfast.memory;

import io.holdfast.spi.TimeSource;
import java.time.Duration;

/**
 * The clocks of the store. Its nanoseconds begin at zero with the store, so that two of them can be compared by {@code
 * <}; they are never compared with a client's.
 */
final class StoreClock {
    private static final long MICROS_PER_MILLI = 1000;

    /** A hundred years: what is longer counts as this, so that a sum with the present cannot overflow. */
    private static final long LONGEST_SECONDS = 100L * 366 * 24 * 60 * 60;

    private final TimeSource time;
    private final long originNanos;

    StoreClock(TimeSource time) {
        this.time = time;
        this.originNanos = time.nanoTime();
    }

    long nowNanos() {
        return time.nanoTime() - originNanos;
    }

    long wallMicros() {
        return time.wallMillis() * MICROS_PER_MILLI;
    }

    static long nanos(Duration duration) {
        return duration.toSeconds() < LONGEST_SECONDS
                ? duration.toNanos()
                : Duration.ofSeconds(LONGEST_SECONDS).toNanos();
    }
}
