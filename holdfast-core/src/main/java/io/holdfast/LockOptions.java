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
    private static final LockOptions DEFAULTS = new LockOptions(new Values(
            DEFAULT_LEASE,
            true,
            Optional.empty(),
            Fairness.THROUGHPUT,
            Optional.empty(),
            Duration.ZERO,
            Optional.empty(),
            OnDeadlock.REPORT));

    private record Values(
            Duration lease,
            boolean renewed,
            Optional<Duration> maxHold,
            Fairness fairness,
            Optional<String> label,
            Duration waitThroughOutages,
            Optional<String> owner,
            OnDeadlock onDeadlock) {

        LockOptions lease(Duration lease, boolean renewed) {
            return new LockOptions(
                    new Values(lease, renewed, maxHold, fairness, label, waitThroughOutages, owner, onDeadlock));
        }
    }

    private final Values values;

    private LockOptions(Values values) {
        this.values = values;
    }

    /**
     * Returns the defaults: a lease of 30 s that the watchdog renews at every third, no maximum hold,
     * {@link Fairness#THROUGHPUT}, no label, no waiting through outages, no owner but the thread, deadlocks only told.
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
                values.waitThroughOutages,
                values.owner,
                values.onDeadlock));
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
                values.waitThroughOutages,
                values.owner,
                values.onDeadlock));
    }

    /**
     * Says who holds the lock, for people who look at the store. Without one it is the name of the thread that asked.
     *
     * @param label one to 128 characters, none of them a control character
     * @return the changed copy
     */
    public LockOptions label(String label) {
        return new LockOptions(new Values(
                values.lease,
                values.renewed,
                values.maxHold,
                values.fairness,
                Optional.of(checkedText("label", label)),
                values.waitThroughOutages,
                values.owner,
                values.onDeadlock));
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
        return new LockOptions(new Values(
                values.lease,
                values.renewed,
                values.maxHold,
                values.fairness,
                values.label,
                most,
                values.owner,
                values.onDeadlock));
    }

    /**
     * Names who holds the lock and who waits for it, where that is not a thread: an order, a request, a job that moves
     * from thread to thread. Whatever a client's callers hold or wait for under one name counts as one owner when
     * deadlocks are looked for, so it must be one line of work. Another client's owner of the same name is somebody
     * else. Without a name it is the calling thread, and nobody for a lease that was taken asynchronously.
     *
     * @param owner one to 128 characters, none of them a control character
     * @return the changed copy
     */
    public LockOptions owner(String owner) {
        return new LockOptions(new Values(
                values.lease,
                values.renewed,
                values.maxHold,
                values.fairness,
                values.label,
                values.waitThroughOutages,
                Optional.of(checkedText("owner", owner)),
                values.onDeadlock));
    }

    /**
     * Says what a caller that waits does when it is part of a deadlock. Without it, deadlocks are only told.
     *
     * @param onDeadlock what to do
     * @return the changed copy
     */
    public LockOptions onDeadlock(OnDeadlock onDeadlock) {
        return new LockOptions(new Values(
                values.lease,
                values.renewed,
                values.maxHold,
                values.fairness,
                values.label,
                values.waitThroughOutages,
                values.owner,
                Objects.requireNonNull(onDeadlock, "onDeadlock")));
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

    /**
     * Returns who holds and waits, where that is not a thread.
     *
     * @return empty when none was named
     */
    public Optional<String> owner() {
        return values.owner;
    }

    /**
     * Returns what a caller does that is part of a deadlock.
     *
     * @return what it does
     */
    public OnDeadlock onDeadlock() {
        return values.onDeadlock;
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
                        : ", through outages of " + DurationText.of(values.waitThroughOutages))
                + values.owner.map(name -> ", owner " + name).orElse("")
                + (values.onDeadlock == OnDeadlock.REPORT ? "" : ", on deadlock " + values.onDeadlock);
    }

    private static String checkedText(String option, String text) {
        Objects.requireNonNull(text, option);
        if (text.isEmpty() || text.length() > LONGEST_LABEL || text.chars().anyMatch(Character::isISOControl)) {
            throw new IllegalArgumentException(option + " has " + text.length() + " characters, expected 1 to "
                    + LONGEST_LABEL + " and no control characters");
        }
        return text;
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
