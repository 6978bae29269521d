package io.holdfast.engine;

import io.holdfast.LockOptions;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Makes leases of grants. */
final class Leases {
    private final LeaseServices services;

    Leases(LeaseServices services) {
        this.services = services;
    }

    /**
     * Whether the grant is too short: for a fixed lease, or for a lease that is longer than the grant was asked for.
     */
    static boolean wantsMore(LockOptions options, StoreGrant grant) {
        boolean soonRenewed =
                options.renewed() && options.lease().compareTo(grant.claim().lease()) <= 0;
        return !soonRenewed && grant.isShorterThan(options.lease());
    }

    /** Renews a grant that is too short once, before anybody relies on it. Returns what went wrong, or null. */
    @Nullable
    RuntimeException confirm(StoreGrant grant, Duration lease) {
        try {
            services.watchdog().renewNow(grant, lease);
            return null;
        } catch (RuntimeException trouble) {
            return trouble;
        }
    }

    boolean isGood(StoreGrant grant) {
        return !grant.hasEnded() && !grant.deadline().isPast(services.time());
    }

    /** Makes a lease of a grant that is still good; under the mutex of the grant's gate. */
    @Nullable
    EngineLease take(StoreGrant grant, Request request) {
        if (!isGood(grant)) {
            return null;
        }
        EngineLease made = new EngineLease(services, grant, grant.takeToken(), request);
        grant.add(made);
        return grant.hasEnded() && made.withdraw() ? null : made; // whatever ends it from now on sees the lease
    }

    /** The lease is watched from here on, and then it is the user's. */
    void handedOut(EngineLease lease, Request request, boolean contended) {
        services.watchdog().watch(lease.grant());
        services.events().acquired(lease, request, contended);
        if (services.life().isClosed()) {
            lease.giveBack();
        }
    }
}
