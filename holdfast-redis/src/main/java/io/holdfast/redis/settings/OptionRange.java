package io.holdfast.redis.settings;

import io.holdfast.DurationText;
import java.time.Duration;

/** Checks the values of a client's options. */
public final class OptionRange {
    private static final Duration LEAST = Duration.ofMillis(1);
    private static final Duration LONGEST_TIMEOUT = Duration.ofMinutes(1);
    private static final Duration LONGEST_LEASE = Duration.ofDays(1);
    private static final int MOST_PREFIX = 64;

    private OptionRange() {}

    /** Checks a timeout. */
    public static void timeout(String name, Duration timeout) {
        between(name, timeout, LONGEST_TIMEOUT);
    }

    static void lease(String name, Duration lease) {
        between(name, lease, LONGEST_LEASE);
    }

    private static void between(String name, Duration time, Duration most) {
        if (time.compareTo(LEAST) < 0 || time.compareTo(most) > 0) {
            throw new IllegalArgumentException(
                    name + " is " + DurationText.of(time) + ", expected from 1ms to " + DurationText.of(most));
        }
    }

    /** Checks a number. */
    public static void atLeastOne(String name, int number) {
        if (number < 1) {
            throw new IllegalArgumentException(name + " is " + number + ", expected at least 1");
        }
    }

    static void prefix(String prefix) {
        if (prefix.isEmpty() || prefix.length() > MOST_PREFIX || !prefix.matches("[A-Za-z0-9._:-]+")) {
            throw new IllegalArgumentException("prefix is '" + prefix + "', expected 1 to " + MOST_PREFIX
                    + " letters, digits, dots, dashes, underscores and colons");
        }
    }

    static void clientName(String name) {
        if (!name.matches("[!-~]{1,128}")) {
            throw new IllegalArgumentException(
                    "clientName is '" + name + "', expected 1 to 128 printable characters without blanks");
        }
    }
}
