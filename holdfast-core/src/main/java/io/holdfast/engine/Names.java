package io.holdfast.engine;

import java.util.Objects;

/** Checks the names that a caller gives. Anything that is text will do, so that backends have one rule to encode. */
final class Names {
    private static final int MOST_BYTES = 512;

    private Names() {}

    static String checked(String name) {
        Objects.requireNonNull(name, "name");
        if (name.isEmpty()) {
            throw new IllegalArgumentException("name is empty, expected 1 to " + MOST_BYTES + " bytes in UTF-8");
        }
        long bytes = 0;
        for (int i = 0; i < name.length(); i++) {
            char c = name.charAt(i);
            if (!Character.isSurrogate(c)) {
                bytes += c < 0x80 ? 1 : c < 0x800 ? 2 : 3;
            } else if (Character.isHighSurrogate(c)
                    && i + 1 < name.length()
                    && Character.isLowSurrogate(name.charAt(i + 1))) {
                bytes += 4;
                i++;
            } else {
                throw new IllegalArgumentException("name has half a surrogate pair at index " + i
                        + ", expected valid Unicode: no encoding could tell it from another broken name");
            }
        }
        if (bytes > MOST_BYTES) {
            throw new IllegalArgumentException("name has " + bytes + " bytes in UTF-8, expected at most " + MOST_BYTES
                    + "; lock a digest of it instead: " + name.substring(0, 20) + "…");
        }
        return name;
    }
}
