package io.holdfast.redis.protocol;

import io.holdfast.redis.driver.Printable;

/**
 * The server can be reached, and cannot be used. The message says why and what to change. Users get it as the cause of
 * a {@link io.holdfast.LockStoreException}, which says all that a program can use of it.
 */
public final class RedisUnfitException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final boolean lasting;

    /** The server may be fit again by itself, or another one may take its place. */
    public RedisUnfitException(String message) {
        this(message, false);
    }

    /** @param lasting whether somebody has to change something first */
    RedisUnfitException(String message, boolean lasting) {
        super(Printable.of(message));
        this.lasting = lasting;
    }

    boolean isLasting() {
        return lasting;
    }
}
