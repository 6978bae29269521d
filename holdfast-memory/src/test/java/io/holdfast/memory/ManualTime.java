package io.holdfast.memory;

import io.holdfast.spi.TimeSource;
import java.time.Duration;

/**
 * Clocks that move only when told. The monotonic one begins two seconds before it overflows, because a real one may.
 */
final class ManualTime implements TimeSource {
    private volatile long nanos = Long.MAX_VALUE - Duration.ofSeconds(2).toNanos();
    private volatile long wallMillis = 1_700_000_000_000L;

    @Override
    public long nanoTime() {
        return nanos;
    }

    @Override
    public long wallMillis() {
        return wallMillis;
    }

    long wallMicros() {
        return wallMillis * 1000;
    }

    synchronized void advance(Duration duration) {
        nanos += duration.toNanos();
        wallMillis += duration.toMillis();
    }

    synchronized void stepWall(Duration duration) {
        wallMillis += duration.toMillis();
    }
}
