package io.holdfast.redis;

import java.util.concurrent.atomic.AtomicLong;

/**
 * The latest time that any server has told this client. Tokens are made of a server's clock; when that is set back, or another server with a
 * slower clock takes over, a name that was forgotten meanwhile must not begin below where it was.
 */
final class TokenFloor {
    private static final byte[][] NONE = {};

    /** What is known of a clock is not exact, and a record is kept for longer than this. */
    private static final long SLACK_MICROS = 1_000_000;

    private final AtomicLong latestMicros = new AtomicLong();

    void raise(long serverMicros) {
        if (serverMicros > latestMicros.get()) {
            latestMicros.accumulateAndGet(serverMicros, Math::max);
        }
    }

    /** The floor as an argument, if the server's clock is below it. */
    byte[][] arguments(ServerClock clock, long nowNanos) {
        long latest = latestMicros.get();
        return latest - clock.atLeastMicros(nowNanos) > SLACK_MICROS ? new byte[][] {Text.bytes(latest)} : NONE;
    }
}
