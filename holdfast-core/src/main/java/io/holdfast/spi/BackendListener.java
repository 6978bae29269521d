package io.holdfast.spi;

import java.time.Duration;
import java.util.List;

/**
 * What a backend tells the engine by itself. All of it is a fast path: a message that is lost costs a poll, never a
 * lock.
 *
 * <p>The methods return at once, never throw and never call the backend, so they may be called from anywhere.
 *
 * <p><b>Implementing.</b> Not for authors of backends: the engine does. New methods may come with any version.
 *
 * @since 0.1
 */
public interface BackendListener {

    /**
     * A waiting claim was served by the store.
     *
     * @param claim the claim, which may have ended meanwhile
     * @param token the first token of its block
     * @param left the lease that the store gave it
     * @param startNanos a time of {@link TimeSource#nanoTime()} that is not later than the instant at which the store
     *     began to count that lease. A backend that cannot name one calls {@link #served} instead.
     */
    void granted(ClaimId claim, long token, Duration left, long startNanos);

    /**
     * A waiting claim may have been served by the store, but since when is not known: ask again.
     *
     * @param claim the claim, which may have ended meanwhile
     */
    default void served(ClaimId claim) {
        missed();
    }

    /**
     * Another client says that it has ended a claim of this one with {@link LockBackend#revoke}. The engine believes it
     * when the store says so too, asked to renew the claim.
     *
     * @param claim the claim, which may have ended meanwhile
     */
    default void revoked(ClaimId claim) {}

    /**
     * Something about a resource changed that may let a waiter in: ask again.
     *
     * @param resource which one; its capacity is ignored
     */
    void changed(Resource resource);

    /** Messages may have been missed, for instance because a connection was made anew: all waiters ask again. */
    void missed();

    /**
     * What the store cannot see of this client: its lines in which callers wait behind the client's own claim, or in
     * which a lock was passed on. A backend that can asks now and then and lets other clients see it, as {@link
     * ClientView#lines()}. It is for people, so a few seconds late is good enough.
     *
     * @return one entry for each such name; empty as a rule
     */
    default List<ClientLine> lines() {
        return List.of();
    }
}
