package io.holdfast.redis;

import io.holdfast.spi.Claim;
import io.holdfast.spi.ClaimId;
import io.holdfast.spi.Kind;
import java.time.Duration;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.jspecify.annotations.Nullable;

/**
 * What this client holds on guarded servers, for the day on which one of them forgets it. Empty where nothing is guarded.
 */
final class Ledger {

    /**
     * A hold as the server last confirmed it.
     *
     * @param token the first of its block
     * @param lease for how long
     * @param atNanos when that was heard
     */
    record Entry(long token, Duration lease, long atNanos) {
        long endNanos() {
            return atNanos + lease.toNanos();
        }
    }

    private final RedisSettings settings;
    private final ConcurrentMap<ClaimId, Entry> entries = new ConcurrentHashMap<>();

    Ledger(RedisSettings settings) {
        this.settings = settings;
    }

    void granted(Claim claim, long token, Duration left) {
        if (claim.resource().kind() != Kind.LATCH) { // never renewed, so never asserted again
            handedOver(claim.id(), token, left);
        }
    }

    void handedOver(ClaimId claim, long token, Duration left) {
        if (settings.isStrict()) {
            Entry made = new Entry(token, left, System.nanoTime());
            entries.merge(claim, made, (old, late) -> old.endNanos() - late.endNanos() > 0 ? old : late);
        }
    }

    void renewed(ClaimId claim, Duration left) {
        if (settings.isStrict()) {
            entries.computeIfPresent(claim, (id, old) -> new Entry(old.token, left, System.nanoTime()));
        }
    }

    void released(ClaimId claim) {
        if (settings.isStrict()) {
            entries.remove(claim);
        }
    }

    /** What may be asserted again; null if nothing. A short lease may be over on a master that was cut off. */
    @Nullable
    Entry reassertable(ClaimId claim, boolean replicated) {
        Entry entry = entries.get(claim);
        boolean longEnough =
                entry != null && (!replicated || entry.lease.compareTo(settings.shortestReassertable()) >= 0);
        return longEnough ? entry : null;
    }

    /** Drops what is over. */
    void tidy(long nowNanos) {
        entries.values().removeIf(entry -> nowNanos - entry.endNanos() > 0);
    }

    int size() {
        return entries.size();
    }
}
