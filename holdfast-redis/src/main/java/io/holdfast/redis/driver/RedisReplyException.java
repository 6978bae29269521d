package io.holdfast.redis.driver;

/** The server answered with an error. */
public final class RedisReplyException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /**
     * Creates the exception.
     *
     * @param reply the error as the server sent it
     */
    public RedisReplyException(String reply) {
        super(reply);
    }

    /**
     * Returns the error as the server sent it.
     *
     * @return code and text
     */
    public String reply() {
        return String.valueOf(getMessage());
    }
}
