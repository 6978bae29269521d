package io.holdfast;

import java.time.Duration;
import java.time.temporal.ChronoUnit;

/**
 * Writes durations as people do, and as the command line reads them: {@code 10ms}, {@code 1.5s}, {@code 1m 30s},
 * {@code 24h}. Every message of these libraries uses it.
 *
 * <pre>{@code
 * log.info("waited for " + DurationText.of(Duration.ofSeconds(90))); // waited for 1m 30s
 * }</pre>
 *
 * @since 0.1
 */
public final class DurationText {
    private static final long NANOS_PER_SECOND = 1_000_000_000L;
    private static final long NANOS_PER_MILLI = 1_000_000L;

    private DurationText() {}

    /**
     * Writes a duration, to the last nanosecond.
     *
     * @param duration how long, also less than nothing
     * @return hours, minutes, and seconds or milliseconds, those that are zero left out
     */
    public static String of(Duration duration) {
        if (duration.isNegative()) {
            boolean hasOpposite = duration.toSeconds() > Long.MIN_VALUE;
            return hasOpposite ? "-" + of(duration.negated()) : duration.toString();
        }
        if (duration.isZero()) {
            return "0s";
        }
        if (duration.toSeconds() == 0) {
            return number(0, duration.toNanosPart(), NANOS_PER_MILLI) + "ms";
        }
        String seconds = number(duration.toSecondsPart(), duration.toNanosPart(), NANOS_PER_SECOND) + "s";
        String text = part(duration.toHours(), "h")
                + part(duration.toMinutesPart(), "m")
                + (seconds.equals("0s") ? "" : seconds);
        return text.strip();
    }

    /**
     * Writes a duration that was measured, to the millisecond.
     *
     * @param duration how long
     * @return as {@link #of}, without what is smaller
     */
    public static String rounded(Duration duration) {
        return of(duration.truncatedTo(ChronoUnit.MILLIS));
    }

    private static String part(long number, String unit) {
        return number == 0 ? "" : number + unit + " ";
    }

    /** A number with its fraction, without zeros at the end. */
    private static String number(long whole, long nanos, long nanosPerUnit) {
        long fraction = nanos % nanosPerUnit;
        int digits = Long.toString(nanosPerUnit).length() - 1;
        String text = (whole + nanos / nanosPerUnit) + "."
                + Long.toString(nanosPerUnit + fraction).substring(1, 1 + digits);
        return text.replaceFirst("\\.?0+$", "");
    }
}
