package io.holdfast.redis.driver;

import org.jspecify.annotations.Nullable;

/** There is no connection, or it broke, or the answer did not come in time. */
public final class RedisLinkException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final boolean local;
    private final boolean timeout;

    private RedisLinkException(String message, @Nullable Throwable cause, boolean local, boolean timeout) {
        super(Printable.of(message), cause);
        this.local = local;
        this.timeout = timeout;
    }

    /**
     * The server, or the way to it, is in trouble.
     *
     * @param message what happened, without any secret
     * @param cause what the client library said
     * @return the exception
     */
    public static RedisLinkException broken(String message, @Nullable Throwable cause) {
        return new RedisLinkException(message, cause, false, false);
    }

    /**
     * The answer did not come in time.
     *
     * @param message what happened, without any secret
     * @param cause what the client library said
     * @return the exception
     */
    public static RedisLinkException timedOut(String message, @Nullable Throwable cause) {
        return new RedisLinkException(message, cause, false, true);
    }

    /**
     * Nothing was sent, for a reason on this side: it says nothing about the server.
     *
     * @param message what happened
     * @param cause what the client library said
     * @return the exception
     */
    public static RedisLinkException local(String message, @Nullable Throwable cause) {
        return new RedisLinkException(message, cause, true, false);
    }

    /**
     * Tells whether the reason is on this side.
     *
     * @return whether it says nothing about the server
     */
    public boolean isLocal() {
        return local;
    }

    /**
     * Tells whether the answer did not come in the time that the caller had.
     *
     * @return whether waiting longer might have helped
     */
    public boolean isTimeout() {
        return timeout;
    }
}
