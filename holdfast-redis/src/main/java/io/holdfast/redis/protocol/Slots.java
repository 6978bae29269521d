package io.holdfast.redis.protocol;

import java.nio.charset.StandardCharsets;

/** How Redis Cluster spreads keys. */
public final class Slots {
    public static final int COUNT = 16_384;

    private Slots() {}

    /** The slot of a key: of what is between its first brace and the next closing one, or of all of it. */
    public static int of(String key) {
        int open = key.indexOf('{');
        int close = open < 0 ? -1 : key.indexOf('}', open + 1);
        return crc16(close > open + 1 ? key.substring(open + 1, close) : key) % COUNT;
    }

    private static int crc16(String text) {
        int crc = 0;
        for (byte b : text.getBytes(StandardCharsets.UTF_8)) {
            crc ^= (b & 0xff) << 8;
            for (int i = 0; i < Byte.SIZE; i++) {
                crc = (crc & 0x8000) == 0 ? crc << 1 : crc << 1 ^ 0x1021;
            }
            crc &= 0xffff;
        }
        return crc;
    }
}
