package io.holdfast.redis;

/** The server can be reached, and cannot be used. The message says why and what to change. */
final class RedisUnfitException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    RedisUnfitException(String message) {
        super(message);
    }
}
