package io.holdfast.engine;

import io.holdfast.LockOptions;
import org.jspecify.annotations.Nullable;

/**
 * What one caller asked for: how to hold, for whom, and how long it may take, as one deadline for everything that
 * follows.
 *
 * @param options how to hold
 * @param weight how much of the resource it takes
 * @param label who asks, for people
 * @param thread the thread that asks, or null if none waits for the answer
 * @param owned whether the lease is that thread's own, so that its death ends the renewals
 * @param taking what the caller has of several locks that it takes together, or null if it takes one
 * @param startedNanos when the call came in
 * @param waitNanos how long it may wait; zero for one try, {@link #FOREVER} for no end
 */
record Request(
        LockOptions options,
        int weight,
        String label,
        @Nullable Thread thread,
        boolean owned,
        @Nullable Taking taking,
        long startedNanos,
        long waitNanos) {

    /** Several locks that one caller takes one after another. */
    interface Taking {

        /** Whether it has taken this one, and takes more. */
        boolean has(Object lease);
    }

    static final long FOREVER = Long.MAX_VALUE;

    /** A request for a lease that belongs to the thread, or to nobody. */
    Request(LockOptions options, int weight, String label, @Nullable Thread owner, long startedNanos, long waitNanos) {
        this(options, weight, label, owner, owner != null, null, startedNanos, waitNanos);
    }

    /** Whose wait it is: a name that the user gave, a thread, or a caller that takes several locks; null for nobody. */
    @Nullable
    Object owner() {
        Object nameless = thread != null ? thread : taking;
        return options.owner().isPresent() ? options.owner().get() : nameless;
    }

    boolean once() {
        return waitNanos == 0;
    }

    long leftNanos(long nowNanos) {
        return waitNanos == FOREVER ? FOREVER : Math.max(0, waitNanos - (nowNanos - startedNanos));
    }
}
