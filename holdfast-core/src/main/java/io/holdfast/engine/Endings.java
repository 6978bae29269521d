package io.holdfast.engine;

import io.holdfast.LostReason;
import io.holdfast.spi.TimeSource;

/**
 * The one place that ends grants. Whoever notices that a grant is over, or wants no more of it, says so here.
 *
 * <p><b>Races.</b> {@link WatchList#forget} decides who was first: only the first loss is told and settled. A lease is
 * marked as lost before anybody is told, so that no question about it is answered with yes afterwards.
 */
final class Endings {
    private final WatchList watched;
    private final ReleaseRetrier releases;
    private final EngineRuntime runtime;
    private final TimeSource time;

    Endings(WatchList watched, ReleaseRetrier releases, EngineRuntime runtime) {
        this.watched = watched;
        this.releases = releases;
        this.runtime = runtime;
        this.time = runtime.time();
    }

    /**
     * The end that nobody asked for: tells the lease, frees the gate, and releases what the store may still have. May
     * be called by anybody, any number of times.
     */
    void lose(StoreGrant grant, LostReason why) {
        boolean first = watched.forget(grant);
        CurrentLease lease = grant.lease();
        if (lease != null) {
            lease.markLost(why);
        }
        if (!first) {
            return;
        }
        if (lease != null) {
            lease.tellLost();
        }
        grant.owner().lost(grant);
        boolean storeMayKeepIt = grant.deadline().nanos() - time.nanoTime() > 0 && why != LostReason.FORGOTTEN;
        if (storeMayKeepIt || grant.unsettledUntilNanos() != ReleaseRetrier.SETTLED) {
            giveBackLater(grant);
        }
    }

    /** As {@link #lose}, if the time of the grant or of its lease is up. */
    boolean loseIfOver(StoreGrant grant) {
        LostReason why = grant.overBecause();
        if (why != null) {
            lose(grant, why);
        }
        return why != null;
    }

    /** A question about a lease found that it is over, and marked it: the rest follows on another thread. */
    void noticed(StoreGrant grant, LostReason why) {
        runtime.callbacks().execute(() -> lose(grant, why));
    }

    /** Gives the grant back to the store now, unless it is to be kept. Never throws. */
    void giveBack(StoreGrant grant) {
        watched.forget(grant);
        if (!grant.isKept()) {
            releases.release(grant.claim(), grant.unsettledUntilNanos(), grant.longest());
        }
    }

    /** Gives an ended grant back to the store in the background, unless it is to be kept. */
    void giveBackLater(StoreGrant grant) {
        if (!grant.isKept()) {
            release(grant);
        }
    }

    /**
     * Leaves the grant to the store, which has it for so long at least. Whoever waits here asks for a grant of their
     * own. If this client is still there when the time is over, the grant is given back; closing does not wait for it.
     */
    void keep(StoreGrant grant, long nanos) {
        grant.keep();
        watched.forget(grant);
        grant.owner().lost(grant);
        runtime.schedule(() -> release(grant), nanos);
    }

    private void release(StoreGrant grant) {
        releases.releaseLater(grant.claim(), grant.unsettledUntilNanos(), grant.longest());
    }

    /** Ends a grant that no lease was made of. Its claim lives on, and so does what the store has of it. */
    void drop(StoreGrant grant) {
        watched.forget(grant);
    }
}
