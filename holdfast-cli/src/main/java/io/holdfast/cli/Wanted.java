package io.holdfast.cli;

import io.holdfast.Acquirable;
import io.holdfast.Lease;
import io.holdfast.LockClient;
import io.holdfast.LockInspector;
import io.holdfast.LockKind;
import io.holdfast.LockOptions;
import io.holdfast.LockStatus;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What {@code run} takes: a lock, a side of a read-write lock, or permits of a semaphore.
 *
 * @param kind which of them
 * @param weight how many permits; for a read-write lock the writer's side has all
 * @param capacity how many permits there are
 */
record Wanted(LockKind kind, int weight, int capacity) {
    static final Wanted LOCK = new Wanted(LockKind.LOCK, 1, 1);
    static final Wanted SHARED = new Wanted(LockKind.READ_WRITE, 1, Integer.MAX_VALUE);
    static final Wanted EXCLUSIVE = new Wanted(LockKind.READ_WRITE, Integer.MAX_VALUE, Integer.MAX_VALUE);

    private static final Pattern PERMITS = Pattern.compile("([1-9][0-9]{0,8})/([1-9][0-9]{0,8})");
    private static final List<LockKind> KINDS = List.of(LockKind.LOCK, LockKind.READ_WRITE, LockKind.SEMAPHORE);

    /** K of N permits. */
    static Wanted permits(String text) {
        Matcher parts = PERMITS.matcher(text);
        if (!parts.matches()) {
            throw new IllegalArgumentException(
                    "--permits is '" + text + "', expected how many of how many, for instance 1/3");
        }
        int taken = Integer.parseInt(parts.group(1));
        int all = Integer.parseInt(parts.group(2));
        if (taken > all) {
            throw new IllegalArgumentException("--permits is '" + text + "', but there are only " + all);
        }
        return new Wanted(LockKind.SEMAPHORE, taken, all);
    }

    Acquirable<Lease> open(LockClient locks, String name, LockOptions options) {
        return switch (kind) {
            case READ_WRITE ->
                equals(SHARED)
                        ? locks.readWriteLock(name, options).readLock()
                        : locks.readWriteLock(name, options).writeLock();
            case SEMAPHORE -> locks.semaphore(name, capacity, options).permits(weight);
            default -> locks.lock(name, options);
        };
    }

    /** Kinds never meet, so two commands that use one name as two kinds would not exclude each other. Whoever comes second is told. */
    void refuseOtherKinds(LockInspector inspector, String name) {
        for (LockKind other : KINDS) {
            if (other != kind) {
                Optional<LockStatus> used = inspector.find(other, name);
                if (used.isPresent()) {
                    throw new IllegalArgumentException("'" + name + "' is in use as " + advice(used.get()));
                }
            }
        }
    }

    private static String advice(LockStatus used) {
        return switch (used.kind()) {
            case READ_WRITE -> "a read-write lock: say --exclusive or --shared";
            case SEMAPHORE -> "a semaphore: say --permits K/" + used.capacity();
            default -> "a plain lock: say neither --shared nor --exclusive nor --permits";
        };
    }

    /** Who has it, for people: one sentence, or empty when nobody is seen. */
    Optional<String> holders(LockInspector inspector, String name) {
        return inspector
                .find(kind, name)
                .filter(status -> !status.holders().isEmpty())
                .map(Wanted::holders);
    }

    private static String holders(LockStatus status) {
        LockStatus.Holder first = status.holders().get(0);
        int others = status.holders().size() - 1;
        String since = first.since()
                .map(then -> " for "
                        + DurationConverter.shown(positive(java.time.Duration.between(then, java.time.Instant.now()))))
                .orElse("");
        return "held" + since + " by " + place(first.client()) + " (" + first.label() + ")"
                + (others == 0 ? "" : " and " + others + " more");
    }

    private static java.time.Duration positive(java.time.Duration time) {
        return time.isNegative() ? java.time.Duration.ZERO : time;
    }

    private static String place(LockStatus.Client client) {
        return client.host().isEmpty() ? client.id() : client.host() + "/" + client.pid();
    }
}
