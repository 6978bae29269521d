package io.holdfast.memory;

import java.util.concurrent.atomic.AtomicLong;

/**
 * Keeps a store that forgot everything from granting while a holder from before may still believe in its lease.
 *
 * <p>Open, then shut while the store forgets, then shut until the longest lease ever given has passed, then open. A
 * grant asks under its resource's lock, and the store shuts the guard before it takes any of those locks. So whoever
 * found the guard open has stored its grant, and told {@link #leased} of it, before the store forgets that resource;
 * and the end is computed after that.
 */
final class Guard {
    private static final long NEVER = Long.MIN_VALUE;
    private static final long UNTIL_TOLD = Long.MAX_VALUE;

    private final boolean enabled;
    private final AtomicLong longestLeaseNanos = new AtomicLong();
    private volatile long shutUntilNanos = NEVER;

    Guard(boolean enabled) {
        this.enabled = enabled;
    }

    /** Remembers the longest. */
    void leased(long leaseNanos) {
        if (leaseNanos > longestLeaseNanos.get()) {
            longestLeaseNanos.accumulateAndGet(leaseNanos, Math::max);
        }
    }

    void shut() {
        if (enabled) {
            shutUntilNanos = UNTIL_TOLD;
        }
    }

    void openAfterLongestLease(long nowNanos) {
        if (enabled) {
            shutUntilNanos = nowNanos + longestLeaseNanos.get();
        }
    }

    /** How long from now nothing may be granted; zero while the guard is open. */
    long shutForNanos(long nowNanos) {
        long untilNanos = shutUntilNanos;
        if (untilNanos <= nowNanos) {
            return 0;
        }
        // While the store still forgets, the end is not known yet, but it will not be further away than this.
        return Math.max(1, Math.min(untilNanos - nowNanos, longestLeaseNanos.get()));
    }
}
