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
 * @param owner the thread whose death ends the renewals, or null for a lease that belongs to no thread
 * @param startedNanos when the call came in
 * @param waitNanos how long it may wait; zero for one try, {@link #FOREVER} for no end
 */
record Request(
        LockOptions options,
        int weight,
        String label,
        @Nullable Thread owner,
        long startedNanos,
        long waitNanos) {

    static final long FOREVER = Long.MAX_VALUE;

    boolean once() {
        return waitNanos == 0;
    }

    long leftNanos(long nowNanos) {
        return waitNanos == FOREVER ? FOREVER : Math.max(0, waitNanos - (nowNanos - startedNanos));
    }
}
