package io.holdfast.torture;

import io.holdfast.Lease;
import io.holdfast.LostReason;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Knows until when a lease was valid for certain. Times are taken before the lease is asked, so that what is said is
 * never longer than what was true.
 */
final class LeaseWatch {
    private static final long STEP_MILLIS = 5;
    private static final long REASON_MILLIS = 500;

    private final Lease lease;
    private final long startNanos;
    private long validNanos;
    private long deadlineNanos;
    private long overNanos;
    private boolean over;

    LeaseWatch(Lease lease) {
        this.lease = lease;
        this.startNanos = System.nanoTime();
        this.validNanos = startNanos;
        this.deadlineNanos = startNanos;
        look();
    }

    private void look() {
        long nowNanos = System.nanoTime();
        long leftNanos = lease.remaining().toNanos();
        if (leftNanos == 0) {
            over = true;
            overNanos = nowNanos;
        } else {
            validNanos = nowNanos;
            deadlineNanos = Math.max(deadlineNanos, nowNanos + leftNanos);
        }
    }

    /** Was it over when it was first looked at, or is it since? */
    boolean isOver() {
        return over;
    }

    Lease lease() {
        return lease;
    }

    long startNanos() {
        return startNanos;
    }

    /** The deadline as far as it is known; renewals move it. */
    long deadlineNanos() {
        return deadlineNanos;
    }

    /** Looks again and again for that long, or until it is over. */
    void during(long millis) {
        long endNanos = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
        while (!over && System.nanoTime() - endNanos < 0) {
            try {
                Thread.sleep(Math.min(STEP_MILLIS, millis));
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return;
            }
            look();
        }
    }

    /** Looks a last time: until when was it valid? */
    long end() {
        if (!over) {
            look();
        }
        // Over before its deadline: a wall clock was set forward.
        boolean ranOut = over && overNanos - deadlineNanos >= 0 && endedByTime();
        return ranOut ? Math.max(validNanos, deadlineNanos) : validNanos;
    }

    /** Then it was valid up to its deadline; a lease that the store forgot was not. */
    private boolean endedByTime() {
        try {
            LostReason reason = lease.lost().toCompletableFuture().get(REASON_MILLIS, TimeUnit.MILLISECONDS);
            return reason == LostReason.EXPIRED || reason == LostReason.STORE_UNREACHABLE;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        } catch (ExecutionException | TimeoutException e) {
            return false;
        }
    }
}
