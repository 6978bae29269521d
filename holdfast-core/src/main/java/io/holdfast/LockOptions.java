package io.holdfast;

import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * How a lock is held and waited for: for how long, renewed or not, in which order, under which label. Immutable, and
 * equal to options that say the same. Each method returns a changed copy and refuses a bad value with a message that
 * names the option, the value and the bound.
 *
 * <pre>{@code
 * locks.lock("report", LockOptions.defaults().lease(Duration.ofSeconds(10)).fairness(Fairness.FIFO));
 * }</pre>
 *
 * @since 0.1
 */
public final class LockOptions {

    /** The lease of a lock for which nothing else was said. */
    public static final Duration DEFAULT_LEASE = Duration.ofSeconds(30);

    /** The shortest lease: a shorter one would be mostly safety margin. */
    public static final Duration SHORTEST_LEASE = Duration.ofMillis(100);

    /** The longest lease: a crashed holder blocks everybody for that long. */
    public static final Duration LONGEST_LEASE = Duration.ofDays(1);

    private static final int LONGEST_LABEL = 128;
    private static final Duration LONGEST_TIME = Duration.ofNanos(Long.MAX_VALUE);
    private static final LockOptions DEFAULTS = new LockOptions(
            new Values(DEFAULT_LEASE, true, Optional.empty(), Fairness.THROUGHPUT, Optional.empty(), Duration.ZERO));

    private record Values(
            Duration lease,
            boolean renewed,
            Optional<Duration> maxHold,
            Fairness fairness,
            Optional<String> label,
            Duration waitThroughOutages) {

        LockOptions lease(Duration lease, boolean renewed) {
            return new LockOptions(new Values(lease, renewed, maxHold, fairness, label, waitThroughOutages));
        }
    }

    private final Values values;

    private LockOptions(Values values) {
        this.values = values;
    }

    /**
     * Returns the defaults: a lease of 30 s that the watchdog renews at every third, no maximum hold,
     * {@link Fairness#THROUGHPUT}, no label, no waiting through outages.
     *
     * @return the defaults
     */
    public static LockOptions defaults() {
        return DEFAULTS;
    }

    /**
     * Sets how long the lease is. A lease that the watchdog renews, which is the default, stays renewed, and a {@link
     * #fixedLease fixed} one stays fixed. After a crash of the holder others wait this long. Where a store gives no
     * lease so long, a renewed one is shortened to what it gives, and renewed more often.
     *
     * @param lease between {@link #SHORTEST_LEASE} and {@link #LONGEST_LEASE}
     * @return the changed copy
     */
    public LockOptions lease(Duration lease) {
        return values.lease(checked("lease", lease), values.renewed);
    }

    /**
     * Holds for a fixed time: nothing renews the lease, and it is lost when the time is up. Where a store gives no
     * lease so long, the lock cannot be opened with it: {@link IllegalArgumentException}.
     *
     * @param lease between {@link #SHORTEST_LEASE} and {@link #LONGEST_LEASE}
     * @return the changed copy
     */
    public LockOptions fixedLease(Duration lease) {
        return values.lease(checked("fixedLease", lease), false);
    }

    /**
     * Holds with a lease that the watchdog renews until close, which is the default. Takes a {@link #fixedLease fixed}
     * lease back.
     *
     * @param lease between {@link #SHORTEST_LEASE} and {@link #LONGEST_LEASE}
     * @return the changed copy
     */
    public LockOptions renewedLease(Duration lease) {
        return values.lease(checked("renewedLease", lease), true);
    }

    /**
     * Ends the renewals after this time: a lock that hangs is lost instead of being held for ever.
     *
     * @param maxHold at least {@link #SHORTEST_LEASE}
     * @return the changed copy
     */
    public LockOptions maxHold(Duration maxHold) {
        Objects.requireNonNull(maxHold, "maxHold");
        if (maxHold.compareTo(SHORTEST_LEASE) < 0) {
            throw new IllegalArgumentException("maxHold is " + DurationText.of(maxHold) + ", expected at least "
                    + DurationText.of(SHORTEST_LEASE) + "; leave it out for no maximum");
        }
        if (maxHold.compareTo(LONGEST_TIME) > 0) {
            throw new IllegalArgumentException("maxHold is " + DurationText.of(maxHold)
                    + ", which no clock can count; leave it out for no maximum");
        }
        return new LockOptions(new Values(
                values.lease,
                values.renewed,
                Optional.of(maxHold),
                values.fairness,
                values.label,
                values.waitThroughOutages));
    }

    /**
     * Chooses who is next when several wait.
     *
     * @param fairness the order
     * @return the changed copy
     */
    public LockOptions fairness(Fairness fairness) {
        return new LockOptions(new Values(
                values.lease,
                values.renewed,
                values.maxHold,
                Objects.requireNonNull(fairness, "fairness"),
                values.label,
                values.waitThroughOutages));
    }

    /**
     * Says who holds the lock, for people who look at the store. Without one it is the name of the thread that asked.
     *
     * @param label one to 128 characters, none of them a control character
     * @return the changed copy
     */
    public LockOptions label(String label) {
        Objects.requireNonNull(label, "label");
        if (label.isEmpty() || label.length() > LONGEST_LABEL || label.chars().anyMatch(Character::isISOControl)) {
            throw new IllegalArgumentException("label has " + label.length() + " characters, expected 1 to "
                    + LONGEST_LABEL + " and no control characters");
        }
        return new LockOptions(new Values(
                values.lease,
                values.renewed,
                values.maxHold,
                values.fairness,
                Optional.of(label),
                values.waitThroughOutages));
    }

    /**
     * Goes on waiting while the store cannot be asked, until it has failed for this long without one answer. Without
     * it, a caller that waits gets a {@link LockStoreException} after three failures in a row, which takes less than a
     * second if the store fails at once.
     *
     * <p>The wait itself has its own end: a caller never waits longer than it said, and {@link Acquirable#tryAcquire()}
     * does not wait at all. Every outage gets the whole time anew. {@link LockEvent.Obstructed} tells that a caller
     * waits through one. Nobody waits for a store that says that waiting cannot help, see
     * {@link LockStoreException#isLasting()}.
     *
     * @param most how long an outage may last; zero is the default
     * @return the changed copy
     */
    public LockOptions waitThroughOutages(Duration most) {
        Objects.requireNonNull(most, "waitThroughOutages");
        if (most.isNegative() || most.compareTo(LONGEST_TIME) > 0) {
            throw new IllegalArgumentException("waitThroughOutages is " + DurationText.of(most)
                    + ", expected zero (an outage is an exception) or a time that a clock can count");
        }
        return new LockOptions(
                new Values(values.lease, values.renewed, values.maxHold, values.fairness, values.label, most));
    }

    /**
     * Returns the lease.
     *
     * @return how long the store keeps the lock without a renewal
     */
    public Duration lease() {
        return values.lease;
    }

    /**
     * Tells whether the watchdog renews the lease.
     *
     * @return false for a fixed lease
     */
    public boolean renewed() {
        return values.renewed;
    }

    /**
     * Returns the maximum hold.
     *
     * @return empty for no maximum
     */
    public Optional<Duration> maxHold() {
        return values.maxHold;
    }

    /**
     * Returns the order among waiters.
     *
     * @return the fairness
     */
    public Fairness fairness() {
        return values.fairness;
    }

    /**
     * Returns the label.
     *
     * @return empty when none was set
     */
    public Optional<String> label() {
        return values.label;
    }

    /**
     * Returns how long a caller goes on waiting while the store cannot be asked.
     *
     * @return zero if an outage is an exception
     */
    public Duration waitThroughOutages() {
        return values.waitThroughOutages;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return this == other || (other instanceof LockOptions options && values.equals(options.values));
    }

    @Override
    public int hashCode() {
        return values.hashCode();
    }

    @Override
    public String toString() {
        return (values.renewed ? "lease " : "fixed lease ") + DurationText.of(values.lease)
                + values.maxHold
                        .map(most -> ", at most " + DurationText.of(most))
                        .orElse("") + ", " + values.fairness
                + values.label.map(text -> ", label " + text).orElse("")
                + (values.waitThroughOutages.isZero()
                        ? ""
                        : ", through outages of " + DurationText.of(values.waitThroughOutages));
    }

    private static Duration checked(String option, Duration lease) {
        Objects.requireNonNull(lease, option);
        if (lease.compareTo(SHORTEST_LEASE) < 0 || lease.compareTo(LONGEST_LEASE) > 0) {
            throw new IllegalArgumentException(option + " is " + DurationText.of(lease) + ", expected "
                    + DurationText.of(SHORTEST_LEASE) + " to " + DurationText.of(LONGEST_LEASE));
        }
        return lease;
    }
}
