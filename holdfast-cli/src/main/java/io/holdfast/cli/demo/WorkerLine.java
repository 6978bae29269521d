package io.holdfast.cli.demo;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * One line from a worker: {@code SOLD 1700000000000000 42 17}.
 *
 * @param kind what happened
 * @param micros when, by the wall clock, which all processes of a machine share
 * @param token of the lease it happened under, or zero
 * @param number depends on the kind, often zero
 */
record WorkerLine(Kind kind, long micros, long token, long number) {
    private static final Pattern FORM = Pattern.compile("([A-Z_]+) (\\d{1,18}) (\\d{1,18}) (\\d{1,18})");

    enum Kind {
        /** The worker can be used. */
        CONNECTED,
        /** The buyers of the next sale stand at the door. */
        READY,
        /** A buyer is in the part that one at a time should be in. */
        ENTERED,
        /** The lease was asked, and is valid; the number is the milliseconds it has left. */
        CHECKED,
        /** A voucher was sold; the number is the user. */
        SOLD,
        /** Nothing was sold: no voucher left, or the user has one. The number is the user. */
        TURNED_AWAY,
        /** The fence said no; the number is the token that it knows. */
        REFUSED,
        /** The buyer is out again. */
        LEFT,
        /** All buyers of a sale are done. */
        DONE,
        /** Added by the listener: the worker's process is gone. */
        ENDED
    }

    static WorkerLine now(Kind kind, long token, long number) {
        return new WorkerLine(kind, nowMicros(), token, number);
    }

    static long nowMicros() {
        return ChronoUnit.MICROS.between(Instant.EPOCH, Instant.now());
    }

    /** Empty for anything else: the JVM itself may have something to say on that stream. */
    static Optional<WorkerLine> parse(String text) {
        Matcher matcher = FORM.matcher(text);
        if (!matcher.matches()) {
            return Optional.empty();
        }
        return kind(matcher.group(1))
                .map(kind -> new WorkerLine(
                        kind,
                        Long.parseLong(matcher.group(2)),
                        Long.parseLong(matcher.group(3)),
                        Long.parseLong(matcher.group(4))));
    }

    private static Optional<Kind> kind(String text) {
        for (Kind each : Kind.values()) {
            if (each.name().equals(text)) {
                return Optional.of(each);
            }
        }
        return Optional.empty();
    }

    @Override
    public String toString() {
        return kind + " " + micros + " " + token + " " + number;
    }
}
