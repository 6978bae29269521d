package io.holdfast.engine;

import io.holdfast.LockOptions;
import io.holdfast.LostReason;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.time.Duration;

/**
 * How long a lease lasts by what its user asked for, whatever the store has granted. A part of {@link EngineLease}, and
 * no object of its own, because there is one for every lock that is taken. Times are of the monotonic clock.
 */
abstract class LeaseTerms {
    private static final VarHandle END = Fields.of(MethodHandles.lookup(), "endNanos", long.class);

    private final long sinceNanos;

    /** How it is held; a re-entry may ask for more than the first to lock did. */
    private volatile LockOptions options;

    /** Whether there is a fixed time or a maximum hold, and when it is over. */
    private volatile boolean hasEnd;

    private volatile long endNanos;

    /** Whether it ends because the thread that owned it died, though others have its grant renewed. */
    private volatile boolean orphaned;

    LeaseTerms(LockOptions options, long sinceNanos) {
        this.options = options;
        this.sinceNanos = sinceNanos;
        long allowed = options.renewed() ? Long.MAX_VALUE : options.lease().toNanos();
        long most = options.maxHold().isPresent() ? options.maxHold().get().toNanos() : Long.MAX_VALUE;
        this.hasEnd = Math.min(allowed, most) < Long.MAX_VALUE;
        this.endNanos = sinceNanos + Math.min(allowed, most);
    }

    final LockOptions options() {
        return options;
    }

    final long heldNanos(long nowNanos) {
        return nowNanos - sinceNanos;
    }

    final boolean isOverdue(long nowNanos) {
        return hasEnd && endNanos - nowNanos <= 0;
    }

    /** Why it is over when it is overdue. */
    final LostReason overdueBecause() {
        if (orphaned) {
            return LostReason.OWNER_DIED;
        }
        return options.renewed() ? LostReason.MAX_HOLD : LostReason.EXPIRED;
    }

    /** The thread that owned it died: it ends then, or earlier, however long others have its grant renewed. */
    final void orphanedUntil(long nanos) {
        if (!orphaned && !(hasEnd && endNanos - nanos < 0)) {
            orphaned = true;
            endNanos = nanos;
            hasEnd = true;
        }
    }

    /** What is left of it, if the store has granted so much. */
    final long leftNanos(long byStoreNanos, long nowNanos) {
        return hasEnd ? Math.min(byStoreNanos, endNanos - nowNanos) : byStoreNanos;
    }

    /** When it ends, if the store has granted it until then. */
    final long earliestEndNanos(long byStoreNanos) {
        return hasEnd && endNanos - byStoreNanos < 0 ? endNanos : byStoreNanos;
    }

    /** The store has granted so much from then on. */
    final void extended(long askedNanos, Duration lease) {
        if (!options.renewed() || orphaned) {
            long most = options.maxHold().map(Duration::toNanos).orElse(Long.MAX_VALUE);
            endsNotBefore(sinceNanos + Math.min(askedNanos - sinceNanos + lease.toNanos(), most));
        }
    }

    /** Several threads may extend it at the same time, and none of them makes it shorter. */
    private void endsNotBefore(long nanos) {
        long end;
        do {
            end = endNanos;
        } while (nanos - end > 0 && !END.compareAndSet(this, end, nanos));
    }

    /** It is renewed from now on, with that lease. A maximum hold stays. */
    final void renewedWith(Duration lease) {
        LockOptions before = options;
        endNanos = before.maxHold().map(most -> sinceNanos + most.toNanos()).orElse(endNanos);
        hasEnd = before.maxHold().isPresent();
        options = before.renewedLease(lease);
    }
}
