package io.holdfast.redis.servers;

import io.holdfast.redis.protocol.Bytes;
import io.holdfast.redis.protocol.ClockSkew;
import io.holdfast.redis.settings.Timing;
import io.holdfast.spi.ServerClock;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * The servers' time as if no clock had ever been set back. Tokens come from a server's clock. When that is set back, or
 * a server with a slower clock takes over, a name that was forgotten meanwhile must not get tokens below its earlier
 * ones. Tokens of a name grow slower than time, so the time that it would be without the step is above all of them. A
 * name may have been ahead of the clock before this client started, so its tokens count as times too.
 */
public final class TokenFloor {
    private static final byte[][] NONE = {};
    private static final long NANOS_PER_MICRO = 1_000;

    /** Clock estimates are not exact; an unnecessary floor costs only a few bytes. */
    private static final long SLACK_MICROS = 50_000;

    private static final byte[] RAISES_HOLDS = Bytes.of("1");

    /**
     * How much slower than this clock the floor rises, so that it does not run ahead of a server whose clock is a
     * little slower.
     */
    private static final int DECAY = 1_000;

    /** The greatest difference between a server's clock and ours, and when it was measured. */
    private record Lead(long nanos, long atNanos) {
        long at(long nowNanos) {
            return nanos - Math.max(0, nowNanos - atNanos) / DECAY;
        }
    }

    private final AtomicReference<@Nullable Lead> lead = new AtomicReference<>();
    private final Timing time;

    public TokenFloor(Timing time) {
        this.time = time;
    }

    /** Learns from a reply, unless the server's clock is so far ahead that its grants are refused. */
    public void raise(long serverMicros, long receivedNanos) {
        if (ClockSkew.of(serverMicros, time.wallMillis()).isFarAhead()) {
            return;
        }
        long leadNanos = serverMicros * NANOS_PER_MICRO - receivedNanos;
        Lead old = lead.get();
        while (old == null || leadNanos > old.at(receivedNanos)) {
            if (lead.compareAndSet(old, new Lead(leadNanos, receivedNanos))) {
                return;
            }
            old = lead.get();
        }
    }

    /**
     * Learns from a grant: if its name is forgotten, later tokens must not be below its tokens. Only the first token
     * counts. It was made while the request was under way, so a floor does not raise itself; the other tokens of the
     * block are used up slower than time passes.
     */
    public void granted(long firstToken, long receivedNanos) {
        raise(firstToken, receivedNanos);
    }

    /**
     * The floor as a script argument, if the server's clock is below it. It also covers a grant that this client does
     * not know of yet.
     */
    public byte[][] arguments(ServerClock clock, long nowNanos) {
        return isAhead(clock.atLeastMicros(nowNanos), nowNanos)
                ? new byte[][] {Bytes.of(atMicros(nowNanos)), RAISES_HOLDS}
                : NONE;
    }

    /**
     * Whether a token of a server with this time may be below an earlier one, so that a greater one must be requested.
     */
    public boolean isAbove(long token, long serverMicros, long nowNanos) {
        return isAhead(serverMicros, nowNanos) && token <= atMicros(nowNanos);
    }

    private boolean isAhead(long serverMicros, long nowNanos) {
        return atMicros(nowNanos) - serverMicros > SLACK_MICROS;
    }

    private long atMicros(long nowNanos) {
        Lead known = lead.get();
        return known == null ? 0 : (nowNanos + known.at(nowNanos)) / NANOS_PER_MICRO;
    }
}
