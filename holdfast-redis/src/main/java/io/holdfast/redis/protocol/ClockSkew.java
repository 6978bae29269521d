package io.holdfast.redis.protocol;

import java.time.Duration;

/**
 * How far a server's clock is ahead of ours. Tokens come from the server's clock: one grant of a server that is years
 * ahead would spoil every fence it reaches, and the tokens of one that is far behind may be lower than earlier ones.
 *
 * @param ahead less than zero if it is behind
 */
public record ClockSkew(Duration ahead) {
    private static final Duration MOST = Duration.ofMinutes(1);
    private static final long MICROS_PER_MILLI = 1_000;

    /** Computed from a time that the server has just sent. */
    public static ClockSkew of(long serverMicros, long wallMillis) {
        return new ClockSkew(Duration.ofMillis(serverMicros / MICROS_PER_MILLI - wallMillis));
    }

    public boolean isFarAhead() {
        return ahead.compareTo(MOST) > 0;
    }

    /** Whether the clock is so far off that no client uses the server. */
    public boolean isFarOff() {
        return ahead.abs().compareTo(MOST) > 0;
    }
}
