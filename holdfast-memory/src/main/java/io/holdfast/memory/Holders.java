package io.holdfast.memory;

import io.holdfast.spi.ClaimId;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The claims that hold one resource, how much of it they use, and when the first of them ends. Guarded by the lock of
 * the resource.
 *
 * <p><b>Invariants.</b> {@code used} is the sum of the weights. No holder ends before {@code soonestEndNanos}.
 */
final class Holders {
    private static final Comparator<Holder> BY_END = Comparator.comparingLong((Holder holder) -> holder.untilNanos)
            .thenComparingLong(holder -> holder.firstToken);

    private final Map<ClaimId, Holder> all = new HashMap<>(2);
    private int used;

    /** Exact while {@code soonestIsExact}. An order by end would cost more than looking, now and then. */
    private long soonestEndNanos;

    private boolean soonestIsExact;

    boolean isEmpty() {
        return all.isEmpty();
    }

    @Nullable
    Holder get(ClaimId id) {
        return all.get(id);
    }

    int used() {
        return used;
    }

    /** Those whose lease has not ended, the first to end first. */
    Stream<Holder> alive(long nowNanos) {
        return all.values().stream()
                .filter(holder -> !holder.isExpired(nowNanos))
                .sorted(BY_END);
    }

    boolean allExpired(long nowNanos) {
        return all.values().stream().allMatch(holder -> holder.isExpired(nowNanos));
    }

    void add(Holder holder) {
        if (all.isEmpty() || holder.untilNanos <= soonestEndNanos) {
            soonestEndNanos = holder.untilNanos;
            soonestIsExact = true;
        }
        all.put(holder.claim.id(), holder);
        used += holder.claim.weight();
    }

    void remove(Holder holder) {
        all.remove(holder.claim.id());
        soonestIsExact &= holder.untilNanos != soonestEndNanos;
        used -= holder.claim.weight();
    }

    /** Moves the end of a holder to a later time. */
    void extend(Holder holder, long untilNanos) {
        soonestIsExact &= holder.untilNanos != soonestEndNanos;
        holder.untilNanos = untilNanos;
    }

    /** Removes all whose lease has ended. */
    void reap(long nowNanos) {
        if (all.isEmpty() || soonestEndNanos > nowNanos) {
            return;
        }
        Iterator<Holder> holders = all.values().iterator();
        while (holders.hasNext()) {
            Holder holder = holders.next();
            if (holder.isExpired(nowNanos)) {
                holders.remove();
                used -= holder.claim.weight();
            }
        }
        findSoonest();
    }

    /** When the first of them ends; there must be one. */
    long soonestEndNanos() {
        if (!soonestIsExact) {
            findSoonest();
        }
        return soonestEndNanos;
    }

    void clear() {
        all.clear();
        used = 0;
    }

    private void findSoonest() {
        soonestEndNanos = Long.MAX_VALUE;
        soonestIsExact = true;
        for (Holder holder : all.values()) {
            soonestEndNanos = Math.min(soonestEndNanos, holder.untilNanos);
        }
    }
}
