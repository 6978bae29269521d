package io.holdfast.torture;

import java.util.Locale;

/** How numbers are shown. */
final class Text {
    private static final double NANOS_PER_MILLI = 1e6;
    private static final double NANOS_PER_SECOND = 1e9;

    private Text() {}

    static String millis(long nanos) {
        return String.format(Locale.ROOT, "%.3f ms", nanos / NANOS_PER_MILLI);
    }

    static String seconds(long nanos) {
        return String.format(Locale.ROOT, "%.1f s", nanos / NANOS_PER_SECOND);
    }
}
