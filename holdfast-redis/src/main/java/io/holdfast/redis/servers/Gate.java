package io.holdfast.redis.servers;

/**
 * Until when a guarded server grants nothing new, as this client counts it: on its own monotonic clock, from when it
 * saw the server shut. A server's clock can be set, which would open the server early. The gate begins open; a look at
 * the server can only postpone its end.
 *
 * @param seenShut whether this client has ever seen it shut
 * @param opensNanos if so, when it opens
 */
public record Gate(boolean seenShut, long opensNanos) {
    public static final Gate OPEN = new Gate(false, 0);

    private static final long NANOS_PER_MICRO = 1_000;
    private static final long NANOS_PER_MILLI = 1_000_000;

    /** How long from now nothing new is granted. */
    long shutNanos(long nowNanos) {
        return seenShut ? Math.max(0, opensNanos - nowNanos) : 0;
    }

    /**
     * Whether to tell the server again: while it is shut, so that a changed clock does not open it for others, and once
     * more after that, so that others need not wait for an objection.
     */
    public boolean wantsALook(long lastNanos) {
        return seenShut && opensNanos - lastNanos > 0;
    }

    /**
     * What to tell the server: how long it is still shut by this client's clock, in milliseconds; negative if this
     * client has never seen it shut.
     */
    long stillMillis(long nowNanos) {
        return seenShut ? (shutNanos(nowNanos) + NANOS_PER_MILLI - 1) / NANOS_PER_MILLI : -1;
    }

    /** The gate after a look at the server, which said how long it is still shut. */
    Gate after(long sentNanos, long receivedNanos, long leftMicros) {
        boolean longer = leftMicros > 0 && leftMicros * NANOS_PER_MICRO > shutNanos(sentNanos) + NANOS_PER_MILLI;
        return longer ? new Gate(true, receivedNanos + leftMicros * NANOS_PER_MICRO) : this;
    }
}
