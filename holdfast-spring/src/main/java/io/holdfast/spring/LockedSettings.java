package io.holdfast.spring;

import io.holdfast.DurationText;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import org.springframework.core.Ordered;

/**
 * What counts for every {@link Locked} method that does not say otherwise. Immutable; each method returns a changed
 * copy. A bean of this type replaces the defaults.
 *
 * <pre>{@code
 * @Bean
 * LockedSettings lockedSettings() {
 *     return LockedSettings.defaults().waitFor("2s").selfCalls(SelfCalls.FAIL);
 * }
 * }</pre>
 *
 * @since 0.1
 */
public final class LockedSettings {

    /** The order of the advice: outside of transactions, inside of {@code @Async} and of security. */
    public static final int DEFAULT_ORDER = Ordered.LOWEST_PRECEDENCE - 100;

    private static final LockedSettings DEFAULTS =
            new LockedSettings(Optional.of(Duration.ofSeconds(10)), DEFAULT_ORDER, Joining.AUTO, SelfCalls.WARN);

    /** What to do about a class that calls its own {@link Locked} method, which goes past the proxy. */
    public enum SelfCalls {
        /** One WARNING for each call in the code. */
        WARN,
        /** The application does not start: {@link InvalidLockedException}. */
        FAIL,
        /** Nobody looks. */
        OFF
    }

    private final Optional<Duration> waitFor;
    private final int order;
    private final Joining joining;
    private final SelfCalls selfCalls;

    private LockedSettings(Optional<Duration> waitFor, int order, Joining joining, SelfCalls selfCalls) {
        this.waitFor = waitFor;
        this.order = order;
        this.joining = joining;
        this.selfCalls = selfCalls;
    }

    /**
     * Returns the defaults: a wait of 10 s, {@link #DEFAULT_ORDER}, {@link Joining#AUTO}, {@link SelfCalls#WARN}.
     *
     * @return the defaults
     */
    public static LockedSettings defaults() {
        return DEFAULTS;
    }

    /**
     * Sets how long to wait for a lock.
     *
     * @param text {@code "10s"}, {@code "500ms"}, {@code "PT1M"}, {@code "0"} for one try, {@code "forever"}
     * @return the changed copy
     * @throws IllegalArgumentException if it is none of these
     */
    public LockedSettings waitFor(String text) {
        return new LockedSettings(Durations.wait(text), order, joining, selfCalls);
    }

    /**
     * Sets how long to wait for a lock.
     *
     * @param wait zero for one try
     * @return the changed copy
     * @throws IllegalArgumentException if it is negative
     */
    public LockedSettings waitFor(Duration wait) {
        if (wait.isNegative()) {
            throw new IllegalArgumentException(
                    "waitFor is " + DurationText.of(wait) + ", expected zero (one try) or more");
        }
        return new LockedSettings(Optional.of(wait), order, joining, selfCalls);
    }

    /**
     * Sets the order of the advice among others of the same method; a smaller one is further outside.
     *
     * @param order as in {@link Ordered}
     * @return the changed copy
     */
    public LockedSettings order(int order) {
        return new LockedSettings(waitFor, order, joining, selfCalls);
    }

    /**
     * Sets what happens when a transaction was there before the lock.
     *
     * @param joining for methods that do not say
     * @return the changed copy
     */
    public LockedSettings joining(Joining joining) {
        return new LockedSettings(waitFor, order, Objects.requireNonNull(joining, "joining"), selfCalls);
    }

    /**
     * Sets what to do about a class that calls its own {@link Locked} method.
     *
     * @param selfCalls warn, fail or nothing
     * @return the changed copy
     */
    public LockedSettings selfCalls(SelfCalls selfCalls) {
        return new LockedSettings(waitFor, order, joining, Objects.requireNonNull(selfCalls, "selfCalls"));
    }

    /**
     * Returns how long to wait for a lock.
     *
     * @return empty to wait forever, zero for one try
     */
    public Optional<Duration> waitFor() {
        return waitFor;
    }

    /**
     * Returns the order of the advice.
     *
     * @return as in {@link Ordered}
     */
    public int order() {
        return order;
    }

    /**
     * Returns what happens when a transaction was there before the lock.
     *
     * @return for methods that do not say
     */
    public Joining joining() {
        return joining;
    }

    /**
     * Returns what to do about a class that calls its own {@link Locked} method.
     *
     * @return warn, fail or nothing
     */
    public SelfCalls selfCalls() {
        return selfCalls;
    }
}
