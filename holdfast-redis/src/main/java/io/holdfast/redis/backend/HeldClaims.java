package io.holdfast.redis.backend;

import io.holdfast.LockKind;
import io.holdfast.redis.servers.Session;
import io.holdfast.redis.settings.RedisSettings;
import io.holdfast.spi.Claim;
import io.holdfast.spi.ClaimId;
import java.time.Duration;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.jspecify.annotations.Nullable;

/** What this client holds on guarded servers, in case one of them forgets it. Empty where nothing is guarded. */
final class HeldClaims {

    /**
     * A hold as the server last confirmed it.
     *
     * @param token the first of its block
     * @param lease for how long
     * @param sinceNanos no later than the start of the lease on the server
     * @param incarnation the server that confirmed it
     */
    record Entry(long token, Duration lease, long sinceNanos, String incarnation) {
        long endNanos() {
            return sinceNanos + lease.toNanos();
        }

        /**
         * Until when the server that confirmed the claim gives it to nobody else, by its own clock and even without
         * renewals.
         */
        long safeNanos() {
            return endNanos() - lease.toNanos() / DRIFT;
        }

        /**
         * The lease that is asked for, or the rest of the last one if that is longer: a repeated question must not
         * shorten it.
         */
        Duration atLeast(Duration asked, long nowNanos) {
            Duration left = Duration.ofNanos(Math.max(0, safeNanos() - nowNanos));
            return left.compareTo(asked) > 0 ? left : asked;
        }

        /** The stronger parts of both. */
        Entry and(Entry other) {
            Entry longer = endNanos() - other.endNanos() > 0 ? this : other;
            return new Entry(Math.max(token, other.token), longer.lease, longer.sinceNanos, longer.incarnation);
        }
    }

    /** How far the server's clock and ours may drift apart, as a fraction of the lease: one part in this many. */
    private static final int DRIFT = 100;

    private final RedisSettings settings;
    private final ConcurrentMap<ClaimId, Entry> entries = new ConcurrentHashMap<>();

    HeldClaims(RedisSettings settings) {
        this.settings = settings;
    }

    void granted(Claim claim, long token, Duration left, long sinceNanos, Session by) {
        if (claim.resource().kind() != LockKind.LATCH) { // never renewed, so never asserted again
            handedOver(claim.id(), token, left, sinceNanos, by);
        }
    }

    void handedOver(ClaimId claim, long token, Duration left, long sinceNanos, Session by) {
        if (settings.isStrict()) {
            entries.merge(claim, new Entry(token, left, sinceNanos, by.incarnation()), Entry::and);
        }
    }

    void renewed(ClaimId claim, Duration left, long sinceNanos, Session by) {
        if (settings.isStrict()) {
            entries.computeIfPresent(claim, (id, old) -> new Entry(old.token, left, sinceNanos, by.incarnation()));
        }
    }

    void released(ClaimId claim) {
        if (settings.isStrict()) {
            entries.remove(claim);
        }
    }

    /**
     * Whether a hold may be renewed on this server, or restored there. If another server confirmed it last, that one
     * may be alive and cut off, and may hand the lock on before it knows: then the rest of the lease must outlast it. A
     * member of a quorum stands alone, and so does a server without replicas: its predecessor is dead.
     */
    boolean mayFollow(ClaimId claim, String key, Session to) {
        if (!settings.isStrict() || settings.isMember() || !to.replicated()) {
            return true;
        }
        Entry entry = entries.get(claim);
        return entry != null
                && (entry.incarnation.equals(to.incarnation())
                        || entry.safeNanos() - to.metNanos(key)
                                >= settings.cutOff().toNanos());
    }

    /**
     * What may be restored, or null. Not a lease that has ended by the server's own clock: another client may have held
     * the lock since, and been forgotten too.
     */
    @Nullable
    Entry reassertable(ClaimId claim, String key, Session to, long nowNanos) {
        Entry entry = entries.get(claim);
        return entry != null && entry.safeNanos() - nowNanos > 0 && mayFollow(claim, key, to) ? entry : null;
    }

    /** Drops what is over. */
    void tidy(long nowNanos) {
        entries.values().removeIf(entry -> nowNanos - entry.endNanos() > 0);
    }

    int size() {
        return entries.size();
    }
}
