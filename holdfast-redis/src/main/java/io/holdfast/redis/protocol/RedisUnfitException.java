package io.holdfast.redis.protocol;

import io.holdfast.redis.driver.Printable;

/**
 * The server can be reached, and cannot be used. The message says why and what to change. Users get it as the cause of
 * a {@link io.holdfast.LockStoreException}, which says all that a program can use of it.
 */
public final class RedisUnfitException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** How long it may go on. */
    enum Outlook {
        /** Others are at work: a failover, a cluster that moves slots. */
        PASSING,
        /** Somebody has to change something, here or at the servers. Waiters may wait for that. */
        WRONG,
        /** Somebody has to change something first, so nobody need wait. */
        LASTING
    }

    private final Outlook outlook;

    /** The server may be fit again by itself, or another one may take its place. */
    public RedisUnfitException(String message) {
        this(message, Outlook.PASSING);
    }

    RedisUnfitException(String message, Outlook outlook) {
        super(Printable.of(message));
        this.outlook = outlook;
    }

    /** A client must not be opened like this, although a client that is open may survive it. */
    public static RedisUnfitException wrong(String message) {
        return new RedisUnfitException(message, Outlook.WRONG);
    }

    boolean isLasting() {
        return outlook == Outlook.LASTING;
    }

    boolean isPassing() {
        return outlook == Outlook.PASSING;
    }
}
