package io.holdfast.redis.driver;

/**
 * The server answered with an error.
 *
 * @since 0.1
 */
public final class RedisReplyException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final transient RedisAddress address;
    private final String reply;

    /**
     * Creates the exception.
     *
     * @param address which server
     * @param reply the error as the server sent it
     */
    public RedisReplyException(RedisAddress address, String reply) {
        super("Redis at " + address + " answered \"" + Printable.of(reply) + "\"");
        this.address = address;
        this.reply = reply;
    }

    /**
     * Returns which server answered.
     *
     * @return its address
     */
    public RedisAddress address() {
        return address;
    }

    /**
     * Returns what the error means.
     *
     * @return its kind
     */
    public RedisError error() {
        return RedisError.of(reply);
    }

    /**
     * Returns the error as the server sent it. Use {@link Printable} before it goes to a message or a log.
     *
     * @return code and text
     */
    public String reply() {
        return reply;
    }
}
