package io.holdfast.redis.driver;

import org.jspecify.annotations.Nullable;

/**
 * There is no connection, it broke, or the answer did not come in time.
 *
 * @since 0.1
 */
public final class RedisLinkException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final boolean local;
    private final boolean timeout;
    private final boolean unsent;

    private RedisLinkException(
            String message, @Nullable Throwable cause, boolean local, boolean timeout, boolean unsent) {
        super(Printable.of(message), cause);
        this.local = local;
        this.timeout = timeout;
        this.unsent = unsent;
    }

    /**
     * The connection to the server broke.
     *
     * @param message what happened, without any secret
     * @param cause what the client library said
     * @return the exception
     */
    public static RedisLinkException broken(String message, @Nullable Throwable cause) {
        return new RedisLinkException(message, cause, false, false, false);
    }

    /**
     * The answer did not come in time.
     *
     * @param message what happened, without any secret
     * @param cause what the client library said
     * @return the exception
     */
    public static RedisLinkException timedOut(String message, @Nullable Throwable cause) {
        return new RedisLinkException(message, cause, false, true, false);
    }

    /**
     * Nothing was sent, for a local reason that says nothing about the server.
     *
     * @param message what happened
     * @param cause what the client library said
     * @return the exception
     */
    public static RedisLinkException local(String message, @Nullable Throwable cause) {
        return new RedisLinkException(message, cause, true, false, true);
    }

    /**
     * The caller's time was up before it was its turn to use a connection. Nothing was sent, and this says nothing
     * about the server.
     *
     * @param message what happened
     * @return the exception
     */
    public static RedisLinkException noTurn(String message) {
        return new RedisLinkException(message, null, true, true, true);
    }

    /**
     * The caller's thread was interrupted during a call. This says nothing about the server, and the outcome of the
     * request is unknown.
     *
     * @param message what happened
     * @param cause what the client library said
     * @return the exception
     */
    public static RedisLinkException interrupted(String message, @Nullable Throwable cause) {
        return new RedisLinkException(message, cause, true, false, false);
    }

    /**
     * No connection could be made, so nothing was sent.
     *
     * @param message what happened, without any secret
     * @param cause what the client library said
     * @param timeout whether waiting longer might have helped
     * @return the exception
     */
    public static RedisLinkException unreachable(String message, @Nullable Throwable cause, boolean timeout) {
        return new RedisLinkException(message, cause, false, timeout, true);
    }

    /**
     * Tells whether the reason is local.
     *
     * @return true if it says nothing about the server
     */
    public boolean isLocal() {
        return local;
    }

    /**
     * Tells whether the caller's time was too short for the answer.
     *
     * @return whether waiting longer might have helped
     */
    public boolean isTimeout() {
        return timeout;
    }

    /**
     * Tells whether the caller only waited for others of its own client.
     *
     * @return true if its time was up before it was its turn to use a connection
     */
    public boolean isNoTurn() {
        return local && timeout;
    }

    /**
     * Tells whether it is certain that no request was sent.
     *
     * @return false if that is not known
     */
    public boolean isUnsent() {
        return unsent;
    }
}
