package io.holdfast.redis;

/**
 * One thing that {@link RedisLocksBuilder#examine()} looked at.
 *
 * @param level how bad it is
 * @param server which server, as {@code host:port}
 * @param check what was looked at, in a word or two
 * @param text what was found
 * @param remedy what to change, or empty when all is well
 */
public record RedisFinding(Level level, String server, String check, String text, String remedy) {

    /** How bad it is. */
    public enum Level {
        /** As it should be. */
        OK,
        /** Works, but not as well or as safely as it could. */
        WARN,
        /** No client can use the server, or not for long. */
        FAIL
    }
}
