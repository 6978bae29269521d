package io.holdfast.comparison;

import java.util.Locale;

/** Numbers for readers: about three digits that count, whatever the size. */
final class Numbers {

    /** Stands where there is nothing to tell. */
    static final String NONE = "–";

    private static final double MILLISECOND_MICROS = 1_000;
    private static final double SECOND_MICROS = 1_000_000;

    private Numbers() {}

    /** 1,234 or 12.3 or 0.45 or 0.0012. */
    static String count(double value) {
        if (!Double.isFinite(value)) {
            return NONE;
        }
        double size = Math.abs(value);
        if (size == 0) {
            return "0";
        }
        if (size >= 99.95) {
            return String.format(Locale.ROOT, "%,.0f", value);
        }
        if (size >= 9.995) {
            return String.format(Locale.ROOT, "%.1f", value);
        }
        if (size >= 0.0995) {
            return String.format(Locale.ROOT, "%.2f", value);
        }
        int decimals = 1 - (int) Math.floor(Math.log10(size));
        return decimals > 9 ? "0" : String.format(Locale.ROOT, "%." + decimals + "f", value);
    }

    /** With its unit, from nanoseconds to seconds. */
    static String time(double micros) {
        if (!Double.isFinite(micros)) {
            return NONE;
        }
        if (micros == 0) {
            return "0 µs";
        }
        if (micros < 1) {
            return count(micros * 1_000) + " ns";
        }
        if (micros < MILLISECOND_MICROS) {
            return count(micros) + " µs";
        }
        if (micros < SECOND_MICROS) {
            return count(micros / MILLISECOND_MICROS) + " ms";
        }
        return count(micros / SECOND_MICROS) + " s";
    }
}
