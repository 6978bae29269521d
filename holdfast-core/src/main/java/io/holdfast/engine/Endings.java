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
     * The end that nobody asked for: tells all leases, frees the gate, and releases what the store may still have. May
     * be called by anybody, any number of times.
     */
    void lose(StoreGrant grant, LostReason why) {
        boolean first = watched.forget(grant);
        CurrentLease[] leases = grant.leases();
        for (CurrentLease lease : leases) {
            LostReason own = grant.overBecause(lease);
            lease.markLost(own == null ? why : own);
        }
        if (!first) {
            return;
        }
        for (CurrentLease lease : leases) {
            lease.tellLost();
        }
        grant.owner().lost(grant);
        boolean storeMayKeepIt = grant.deadline().nanos() - time.nanoTime() > 0 && why != LostReason.FORGOTTEN;
        if (grant.isKept()) {
            releaseInTime(grant);
        } else if (storeMayKeepIt || grant.unsettledUntilNanos() != ReleaseRetrier.SETTLED) {
            release(grant);
        }
    }

    /** One lease of the grant is over. The others go on; the last one takes the grant with it. */
    private void lose(StoreGrant grant, CurrentLease lease, LostReason why) {
        lease.markLost(why);
        if (!lease.isLost()) {
            return; // closed meanwhile, and whoever did that sees to the grant
        }
        if (grant.owner().ended(grant, lease)) {
            lease.tellLost();
        } else {
            lose(grant, why);
        }
    }

    /** Ends the grant if its time is up, or else those of its leases whose own time is. True if the grant has ended. */
    boolean loseIfOver(StoreGrant grant) {
        LostReason why = grant.overBecause();
        if (why != null) {
            lose(grant, why);
            return true;
        }
        for (CurrentLease lease : grant.leases()) {
            LostReason own = lease.overBecause();
            if (own != null) {
                lose(grant, lease, own);
            }
        }
        return grant.hasEnded();
    }

    /** A question about a lease found that it is over, and marked it: the rest follows on another thread. */
    void noticed(StoreGrant grant, CurrentLease lease, LostReason why) {
        boolean all = grant.overBecause() != null;
        runtime.callbacks().execute(() -> {
            if (all) {
                lose(grant, why);
            } else {
                lose(grant, lease, why);
            }
        });
    }

    /**
     * Gives the grant back to the store now. One that is to be kept stays there: it is given back when its time is
     * over, if this client is still there then. Closing does not wait for that. Never throws.
     */
    void giveBack(StoreGrant grant) {
        boolean first = watched.forget(grant);
        if (!grant.isKept()) {
            releases.release(grant.claim(), grant.unsettledUntilNanos(), grant.longest());
        } else if (first) {
            releaseInTime(grant);
        }
    }

    /** Gives an ended grant back to the store in the background, unless it is to be kept. */
    void giveBackLater(StoreGrant grant) {
        if (!grant.isKept()) {
            release(grant);
        }
    }

    private void releaseInTime(StoreGrant grant) {
        runtime.schedule(() -> release(grant), Math.max(0, grant.keptUntilNanos() - time.nanoTime()));
    }

    private void release(StoreGrant grant) {
        releases.releaseLater(grant.claim(), grant.unsettledUntilNanos(), grant.longest());
    }

    /** Ends a grant that no lease was made of. Its claim lives on, and so does what the store has of it. */
    void drop(StoreGrant grant) {
        watched.forget(grant);
    }
}
