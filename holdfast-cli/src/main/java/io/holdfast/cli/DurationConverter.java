package io.holdfast.cli;

import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads {@code 500ms}, {@code 30s}, {@code 5m} or {@code 1h}. */
final class DurationConverter implements ITypeConverter<Duration> {
    private static final Pattern FORM = Pattern.compile("([0-9]{1,9})(ms|s|m|h)");

    @Override
    public Duration convert(String text) {
        Matcher parts = FORM.matcher(text);
        if (!parts.matches()) {
            throw new TypeConversionException(
                    "'" + text + "' is no duration, expected a number with ms, s, m or h, for instance 30s");
        }
        long amount = Long.parseLong(parts.group(1));
        return switch (parts.group(2)) {
            case "ms" -> Duration.ofMillis(amount);
            case "s" -> Duration.ofSeconds(amount);
            case "m" -> Duration.ofMinutes(amount);
            default -> Duration.ofHours(amount);
        };
    }

    /** A duration as a person reads it, in the two units that matter. */
    static String shown(Duration duration) {
        long millis = duration.toMillis();
        if (millis < 10_000) {
            return millis < 1_000 ? millis + "ms" : millis / 1_000 + "." + millis % 1_000 / 100 + "s";
        }
        long seconds = duration.toSeconds();
        if (seconds < 60) {
            return seconds + "s";
        }
        if (seconds < 3_600) {
            return seconds / 60 + "m " + seconds % 60 + "s";
        }
        long hours = seconds / 3_600;
        return hours < 24 ? hours + "h " + seconds % 3_600 / 60 + "m" : hours / 24 + "d " + hours % 24 + "h";
    }
}
