package io.holdfast.simulation;

/**
 * What happened, line by line. Costs nothing while it is off. Never contains anything that differs between two runs of
 * one seed.
 */
final class Trace {
    private static final int NAME_WIDTH = 6;

    private final boolean on;
    private final StringBuilder text = new StringBuilder();

    Trace(boolean on) {
        this.on = on;
    }

    boolean isOn() {
        return on;
    }

    void add(long atNanos, String who, String what) {
        if (on) {
            text.append(seconds(atNanos)).append("  ").append(who);
            text.append(" ".repeat(Math.max(1, NAME_WIDTH - who.length())));
            text.append(what).append('\n');
        }
    }

    String text() {
        return text.toString();
    }

    static String seconds(long nanos) {
        String micros = Long.toString(nanos / 1_000);
        String padded = "0".repeat(Math.max(0, 7 - micros.length())) + micros;
        int point = padded.length() - 6;
        return padded.substring(0, point) + '.' + padded.substring(point);
    }
}
