package io.holdfast.engine;

import io.holdfast.spi.Claim;
import io.holdfast.spi.ClaimId;
import io.holdfast.spi.Resource;
import io.holdfast.spi.TimeSource;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BooleanSupplier;

/**
 * Releases ended claims whose last request has an unknown outcome: until a release has been answered after the last
 * moment at which an earlier request could take effect. Gives up when the place in the line and the lease that such a
 * request could have opened would be over.
 */
final class ReleaseRetrier {
    /** In place of a time: no request of the claim is under way whose outcome is unknown. */
    static final long SETTLED = Long.MIN_VALUE;

    /** Longer than any store keeps a place in the line for a claim that does not ask. */
    private static final long PLACE_NANOS = 10_000 * Deadline.NANOS_PER_MILLI;

    private static final long RETRY_NANOS = 500 * Deadline.NANOS_PER_MILLI;

    /**
     * @param latestNanos the last moment at which a request of the claim may take effect
     * @param longest the longest lease that the store may give it
     */
    private record Debt(Claim claim, long latestNanos, Duration longest) {}

    private final StoreCalls store;
    private final EngineRuntime runtime;
    private final TimeSource time;
    private final Logger logger;
    private final ConcurrentHashMap<ClaimId, Debt> debts = new ConcurrentHashMap<>();

    /**
     * Debts that one release paid when they were made, and that none was tried for yet: their claims block a try of
     * this client for no reason.
     */
    private final Set<ClaimId> ghosts = ConcurrentHashMap.newKeySet();

    ReleaseRetrier(StoreCalls store, EngineRuntime runtime, Logger logger) {
        this.store = store;
        this.runtime = runtime;
        this.time = runtime.time();
        this.logger = logger;
    }

    /** The later of two times up to which a request may still take effect. */
    static long later(long oneNanos, long otherNanos) {
        if (oneNanos == SETTLED || otherNanos == SETTLED) {
            return oneNanos == SETTLED ? otherNanos : oneNanos;
        }
        return otherNanos - oneNanos > 0 ? otherNanos : oneNanos;
    }

    /** Releases a claim now. Never throws: what could not be delivered is repeated in the background. */
    void release(Claim claim, long latestNanos, Duration longest) {
        boolean settled = latestNanos == SETTLED || latestNanos - time.nanoTime() <= 0;
        boolean answered = store.release(claim);
        if (!answered || !settled) {
            releaseLater(claim, latestNanos, longest);
        }
    }

    /** Releases a claim in the background; returns at once. */
    void releaseLater(Claim claim, long latestNanos, Duration longest) {
        long untilNanos = latestNanos == SETTLED ? time.nanoTime() : latestNanos;
        if (latestNanos == SETTLED) {
            ghosts.add(claim.id());
        }
        Debt debt = debts.merge(claim.id(), new Debt(claim, untilNanos, longest), ReleaseRetrier::later);
        store.worker(claim.resource()).execute(() -> pay(debt));
    }

    private static Debt later(Debt one, Debt other) {
        Duration longest = one.longest.compareTo(other.longest) < 0 ? other.longest : one.longest;
        return new Debt(one.claim, later(one.latestNanos, other.latestNanos), longest);
    }

    int size() {
        return debts.size();
    }

    boolean knows(ClaimId claim) {
        return debts.containsKey(claim);
    }

    /**
     * Releases the ghosts of this client now, on the calling thread: somebody is about to try once for the resource,
     * and a claim that was given up must not be in the way. A store that does not answer delays the try once.
     */
    void clear(Resource resource) {
        if (ghosts.isEmpty()) {
            return;
        }
        long startNanos = time.nanoTime();
        long mostNanos = store.requestTimeout().toNanos();
        for (Debt debt : debts.values()) {
            boolean inTheWay = debt.claim.resource().equals(resource) && ghosts.contains(debt.claim.id());
            boolean paid = inTheWay && time.nanoTime() - startNanos < mostNanos && tried(debt.claim);
            if (paid && debt.latestNanos - startNanos <= 0) {
                debts.remove(debt.claim.id(), debt);
            }
        }
    }

    private void pay(Debt debt) {
        if (!debt.equals(debts.get(debt.claim.id()))) {
            return;
        }
        long untilLatestNanos = debt.latestNanos - time.nanoTime(); // before it is sent: the answer may be slow
        boolean answered = tried(debt.claim);
        if (answered && untilLatestNanos <= 0) {
            debts.remove(debt.claim.id(), debt);
        } else if (-untilLatestNanos > debt.longest.toNanos() + PLACE_NANOS) {
            debts.remove(debt.claim.id(), debt);
            logger.log(
                    Level.WARNING,
                    "gave up releasing claim {0} of {1}: its lease is over",
                    debt.claim.id(),
                    debt.claim.resource());
        } else {
            long delayNanos = answered ? untilLatestNanos + Deadline.NANOS_PER_MILLI : RETRY_NANOS;
            runtime.schedule(() -> store.worker(debt.claim.resource()).execute(() -> pay(debt)), delayNanos);
        }
    }

    private boolean tried(Claim claim) {
        try {
            return store.release(claim);
        } finally {
            ghosts.remove(claim.id());
        }
    }

    /** A last try for everything, on the calling thread, until the time is up. */
    void close(BooleanSupplier timeIsUp) {
        for (Debt debt : debts.values()) {
            if (timeIsUp.getAsBoolean()) {
                logger.log(
                        Level.WARNING,
                        "closed with {0} claims not released; their leases end by themselves",
                        debts.size());
                break;
            }
            tried(debt.claim);
            debts.remove(debt.claim.id());
        }
        debts.clear();
        ghosts.clear();
    }
}
