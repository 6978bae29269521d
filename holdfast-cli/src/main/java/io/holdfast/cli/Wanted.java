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

/** What {@code run} takes: a lock, a side of a read-write lock, or permits of a semaphore. */
record Wanted(LockKind kind, Opening opening) {
    static final Wanted LOCK = new Wanted(LockKind.LOCK, LockClient::lock);
    static final Wanted SHARED = new Wanted(
            LockKind.READ_WRITE,
            (locks, name, options) -> locks.readWriteLock(name, options).readLock());
    static final Wanted EXCLUSIVE = new Wanted(
            LockKind.READ_WRITE,
            (locks, name, options) -> locks.readWriteLock(name, options).writeLock());

    private static final Pattern PERMITS = Pattern.compile("([1-9][0-9]{0,8})/([1-9][0-9]{0,8})");
    private static final List<LockKind> KINDS = List.of(LockKind.LOCK, LockKind.READ_WRITE, LockKind.SEMAPHORE);

    /** How to get at it. Asks the store nothing. */
    interface Opening {
        Acquirable<Lease> open(LockClient locks, String name, LockOptions options);
    }

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
        return new Wanted(
                LockKind.SEMAPHORE,
                (locks, name, options) -> locks.semaphore(name, all, options).taking(taken));
    }

    /**
     * Kinds never meet, so two commands that use one name as two kinds would not exclude each other. Whoever comes
     * second is told.
     */
    void refuseOtherKinds(LockInspector inspector, String name) {
        for (LockKind other : KINDS) {
            Optional<LockStatus> used = other == kind ? Optional.empty() : inspector.find(other, name);
            if (used.isPresent()) {
                throw new IllegalArgumentException(
                        "'" + Statuses.visible(name) + "' is in use as " + advice(used.get()));
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
}
