package io.holdfast.engine;

import io.holdfast.LockOptions;
import io.holdfast.spi.ClientLine;
import io.holdfast.spi.Resource;
import io.holdfast.spi.UnfitClaimException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The client's own line for one resource, and the wait loop: there is no other.
 *
 * <p><b>States.</b> At any time the gate has a line of waiters and at most one of
 * <ul>
 *   <li>nothing: the first waiter starts an attempt;
 *   <li>an <em>attempt</em>: one claim stands in the store for the whole line; the first waiter drives it. An attempt with a
 *       grant in hand is one that only has to be handed out;
 *   <li>a <em>holder</em>: a hold with a lease that a user has, or that is on its way back to the store. Nobody drives.
 * </ul>
 *
 * <p><b>Invariants.</b> The mutex is never held during a store call, a callback or an event. Only the first waiter's own step
 * touches the attempt, and a waiter leaves the line only in its own step (or when everybody fails), so there is one driver
 * and at most one attempt of a claim under way. Whoever makes a new waiter first, or frees the gate, signals the first.
 *
 * <p>One exception: a grant that another thread of this client <em>passed on</em>, and that the first waiter has not come for yet, may be taken by whoever
 * enters, under the mutex; see {@link Line}. A first waiter that was overtaken while it looked at the attempt finds another one, or none, in its place.
 *
 * <p><b>Races.</b> A grant against a cancel: the cancelled waiter leaves the line, the grant stays with the attempt and
 * goes to the next waiter, or back to the store when there is none. A loss against a release: the lease's state decides, once.
 *
 * <p>A lock with {@link io.holdfast.Fairness#THROUGHPUT} has one gate per client. Everything else makes a gate per
 * acquisition, whose line is one long: the waiter's own claim stands in the store's line.
 */
final class Gate {

    /** What {@link #step} answers when the waiter has ended. */
    static final long DONE = 0;

    /** How long after the grant such passing may begin. */
    private static final long COHORT_NANOS = 50 * Deadline.NANOS_PER_MILLI;

    private final EngineContext context;
    private final Resource resource;
    private final int weight;

    /** Not used, but kept: while somebody waits or holds here, the client must not forget what they share. */
    @SuppressWarnings("unused")
    private final @Nullable LocalLock local;

    private final ReentrantLock mutex = new ReentrantLock();
    private final Line line = new Line();

    /** How many turns the next hold has; null where there is only one. */
    private final @Nullable Cohort cohort;

    private @Nullable ClaimAttempt attempt;
    private @Nullable StoreGrant holder;

    /** A gate that many acquisitions share, passing the lock among themselves. */
    static Gate shared(EngineContext context, LocalLock local) {
        return new Gate(context, local.resource(), local.resource().capacity(), new Cohort(), local);
    }

    /** A gate for one acquisition. */
    static Gate single(EngineContext context, Resource resource, int weight, @Nullable LocalLock local) {
        return new Gate(context, resource, weight, null, local);
    }

    private Gate(
            EngineContext context, Resource resource, int weight, @Nullable Cohort cohort, @Nullable LocalLock local) {
        this.context = context;
        this.resource = resource;
        this.weight = weight;
        this.cohort = cohort;
        this.local = local;
    }

    Resource resource() {
        return resource;
    }

    /** Joins the line, or takes what its first has not come for yet. One try on a gate that is in use ends at once, empty. */
    void enter(Waiter waiter) {
        boolean busy;
        ClaimAttempt offered;
        EngineLease lease = null;
        mutex.lock();
        try {
            busy = holder != null || line.first() != null;
            offered = attempt;
            if (offered != null && mayOvertake(waiter, offered)) {
                lease = take(waiter, offered.grant());
            }
            if (lease != null) {
                line.overtaken();
            } else if (busy && waiter.request.once()) {
                unserved(waiter);
            } else {
                line.append(waiter);
            }
        } finally {
            mutex.unlock();
        }
        if (lease != null && offered != null) {
            taken(waiter, offered, lease);
        } else if (busy) {
            tellWhy(waiter, offered == null ? null : offered.obstacle());
        }
    }

    /** Whether this waiter may have what the first of the line has not come for yet. What was not passed on is its driver's affair. */
    private boolean mayOvertake(Waiter waiter, ClaimAttempt offered) {
        if (waiter.request.once() || !offered.isPassedOn() || !line.mayBeOvertaken()) {
            return false;
        }
        LockOptions options = waiter.request.options();
        StoreGrant hold = offered.grant();
        return hold != null && !hold.isAtRisk() && !wantsMore(options, hold);
    }

    /**
     * One turn of the wait loop. Called by the waiter's own thread or task, not by two at a time.
     *
     * @return {@link #DONE}, or how long to wait for a signal before the next turn
     */
    long step(Waiter waiter) {
        while (!waiter.isFinished() && !waiter.isAbandoned()) {
            if (context.isClosed()) {
                waiter.fail(context.closedException());
                break;
            }
            ClaimAttempt driven = lead(waiter);
            StoreGrant grant = driven == null ? null : driven.grant();
            if (driven != null && grant != null) {
                handOut(waiter, driven, grant);
                continue;
            }
            long nowNanos = context.time().nanoTime();
            long leftNanos = waiter.request.leftNanos(nowNanos);
            long untilAskNanos = driven == null ? Request.FOREVER : driven.untilAskNanos(nowNanos);
            if (leftNanos == 0 && (driven == null || waiter.hasAsked())) {
                timeIsUp(waiter);
                break;
            }
            if (driven == null || (untilAskNanos > 0 && leftNanos > 0)) {
                if (context.waits(waiter)) {
                    continue; // one more look, now that closing would wake it
                }
                return Math.min(untilAskNanos, leftNanos);
            }
            ask(waiter, driven);
        }
        leave(waiter);
        return DONE;
    }

    private void timeIsUp(Waiter waiter) {
        mutex.lock();
        try {
            unserved(waiter);
        } finally {
            mutex.unlock();
        }
    }

    /** Empty because somebody else has it; but if the store serves nobody that is what the caller must hear. */
    private void unserved(Waiter waiter) {
        RuntimeException obstacle = attempt == null ? null : attempt.obstacle();
        if (obstacle == null) {
            waiter.finish(null);
        } else {
            waiter.fail(obstacle);
        }
    }

    /** Returns the attempt if the waiter is the one to drive it, after starting one if there is none. */
    private @Nullable ClaimAttempt lead(Waiter waiter) {
        mutex.lock();
        try {
            if (line.first() != waiter || holder != null) {
                return null;
            }
            if (attempt == null) {
                int turns = cohort == null ? 1 : cohort.size();
                attempt = new ClaimAttempt(context, this, context.newClaim(resource, weight, turns, waiter.request));
                context.pursuing(attempt);
            }
            return attempt;
        } finally {
            mutex.unlock();
        }
    }

    private void ask(Waiter waiter, ClaimAttempt driven) {
        waiter.asking();
        RuntimeException failure = driven.ask(waiter.request);
        if (failure != null) {
            fail(waiter, driven, failure);
        } else if (driven.grant() == null) {
            tellWhy(waiter, driven.obstacle());
        }
    }

    /**
     * A waiter without time hears it alone. But when the store does not answer there is no sense in letting everybody find that out by
     * itself, one time-out after another.
     */
    private void fail(Waiter waiter, ClaimAttempt driven, RuntimeException failure) {
        if (!driven.isGivenUp()) {
            waiter.fail(failure);
            return;
        }
        for (Waiter each : dissolve()) {
            each.fail(each == waiter ? failure : driven.trouble());
            each.signal();
        }
        driven.abandon(true);
    }

    /** Gives the waiter its lease, if the grant is still good and long enough for what it asked. */
    private void handOut(Waiter waiter, ClaimAttempt driven, StoreGrant hold) {
        Request request = waiter.request;
        boolean good = true;
        if (!hold.hasEnded() && !hold.deadline().isPast(context.time()) && wantsMore(request.options(), hold)) {
            RuntimeException trouble = confirm(hold, request.options().lease());
            if (trouble != null && trouble.getCause() instanceof UnfitClaimException unfit) {
                waiter.fail(unfit); // alone: the grant is good for the next one
                return;
            }
            if (trouble != null && hold.isUnused()) {
                unconfirmed(waiter, driven, trouble);
                return;
            }
            good = trouble == null;
        }
        EngineLease lease;
        mutex.lock();
        try {
            if (attempt != driven) {
                return; // somebody was faster
            }
            attempt = null;
            lease = good ? take(waiter, hold) : null;
            if (lease != null) {
                line.remove(waiter);
            }
        } finally {
            mutex.unlock();
        }
        if (lease != null) {
            taken(waiter, driven, lease);
            return;
        }
        driven.abandon(false);
        if (request.once()) {
            waiter.fail(driven.tooLate());
        }
    }

    /** Whether the grant is too short: for a fixed lease, or for one that is longer than whoever asked for the grant wanted. */
    private static boolean wantsMore(LockOptions options, StoreGrant hold) {
        boolean soonRenewed =
                options.renewed() && options.lease().compareTo(hold.claim().lease()) <= 0;
        return !soonRenewed && hold.isShorterThan(options.lease());
    }

    /** Makes a lease of a grant that is still good; under the mutex. */
    private @Nullable EngineLease take(Waiter waiter, @Nullable StoreGrant hold) {
        if (hold == null || hold.hasEnded() || hold.deadline().isPast(context.time())) {
            return null;
        }
        EngineLease made = hold.handOut(waiter.request);
        if (hold.hasEnded()) { // who ends it from now on sees the lease, and tells it
            return null;
        }
        attempt = null;
        holder = hold;
        waiter.finish(made);
        return made;
    }

    private void taken(Waiter waiter, ClaimAttempt driven, EngineLease lease) {
        driven.handedOut(lease.hold());
        context.handedOut(lease.hold(), lease, waiter.request);
        if (lease.isClosed()) {
            waiter.fail(context.closedException());
        }
    }

    /** A fixed lease that is longer than what the grant has left is renewed once, before anybody relies on it. */
    private @Nullable RuntimeException confirm(StoreGrant hold, Duration lease) {
        try {
            context.watchdog().renewNow(hold, lease);
            return null;
        } catch (RuntimeException trouble) {
            return trouble;
        }
    }

    /**
     * The grant may be good, but not for as long as was asked: asking again with the same claim makes it so. Not for one that
     * was passed on here, because the answer would begin its block of tokens anew.
     */
    private void unconfirmed(Waiter waiter, ClaimAttempt driven, RuntimeException trouble) {
        RuntimeException failure = driven.unconfirmed(waiter.request, trouble);
        if (failure != null) {
            fail(waiter, driven, failure);
        }
    }

    /** Leaves the line, if the waiter is in it. The claim stays for the next waiter, or ends with the last one. */
    void leave(Waiter waiter) {
        ClaimAttempt orphan = null;
        Waiter heir = null;
        mutex.lock();
        try {
            if (waiter.inLine) {
                boolean led = line.first() == waiter;
                line.remove(waiter);
                if (led
                        && attempt != null
                        && (line.first() == null || !attempt.claim().waits() || attempt.isUnfit())) {
                    orphan = attempt;
                    attempt = null;
                }
                heir = led ? line.first() : null;
            }
        } finally {
            mutex.unlock();
        }
        if (!waiter.isFinished()) {
            waiter.finish(null);
        }
        if (orphan != null) {
            boolean late = waiter.request.leftNanos(context.time().nanoTime()) == 0;
            orphan.abandon(late || orphan.isTroubled());
        }
        if (heir != null) {
            heir.signal();
        }
    }

    /** Takes back a hold whose lease was closed after so long: to the next thread here if it may, else to the store. */
    void give(StoreGrant hold, long heldNanos) {
        Waiter heir;
        mutex.lock();
        try {
            line.turnTook(heldNanos);
            heir = hold.mayPass(COHORT_NANOS) ? line.first() : null;
            if (heir != null) {
                holder = null;
                attempt = ClaimAttempt.over(context, this, hold);
            } else if (cohort != null) {
                cohort.learnFrom(hold, line.size());
            }
        } finally {
            mutex.unlock();
        }
        if (heir != null) {
            heir.signal();
            return;
        }
        long startNanos = context.time().nanoTime();
        try {
            context.watchdog().forget(hold);
            context.end(hold.claim(), hold.unsettledUntilNanos(), hold.longest());
        } finally {
            free(hold, context.time().nanoTime() - startNanos);
        }
    }

    /** The gate is no longer held by this hold: it was lost. */
    void free(StoreGrant hold) {
        free(hold, 0);
    }

    /** The gate is no longer held by this hold: it went back to the store in so long, or was lost. */
    private void free(StoreGrant hold, long wentBackNanos) {
        Waiter heir = null;
        mutex.lock();
        try {
            if (cohort != null) {
                cohort.wentBackIn(wentBackNanos);
            }
            if (holder == hold) {
                holder = null;
                heir = line.first();
            }
        } finally {
            mutex.unlock();
        }
        if (heir != null) {
            heir.signal();
        }
    }

    /** Something happened to the attempt that its driver should see. */
    void signalFirst() {
        Waiter head;
        mutex.lock();
        try {
            head = line.first();
        } finally {
            mutex.unlock();
        }
        if (head != null) {
            head.signal();
        }
    }

    /** Why this one waits: a store that serves nobody must not look like a lock that somebody has. */
    private void tellWhy(Waiter waiter, @Nullable RuntimeException obstacle) {
        if (obstacle != null && !waiter.request.once() && waiter.firstObstruction()) {
            context.events().obstructed(resource, obstacle);
        } else if (obstacle == null && waiter.firstContention()) {
            context.events().contended(resource);
        }
    }

    /** Who has it and who waits here, as of now. */
    GateView view() {
        mutex.lock();
        try {
            List<String> waiting = new ArrayList<>();
            for (Waiter each = line.first(); each != null; each = each.next) {
                waiting.add(each.request.label());
            }
            EngineLease lease = holder == null ? null : holder.lease();
            boolean asked = attempt != null && !attempt.isPassedOn();
            return new GateView(
                    holder == null ? null : holder.claim().id(),
                    lease == null ? "" : lease.label(),
                    asked && attempt != null ? attempt.claim().id() : null,
                    waiting);
        } finally {
            mutex.unlock();
        }
    }

    /** What the store cannot show of this line, or null when there is no such thing. */
    @Nullable
    ClientLine unseen() {
        mutex.lock();
        try {
            StoreGrant hold = holder;
            if (hold == null) {
                return line.size() < 2 ? null : new ClientLine(resource.name(), 0, "", line.size() - 1);
            }
            EngineLease lease = hold.lease();
            return line.size() == 0 && !hold.isPassedOn()
                    ? null
                    : new ClientLine(
                            resource.name(),
                            hold.claim().id().sequence(),
                            lease == null ? "" : lease.label(),
                            line.size());
        } finally {
            mutex.unlock();
        }
    }

    private List<Waiter> dissolve() {
        List<Waiter> all = new ArrayList<>();
        mutex.lock();
        try {
            attempt = null;
            for (Waiter each = line.first(); each != null; each = line.first()) {
                all.add(each);
                line.remove(each);
            }
        } finally {
            mutex.unlock();
        }
        return all;
    }

    @Override
    public String toString() {
        return resource.kind() + " '" + resource.name() + "'";
    }
}
