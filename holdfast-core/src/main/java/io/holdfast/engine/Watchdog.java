package io.holdfast.engine;

import io.holdfast.LockStoreException;
import io.holdfast.LostReason;
import io.holdfast.spi.RenewResult;
import io.holdfast.spi.Renewal;
import io.holdfast.spi.Resource;
import io.holdfast.spi.TimeSource;
import io.holdfast.spi.UnfitClaimException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.function.Function;

/**
 * Keeps grants alive and notices when one cannot be: renews at a third of what is left, says "at risk" at the first
 * failure and has a grant ended at its deadline. A grant that was given for much less than was asked, as a hand-over
 * is, is renewed after a thirtieth.
 *
 * <p><b>How.</b> The timer of the {@link WatchList} says when to look. If something must be renewed, whatever would be
 * due soon goes along, so that grants end up sharing one round. The round's call to the store runs elsewhere: the timer
 * never blocks, and a store that hangs cannot delay the loss of a lease.
 */
final class Watchdog implements WatchList.Keeper {

    /** A round is sent in parts of this size, so that the first are safe before the last have been looked at. */
    private static final int MOST_PER_CALL = 1_000;

    /** How far the wall clock may run ahead between two looks before it matters. */
    private static final long CLOCK_STEP_MILLIS = 10;

    private final WatchList watched;
    private final Endings endings;
    private final StoreCalls store;
    private final EngineRuntime runtime;
    private final TimeSource time;
    private final Logger logger;

    /** A look at the clocks that later ones are compared with, for about a second; only the timer touches it. */
    private long lastNanos;

    private long lastWallMillis;

    Watchdog(WatchList watched, Endings endings, StoreCalls store, EngineRuntime runtime, Logger logger) {
        this.watched = watched;
        this.endings = endings;
        this.store = store;
        this.runtime = runtime;
        this.time = runtime.time();
        this.logger = logger;
    }

    /** Looks after the grant from now on, or looks again at one whose lease changed hands. */
    void watch(StoreGrant grant) {
        watched.watch(grant);
    }

    @Override
    public void wake(long nowNanos, boolean due) {
        compareClocks(nowNanos);
        if (due) {
            watched.emptyNursery();
            collect(nowNanos);
        }
    }

    /**
     * A machine that slept, or a wall clock that was set: some leases may be over that the monotonic clock says are
     * not.
     */
    private void compareClocks(long nowNanos) {
        long wallMillis = time.wallMillis();
        long aheadMillis = wallMillis - lastWallMillis - (nowNanos - lastNanos) / Deadline.NANOS_PER_MILLI;
        if (Math.abs(aheadMillis) > CLOCK_STEP_MILLIS || nowNanos - lastNanos >= WatchList.LOOK_NANOS) {
            lastNanos = nowNanos;
            lastWallMillis = wallMillis;
        }
        if (aheadMillis > CLOCK_STEP_MILLIS) {
            watched.forEach(endings::loseIfOver);
        }
    }

    /** Looks at everything that is due, and sends off what must be renewed and what may as well be renewed with it. */
    private void collect(long nowNanos) {
        List<StoreGrant> round = new ArrayList<>();
        long alongNanos = nowNanos;
        for (Watched.Entry<StoreGrant> entry : watched.inOrder()) {
            StoreGrant grant = entry.item;
            if (grant == null || entry.dueNanos - alongNanos > 0) {
                break;
            }
            boolean due = entry.dueNanos - nowNanos <= 0;
            if (due && endings.loseIfOver(grant)) {
                continue;
            }
            boolean renewing = wantsRenewal(grant, alongNanos);
            if (renewing) {
                grant.renewing(true);
                if (round.size() == MOST_PER_CALL) {
                    send(round);
                    round = new ArrayList<>();
                }
                round.add(grant);
                alongNanos = Math.max(alongNanos, nowNanos + grant.leewayNanos());
            }
            if (due || renewing) {
                watched.reschedule(grant, entry);
            }
        }
        send(round);
    }

    private static boolean wantsRenewal(StoreGrant grant, long byNanos) {
        return !grant.isRenewing()
                && grant.renewAtNanos() - byNanos <= 0
                && !grant.renewal().isZero();
    }

    private void send(List<StoreGrant> part) {
        if (part.isEmpty()) {
            return;
        }
        try {
            runtime.renewals().execute(() -> renew(part));
        } catch (Throwable noThread) {
            RuntimeException cause = new IllegalStateException("no thread could be had for a renewal", noThread);
            answer(part, Moment.now(time), grant -> new RenewResult.Failed(cause));
        }
    }

    private void renew(List<StoreGrant> round) {
        List<StoreGrant> grants = new ArrayList<>(round.size());
        List<Renewal> renewals = new ArrayList<>(round.size());
        for (StoreGrant grant : round) {
            Duration lease = grant.renewal();
            if (grant.hasEnded() || lease.isZero()) {
                grant.renewing(false);
                watched.schedule(grant);
            } else {
                grant.asksFor(lease);
                grants.add(grant);
                renewals.add(new Renewal(grant.claim(), lease));
            }
        }
        Moment sent = Moment.now(time);
        List<RenewResult> results = store.renew(renewals);
        Iterator<RenewResult> each = results.iterator();
        answer(grants, sent, grant -> each.next());
    }

    private void answer(List<StoreGrant> grants, Moment sent, Function<StoreGrant, RenewResult> results) {
        for (StoreGrant grant : grants) {
            RenewResult result = results.apply(grant);
            grant.renewing(false);
            try {
                apply(grant, sent, result);
            } catch (Throwable trouble) {
                logger.log(
                        Level.WARNING,
                        "the answer to a renewal of claim " + grant.claim().id() + " threw",
                        trouble);
            }
            watched.schedule(grant);
        }
    }

    /** One renewal for a caller that needs the answer. False when the grant is lost. */
    boolean renewNow(StoreGrant grant, Duration lease) {
        grant.asksFor(lease);
        Moment sent = Moment.now(time);
        RenewResult result =
                store.renew(List.of(new Renewal(grant.claim(), lease))).get(0);
        if (!isNeverSent(result)) { // or else it is as good as before, and others may have leases of it
            apply(grant, sent, result);
        }
        if (result instanceof RenewResult.Failed failed) {
            Resource resource = grant.claim().resource();
            String name = resource.name();
            throw new LockStoreException(
                    resource.kind(),
                    name,
                    "could not extend the lease of '" + name + "': "
                            + failed.cause().getMessage() + "; it lasts as long as before",
                    failed.cause());
        }
        if (!grant.hasEnded()) {
            watched.schedule(grant);
        }
        return !grant.hasEnded();
    }

    private static boolean isNeverSent(RenewResult result) {
        return result instanceof RenewResult.Failed failed && failed.cause() instanceof UnfitClaimException;
    }

    private void apply(StoreGrant grant, Moment sent, RenewResult result) {
        for (CurrentLease lease : grant.leases()) {
            if (!lease.isClosed()) {
                Flight.renewal(grant.claim().resource(), lease, outcome(result), time.nanoTime() - sent.nanos());
            }
        }
        act(grant, sent, result);
    }

    private static String outcome(RenewResult result) {
        return result instanceof RenewResult.Renewed
                ? "renewed"
                : result instanceof RenewResult.Gone ? "gone" : "failed";
    }

    private void act(StoreGrant grant, Moment sent, RenewResult result) {
        if (result instanceof RenewResult.Renewed renewed) {
            long beforeNanos = grant.deadline().nanos();
            if (grant.renewed(Deadline.of(sent, renewed.left()))) {
                for (CurrentLease lease : grant.leases()) {
                    if (!lease.isClosed()) {
                        lease.renewed(beforeNanos);
                    }
                }
            } else {
                endings.lose(grant, LostReason.EXPIRED); // whatever the clocks say by now
                endings.giveBack(grant);
            }
        } else if (result instanceof RenewResult.Gone) {
            gone(grant);
        } else if (result instanceof RenewResult.Failed failed) {
            grant.unsettledUntil(time.nanoTime() + store.requestTimeout().toNanos()); // nobody knows when it was sent
            if (grant.hasEnded()) {
                endings.giveBackLater(grant);
                return;
            }
            for (CurrentLease lease : grant.owner().troubled(grant)) {
                if (!lease.isClosed()) {
                    lease.atRisk(failed.cause());
                }
            }
        }
    }

    /** The store does not know the claim any more. */
    void gone(StoreGrant grant) {
        if (!grant.hasEnded() && !endings.loseIfOver(grant)) {
            endings.lose(grant, LostReason.FORGOTTEN);
        }
    }
}
