package io.holdfast.jdbc.record;

import java.time.Duration;
import java.time.Instant;

/** Microseconds, the unit of every time in the tables. */
public final class Micros {
    private static final long PER_SECOND = 1_000_000;
    private static final long NANOS = 1_000;

    /** No lease needs more, and a sum of two still fits. */
    private static final long MOST = Long.MAX_VALUE / 4;

    private Micros() {}

    /** Rounded up, so that no lease is shorter than asked for. */
    public static long of(Duration time) {
        return time.getSeconds() >= MOST / PER_SECOND
                ? MOST
                : time.getSeconds() * PER_SECOND + (time.getNano() + NANOS - 1) / NANOS;
    }

    public static Duration duration(long micros) {
        return Duration.ofSeconds(Math.floorDiv(micros, PER_SECOND), Math.floorMod(micros, PER_SECOND) * NANOS);
    }

    public static Instant instant(long micros) {
        return Instant.ofEpochMilli(micros / (PER_SECOND / 1_000));
    }
}
