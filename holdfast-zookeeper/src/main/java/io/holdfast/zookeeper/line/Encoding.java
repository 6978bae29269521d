package io.holdfast.zookeeper.line;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;

/** Any text as the name of a node: letters, digits and some signs as they are, all other bytes of UTF-8 as %XX. */
public final class Encoding {
    private static final String PLAIN = "_-:@+=~";
    private static final int BITS = 4;
    private static final int HEX = 16;

    private Encoding() {}

    public static String encode(String text) {
        if (isPlain(text)) {
            return text;
        }
        StringBuilder encoded = new StringBuilder(text.length());
        for (byte each : text.getBytes(StandardCharsets.UTF_8)) {
            char sign = (char) (each & 0xff);
            if (isPlain(sign)) {
                encoded.append(sign);
            } else {
                encoded.append('%').append(digit(sign >> BITS)).append(digit(sign & (HEX - 1)));
            }
        }
        return encoded.toString();
    }

    private static char digit(int value) {
        return Character.toUpperCase(Character.forDigit(value, HEX));
    }

    private static boolean isPlain(char sign) {
        return (sign >= 'a' && sign <= 'z')
                || (sign >= 'A' && sign <= 'Z')
                || (sign >= '0' && sign <= '9')
                || PLAIN.indexOf(sign) >= 0;
    }

    private static boolean isPlain(String text) {
        for (int i = 0; i < text.length(); i++) {
            if (!isPlain(text.charAt(i))) {
                return false;
            }
        }
        return true;
    }

    /** The text, or an exception for what {@link #encode} never writes. */
    public static String decode(String encoded) {
        if (isPlain(encoded)) {
            return encoded;
        }
        ByteBuffer bytes = ByteBuffer.allocate(encoded.length());
        for (int i = 0; i < encoded.length(); i++) {
            char sign = encoded.charAt(i);
            if (isPlain(sign)) {
                bytes.put((byte) sign);
            } else if (sign == '%' && i + 2 < encoded.length()) {
                bytes.put((byte) Integer.parseInt(encoded, i + 1, i + 3, HEX));
                i += 2;
            } else {
                throw new IllegalArgumentException("'" + encoded + "' is no name of ours");
            }
        }
        try {
            return StandardCharsets.UTF_8.newDecoder().decode(bytes.flip()).toString();
        } catch (CharacterCodingException broken) {
            throw new IllegalArgumentException("'" + encoded + "' is no name of ours", broken);
        }
    }
}
