package io.holdfast.testing.redis;

/** A server answered with an error. The message is the server's, its first word the kind of error. */
public final class RedisConsoleException extends RuntimeException {
    public RedisConsoleException(String message) {
        super(message);
    }

    /** The first word of the message, such as {@code ERR}, {@code MOVED} or {@code LOADING}. */
    public String kind() {
        String message = String.valueOf(getMessage());
        int end = message.indexOf(' ');
        return end < 0 ? message : message.substring(0, end);
    }
}
