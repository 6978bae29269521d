package io.holdfast.redis.driver;

import org.jspecify.annotations.Nullable;

/** There is no connection, or it broke, or the answer did not come in time. */
public final class RedisLinkException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /**
     * Creates the exception.
     *
     * @param message what happened, without any secret
     * @param cause what the client library said
     */
    public RedisLinkException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
