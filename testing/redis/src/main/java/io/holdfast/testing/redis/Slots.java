package io.holdfast.testing.redis;

import java.nio.charset.StandardCharsets;

/** Which slot of a cluster a key belongs to. */
final class Slots {
    static final int COUNT = 16_384;

    private static final int POLYNOMIAL = 0x1021;

    private Slots() {}

    /** CRC-16/XMODEM of the key, or of the hash tag in it. */
    static int of(String key) {
        int crc = 0;
        for (byte b : tag(key).getBytes(StandardCharsets.UTF_8)) {
            crc ^= (b & 0xff) << 8;
            for (int bit = 0; bit < 8; bit++) {
                crc = (crc & 0x8000) == 0 ? crc << 1 : (crc << 1) ^ POLYNOMIAL;
            }
            crc &= 0xffff;
        }
        return crc % COUNT;
    }

    private static String tag(String key) {
        int open = key.indexOf('{');
        int close = key.indexOf('}', open + 1);
        return open >= 0 && close > open + 1 ? key.substring(open + 1, close) : key;
    }
}
