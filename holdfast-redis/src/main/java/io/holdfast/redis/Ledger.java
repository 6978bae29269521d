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
     * @param sinceNanos not later than when the server began to count
     */
    record Entry(long token, Duration lease, long sinceNanos) {
        long endNanos() {
            return sinceNanos + lease.toNanos();
        }

        /** Both, as far as they say more. */
        Entry and(Entry other) {
            Entry longer = endNanos() - other.endNanos() > 0 ? this : other;
            return new Entry(Math.max(token, other.token), longer.lease, longer.sinceNanos);
        }
    }

    /** How far the server's clock and ours may run apart, as a share of the lease. */
    private static final int DRIFT = 100;

    private final RedisSettings settings;
    private final ConcurrentMap<ClaimId, Entry> entries = new ConcurrentHashMap<>();

    Ledger(RedisSettings settings) {
        this.settings = settings;
    }

    void granted(Claim claim, long token, Duration left, long sinceNanos) {
        if (claim.resource().kind() != Kind.LATCH) { // never renewed, so never asserted again
            handedOver(claim.id(), token, left, sinceNanos);
        }
    }

    void handedOver(ClaimId claim, long token, Duration left, long sinceNanos) {
        if (settings.isStrict()) {
            entries.merge(claim, new Entry(token, left, sinceNanos), Entry::and);
        }
    }

    void renewed(ClaimId claim, Duration left, long sinceNanos) {
        if (settings.isStrict()) {
            entries.computeIfPresent(claim, (id, old) -> new Entry(old.token, left, sinceNanos));
        }
    }

    void released(ClaimId claim) {
        if (settings.isStrict()) {
            entries.remove(claim);
        }
    }

    /**
     * What may be asserted again; null if nothing. Not what is over by the server's own count: somebody else may have had it since, and been
     * forgotten too. And a short lease may be over on a master that was cut off.
     */
    @Nullable
    Entry reassertable(ClaimId claim, boolean replicated, long nowNanos) {
        Entry entry = entries.get(claim);
        if (entry == null || entry.endNanos() - entry.lease.toNanos() / DRIFT - nowNanos <= 0) {
            return null;
        }
        return !replicated || entry.lease.compareTo(settings.shortestReassertable()) >= 0 ? entry : null;
    }

    /** Drops what is over. */
    void tidy(long nowNanos) {
        entries.values().removeIf(entry -> nowNanos - entry.endNanos() > 0);
    }

    int size() {
        return entries.size();
    }
}
