package io.holdfast.engine;

import io.holdfast.DurationText;
import io.holdfast.LockOptions;
import java.time.Duration;
import java.util.Objects;

/** Checks the times that a caller names. */
final class Durations {
    private static final Duration LONGEST = Duration.ofNanos(Long.MAX_VALUE - 1);

    private Durations() {}

    static long waitNanos(Duration wait) {
        Objects.requireNonNull(wait, "wait");
        if (wait.isNegative()) {
            throw new IllegalArgumentException(
                    "wait is " + DurationText.of(wait) + ", expected zero (one try) or more");
        }
        if (wait.compareTo(LONGEST) > 0) {
            throw new IllegalArgumentException(
                    "wait is " + DurationText.of(wait) + ", which no clock can count; use acquire() to wait for ever");
        }
        return wait.toNanos();
    }

    static Duration kept(Duration time, Duration longest) {
        Objects.requireNonNull(time, "time");
        if (time.isNegative() || time.compareTo(longest) > 0) {
            throw new IllegalArgumentException(
                    "closeAfter is " + DurationText.of(time) + ", expected zero to " + DurationText.of(longest)
                            + ", the longest lease that this store gives; ask for less, or raise longestLease() in every client"
                            + " where the store has it");
        }
        return time;
    }

    static Duration lease(Duration lease) {
        Objects.requireNonNull(lease, "lease");
        if (lease.compareTo(LockOptions.SHORTEST_LEASE) < 0 || lease.compareTo(LockOptions.LONGEST_LEASE) > 0) {
            throw new IllegalArgumentException(
                    "lease is " + DurationText.of(lease) + ", expected " + DurationText.of(LockOptions.SHORTEST_LEASE)
                            + " to " + DurationText.of(LockOptions.LONGEST_LEASE));
        }
        return lease;
    }
}
