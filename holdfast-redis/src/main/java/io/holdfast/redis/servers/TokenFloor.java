package io.holdfast.redis.servers;

import io.holdfast.redis.protocol.Bytes;
import io.holdfast.redis.protocol.ClockSkew;
import io.holdfast.redis.settings.Timing;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * The servers' time as if no clock had ever been set back. Tokens are made of a server's clock; when that is set back, or another server with a
 * slower clock takes over, a name that was forgotten meanwhile must not begin below where it was, whoever had it then. Tokens of a name grow
 * slower than time does, so the time that would be now is above all of them. A name may have been ahead of the clock since before this client was there;
 * its tokens tell the time too.
 */
public final class TokenFloor {
    private static final byte[][] NONE = {};
    private static final long NANOS_PER_MICRO = 1_000;

    /** What is known of a clock is not exact; a floor that is sent in vain costs a few bytes. */
    private static final long SLACK_MICROS = 50_000;

    private static final byte[] RAISES_HOLDS = Bytes.of("1");

    /** How much slower the floor rises than our clock, so that it does not run away from a server whose clock is a little slower. */
    private static final int DECAY = 1_000;

    /** The greatest difference of a server's clock to ours, found so at an instant. */
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

    /** Learns from a reply, unless the server's clock is so far ahead that nothing is granted by it. */
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
     * Learns from a grant: no later token of ours, of a name that was forgotten meanwhile, may be below its tokens. Only the first token counts. It was
     * made when the request was on its way, so a floor that was sent with it does not raise itself; the others are used up slower than time passes.
     */
    public void granted(long firstToken, long receivedNanos) {
        raise(firstToken, receivedNanos);
    }

    /** The floor as an argument, if the server's clock is below it; also for what the claim got already without our knowing. */
    public byte[][] arguments(ServerClock clock, long nowNanos) {
        return isAhead(clock.atLeastMicros(nowNanos), nowNanos)
                ? new byte[][] {Bytes.of(atMicros(nowNanos)), RAISES_HOLDS}
                : NONE;
    }

    /** Whether a server whose clock shows this gave a token that may be below one of before: a greater one has to be asked for. */
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
