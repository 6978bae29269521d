package io.holdfast.redis.protocol;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Encodes the words of commands. */
public final class Bytes {
    private Bytes() {}

    public static byte[] of(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    public static byte[] of(long number) {
        return Long.toString(number).getBytes(StandardCharsets.US_ASCII);
    }

    /** A whole command. */
    public static byte[][] command(String... words) {
        return Arrays.stream(words).map(Bytes::of).toArray(byte[][]::new);
    }
}
