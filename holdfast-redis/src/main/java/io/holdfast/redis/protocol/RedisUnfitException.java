package io.holdfast.redis.protocol;

import io.holdfast.redis.driver.Printable;

/** The server can be reached, and cannot be used. The message says why and what to change. */
public final class RedisUnfitException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public RedisUnfitException(String message) {
        super(Printable.of(message));
    }
}
