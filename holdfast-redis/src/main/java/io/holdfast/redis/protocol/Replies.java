package io.holdfast.redis.protocol;

import io.holdfast.redis.driver.Printable;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** Reads replies. */
public final class Replies {
    private Replies() {}

    public static String string(@Nullable Object reply) {
        return reply instanceof byte[] bytes ? new String(bytes, StandardCharsets.UTF_8) : String.valueOf(reply);
    }

    /** A reply in a form that is safe for messages. */
    public static String shown(@Nullable Object reply) {
        return Printable.of(string(reply));
    }

    public static long number(@Nullable Object reply) {
        if (reply instanceof Long number) {
            return number;
        }
        throw new IllegalStateException("expected a number from Redis, got " + shown(reply));
    }
}
