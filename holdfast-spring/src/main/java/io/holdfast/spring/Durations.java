package io.holdfast.spring;

import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads durations as people write them: {@code 10s}, {@code 500ms}, {@code PT1M}. */
final class Durations {
    private static final Pattern SIMPLE = Pattern.compile("(\\d{1,18})\\s*(ns|us|ms|s|m|h|d)?");
    private static final String EXAMPLES = "expected a number with its unit, such as 10s, 500ms, 5m, 1h, or PT10S";

    private Durations() {}

    /** Returns empty for {@code forever}, zero for one try. */
    static Optional<Duration> wait(String text) {
        if (text.strip().equals("forever")) {
            return Optional.empty();
        }
        try {
            return Optional.of(parse(text));
        } catch (IllegalArgumentException unreadable) {
            throw new IllegalArgumentException(
                    unreadable.getMessage() + "; 0 tries once, forever never gives up", unreadable);
        }
    }

    static Duration parse(String text) {
        String stripped = text.strip();
        Matcher simple = SIMPLE.matcher(stripped);
        try {
            if (simple.matches()) {
                return simple(text, Long.parseLong(simple.group(1)), simple.group(2));
            }
            Duration parsed = Duration.parse(stripped);
            if (!parsed.isNegative()) {
                return parsed;
            }
        } catch (DateTimeParseException | ArithmeticException unreadable) {
            throw new IllegalArgumentException("'" + text + "' is no duration, " + EXAMPLES, unreadable);
        }
        throw new IllegalArgumentException("'" + text + "' is negative, " + EXAMPLES);
    }

    private static Duration simple(String text, long number, String unit) {
        if (unit == null) {
            if (number == 0) {
                return Duration.ZERO;
            }
            throw new IllegalArgumentException("'" + text + "' has no unit, " + EXAMPLES);
        }
        return switch (unit) {
            case "ns" -> Duration.ofNanos(number);
            case "us" -> Duration.ofNanos(Math.multiplyExact(number, 1_000L));
            case "ms" -> Duration.ofMillis(number);
            case "s" -> Duration.ofSeconds(number);
            case "m" -> Duration.ofMinutes(number);
            case "h" -> Duration.ofHours(number);
            default -> Duration.ofDays(number);
        };
    }
}
