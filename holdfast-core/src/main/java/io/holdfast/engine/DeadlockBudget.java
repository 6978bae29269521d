package io.holdfast.engine;

/**
 * How much looking a client may do: so many questions to the store in a second, over time. A look that has begun is not
 * stopped; what it asked for too much is saved afterwards.
 */
final class DeadlockBudget {
    private static final long NANOS_PER_SECOND = 1_000 * Deadline.NANOS_PER_MILLI;

    private final long costNanos;
    private long paidUntilNanos;
    private boolean used;

    DeadlockBudget(int perSecond) {
        this.costNanos = NANOS_PER_SECOND / perSecond;
    }

    /** Whether a look may begin. */
    boolean isOpen(long nowNanos) {
        return !used || paidUntilNanos - nowNanos <= 0;
    }

    /** So many questions were asked. What was not used for more than a second is not saved. */
    void spend(int questions, long nowNanos) {
        long leastNanos = nowNanos - NANOS_PER_SECOND;
        long fromNanos = used && paidUntilNanos - leastNanos > 0 ? paidUntilNanos : leastNanos;
        paidUntilNanos = fromNanos + questions * costNanos;
        used = true;
    }
}
