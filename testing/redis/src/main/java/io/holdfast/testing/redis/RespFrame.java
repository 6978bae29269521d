package io.holdfast.testing.redis;

import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** One whole request or reply: the bytes as they came, and what they say. */
final class RespFrame {
    private static final char RAW = 0;
    private static final Set<String> MESSAGES = Set.of(
            "message",
            "pmessage",
            "smessage",
            "subscribe",
            "psubscribe",
            "ssubscribe",
            "unsubscribe",
            "punsubscribe",
            "sunsubscribe");

    private final char type;
    private final byte[] bytes;
    private final @Nullable Object value;

    RespFrame(char type, byte[] bytes, @Nullable Object value) {
        this.type = type;
        this.bytes = bytes;
        this.value = value;
    }

    /** Bytes that follow no protocol. */
    static RespFrame raw(byte[] bytes) {
        return new RespFrame(RAW, bytes, null);
    }

    boolean isRaw() {
        return type == RAW;
    }

    byte[] bytes() {
        return bytes;
    }

    @Nullable
    Object value() {
        return value;
    }

    /** The words of a request. */
    List<String> words() {
        if (value instanceof List<?> list) {
            return list.stream().map(String::valueOf).toList();
        }
        return List.of(String.valueOf(value).trim().split("\\s+"));
    }

    /** Was this sent by the server on its own account, not as the reply to a request? */
    boolean isPush() {
        return type == '>'
                || (type == '*'
                        && value instanceof List<?> list
                        && list.size() > 2
                        && MESSAGES.contains(Objects.toString(list.get(0))));
    }
}
