package io.holdfast.jdbc.backend;

import io.holdfast.LockKind;
import io.holdfast.jdbc.record.Holder;
import io.holdfast.jdbc.record.Micros;
import io.holdfast.spi.Claim;
import io.holdfast.spi.ClaimId;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** What this client holds, for the day on which a guarded database forgets it. Empty where nothing is guarded. */
final class HeldClaims {
    private static final int DRIFT = 100;

    /**
     * A hold as the database last confirmed it.
     *
     * @param token the first of its block
     * @param endNanos when it is over by the database's own count at the earliest
     */
    private record Entry(long token, long endNanos) {}

    private final Map<ClaimId, Entry> entries = new ConcurrentHashMap<>();
    private final boolean guarded;

    HeldClaims(boolean guarded) {
        this.guarded = guarded;
    }

    void granted(ClaimId claim, long token, Duration left, long startNanos) {
        if (guarded) {
            entries.merge(
                    claim,
                    new Entry(token, end(left, startNanos)),
                    (old, fresh) -> new Entry(Math.max(old.token, fresh.token), later(old.endNanos, fresh.endNanos)));
        }
    }

    void renewed(ClaimId claim, Duration left, long startNanos) {
        if (guarded) {
            entries.computeIfPresent(
                    claim, (id, old) -> new Entry(old.token, later(old.endNanos, end(left, startNanos))));
        }
    }

    private static long end(Duration left, long startNanos) {
        return startNanos + left.minus(left.dividedBy(DRIFT)).toNanos();
    }

    private static long later(long one, long other) {
        return one - other > 0 ? one : other;
    }

    void ended(ClaimId claim) {
        if (guarded) {
            entries.remove(claim);
        }
    }

    /** What may be put back for a renewal, or null. Not what is over: somebody else may have had it since. */
    @Nullable
    Holder lost(Claim claim, Duration lease, long nowNanos, long nowMicros) {
        Entry entry = entries.get(claim.id());
        if (entry == null || entry.endNanos - nowNanos <= 0 || claim.resource().kind() == LockKind.LATCH) {
            return null;
        }
        return Holder.of(claim, entry.token, nowMicros, Micros.of(lease));
    }

    /** Drops what is over. */
    void tidy(long nowNanos) {
        entries.values().removeIf(entry -> entry.endNanos - nowNanos <= 0);
    }
}
