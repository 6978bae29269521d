package io.holdfast;

import java.time.Duration;
import java.util.Objects;
import java.util.Optional;

/**
 * How a lock is held: for how long, renewed or not, in which order, under which label. Immutable; each method returns a changed copy and
 * refuses a bad value with a message that names the option, the value and the bound.
 *
 * <pre>{@code
 * locks.lock("report", LockOptions.defaults().lease(Duration.ofSeconds(10)).fairness(Fairness.FIFO));
 * }</pre>
 */
public final class LockOptions {

    /** The lease of a lock for which nothing else was said. */
    public static final Duration DEFAULT_LEASE = Duration.ofSeconds(30);

    /** The shortest lease: a shorter one would be mostly safety margin. */
    public static final Duration SHORTEST_LEASE = Duration.ofMillis(100);

    /** The longest lease: a crashed holder blocks everybody for that long. */
    public static final Duration LONGEST_LEASE = Duration.ofDays(1);

    private static final int LONGEST_LABEL = 128;
    private static final LockOptions DEFAULTS =
            new LockOptions(DEFAULT_LEASE, true, Optional.empty(), Fairness.THROUGHPUT, Optional.empty());

    private final Duration lease;
    private final boolean renewed;
    private final Optional<Duration> maxHold;
    private final Fairness fairness;
    private final Optional<String> label;

    private LockOptions(
            Duration lease, boolean renewed, Optional<Duration> maxHold, Fairness fairness, Optional<String> label) {
        this.lease = lease;
        this.renewed = renewed;
        this.maxHold = maxHold;
        this.fairness = fairness;
        this.label = label;
    }

    /**
     * Returns the defaults: a lease of 30 s that the watchdog renews at every third, no maximum hold,
     * {@link Fairness#THROUGHPUT}, no label.
     *
     * @return the defaults
     */
    public static LockOptions defaults() {
        return DEFAULTS;
    }

    /**
     * Holds with a lease that the watchdog renews until close. After a crash others wait this long.
     *
     * @param lease between {@link #SHORTEST_LEASE} and {@link #LONGEST_LEASE}
     * @return the changed copy
     */
    public LockOptions lease(Duration lease) {
        return new LockOptions(checked("lease", lease), true, maxHold, fairness, label);
    }

    /**
     * Holds for a fixed time: nothing renews the lease, and it is lost when the time is up.
     *
     * @param lease between {@link #SHORTEST_LEASE} and {@link #LONGEST_LEASE}
     * @return the changed copy
     */
    public LockOptions fixedLease(Duration lease) {
        return new LockOptions(checked("fixedLease", lease), false, maxHold, fairness, label);
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
            throw new IllegalArgumentException("maxHold is " + maxHold + ", expected at least " + SHORTEST_LEASE
                    + "; leave it out for no maximum");
        }
        if (maxHold.compareTo(Duration.ofNanos(Long.MAX_VALUE)) > 0) {
            throw new IllegalArgumentException(
                    "maxHold is " + maxHold + ", which no clock can count; leave it out for no maximum");
        }
        return new LockOptions(lease, renewed, Optional.of(maxHold), fairness, label);
    }

    /**
     * Chooses who is next when several wait.
     *
     * @param fairness the order
     * @return the changed copy
     */
    public LockOptions fairness(Fairness fairness) {
        return new LockOptions(lease, renewed, maxHold, Objects.requireNonNull(fairness, "fairness"), label);
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
        return new LockOptions(lease, renewed, maxHold, fairness, Optional.of(label));
    }

    /**
     * Returns the lease.
     *
     * @return how long the store keeps the lock without a renewal
     */
    public Duration lease() {
        return lease;
    }

    /**
     * Tells whether the watchdog renews the lease.
     *
     * @return false for a fixed lease
     */
    public boolean renewed() {
        return renewed;
    }

    /**
     * Returns the maximum hold.
     *
     * @return empty for no maximum
     */
    public Optional<Duration> maxHold() {
        return maxHold;
    }

    /**
     * Returns the order among waiters.
     *
     * @return the fairness
     */
    public Fairness fairness() {
        return fairness;
    }

    /**
     * Returns the label.
     *
     * @return empty when none was set
     */
    public Optional<String> label() {
        return label;
    }

    @Override
    public String toString() {
        return (renewed ? "lease " : "fixed lease ") + lease
                + maxHold.map(most -> ", at most " + most).orElse("") + ", " + fairness
                + label.map(text -> ", label " + text).orElse("");
    }

    private static Duration checked(String option, Duration lease) {
        Objects.requireNonNull(lease, option);
        if (lease.compareTo(SHORTEST_LEASE) < 0 || lease.compareTo(LONGEST_LEASE) > 0) {
            throw new IllegalArgumentException(
                    option + " is " + lease + ", expected " + SHORTEST_LEASE + " to " + LONGEST_LEASE);
        }
        return lease;
    }
}
