package io.holdfast.engine;

import io.holdfast.GaveUpReason;
import io.holdfast.spi.ClaimId;
import io.holdfast.spi.Resource;
import io.holdfast.spi.UnfitClaimException;
import io.holdfast.spi.WaitRecord;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Where callers wait for a lease, and the wait loop: there is no other. A {@link SharedGate} has a line of callers who
 * share what the client holds, a {@link SoloGate} has one caller with a claim of its own in the store's line.
 *
 * <p><b>The loop.</b> {@link #step} is called by the waiter's own thread or task, never by two at a time. Whoever was
 * {@link Waiter#called called} looks at what the client holds. Whoever {@link #lead drives} an attempt asks the store
 * when that is due, and makes a lease of the grant when it has come. Everybody else waits for a signal.
 *
 * <p><b>Races.</b> A grant against a cancel: the cancelled waiter leaves, the grant stays with the attempt and goes to
 * the next waiter, or back to the store when there is none. A loss against a release: the lease's state decides, once.
 */
abstract class Gate implements StoreGrant.Owner {

    /** What {@link #step} answers when the waiter has ended. */
    static final long DONE = 0;

    /**
     * Where a caller waits.
     *
     * @param claim the claim that stands in the store for its line, or that it waits behind
     * @param where how it waits there
     * @param most the greatest weight that has to be served before it or with it
     */
    record Place(ClaimId claim, WaitRecord.Place where, int most) {}

    final GateServices services;
    private final Resource resource;

    /** Not used, but kept: while somebody waits or holds here, the client must not forget what they share. */
    @SuppressWarnings("unused")
    private final @Nullable Object kept;

    Gate(GateServices services, Resource resource, @Nullable Object kept) {
        this.services = services;
        this.resource = resource;
        this.kept = kept;
    }

    final Resource resource() {
        return resource;
    }

    // ---- what the two kinds of gates do differently

    /** Where a caller of this gate waits, for those who look for deadlocks; null if it does not wait just now. */
    abstract @Nullable Place place(Waiter waiter);

    /** The waiter comes. It may have ended when this returns. */
    abstract void enter(Waiter waiter);

    /**
     * Returns the attempt that this waiter is to drive, after starting one if there is none; null if it only waits. The
     * waiter may have ended when this returns, with a hold that the client has already, or has found one that is {@link
     * Waiter#tooShort too short} for it.
     */
    abstract @Nullable ClaimAttempt lead(Waiter waiter);

    /** The attempt is over: makes a lease of its grant for the waiter if the grant is still good. */
    abstract void conclude(Waiter waiter, ClaimAttempt driven, StoreGrant grant);

    /**
     * The waiter's time is up: it ends empty because others have the lock, or fails because the store serves nobody.
     */
    abstract void timeIsUp(Waiter waiter);

    /** Takes the waiters out of the line whose patience with the outage is over. The driver leaves by itself. */
    abstract List<Waiter> giveUp(Waiter driver, ClaimAttempt driven);

    /** The waiter goes. Called once for each, when its last step is done. */
    abstract void leave(Waiter waiter);

    // ---- the wait loop

    /** One turn of the wait loop. Returns {@link #DONE}, or how long to wait for a signal before the next turn. */
    final long step(Waiter waiter) {
        while (!waiter.isFinished() && !waiter.isAbandoned()) {
            if (services.life().isClosed()) {
                waiter.fail(services.life().closedException());
                break;
            }
            ClaimAttempt driven = waiter.driven != null && !waiter.called ? waiter.driven : lead(waiter);
            if (waiter.isFinished()) {
                break;
            }
            if (waiter.tooShort != null) {
                confirm(waiter, waiter.tooShort);
                continue;
            }
            StoreGrant grant = driven == null ? null : driven.grant();
            if (driven != null && grant != null) {
                handOut(waiter, driven, grant);
                continue;
            }
            long nowNanos = services.time().nanoTime();
            long leftNanos = waiter.request.leftNanos(nowNanos);
            long untilAskNanos = driven == null ? Request.FOREVER : driven.untilAskNanos(nowNanos);
            if (leftNanos == 0 && (driven == null || waiter.hasAsked())) {
                timeIsUp(waiter);
                break;
            }
            if (driven == null || (untilAskNanos > 0 && leftNanos > 0)) {
                if (waiter.isFinished() || waiter.isAbandoned()) {
                    break; // a thread that parked at the mutex has used up the signal that said so
                }
                return Math.min(untilAskNanos, leftNanos);
            }
            ask(waiter, driven);
        }
        return DONE;
    }

    private void ask(Waiter waiter, ClaimAttempt driven) {
        waiter.asking();
        RuntimeException failure = services.attempts().ask(driven, waiter.request);
        if (failure != null || driven.grant() == null) {
            unanswered(waiter, driven, failure);
        }
    }

    /**
     * The question brought no grant. A waiter without time fails alone. But when the store does not answer, all waiters
     * fail that do not wait through outages: it makes no sense that each of them finds that out by itself, one time-out
     * after another.
     */
    private void unanswered(Waiter waiter, ClaimAttempt driven, @Nullable RuntimeException failure) {
        RuntimeException obstacle = driven.obstacle();
        if (failure != null) {
            waiter.fail(failure);
        } else {
            tellWhy(waiter, obstacle);
        }
        if (obstacle == null || !driven.isOutage()) {
            return;
        }
        for (Waiter each : giveUp(waiter, driven)) {
            unserved(each, driven);
            each.signal();
        }
    }

    /** Gives the waiter its lease, if the grant is still good and long enough for what it asked. */
    private void handOut(Waiter waiter, ClaimAttempt driven, StoreGrant grant) {
        Request request = waiter.request;
        if (services.leases().isGood(grant) && Leases.wantsMore(request.options(), grant)) {
            RuntimeException trouble = confirm(waiter, grant);
            if (waiter.isFinished()) {
                return;
            }
            if (trouble != null) { // asking again with the same claim may make it long enough
                unanswered(waiter, driven, services.attempts().unconfirmed(driven, request, trouble));
                return;
            }
        }
        conclude(waiter, driven, grant);
        EngineLease lease = waiter.lease();
        if (lease != null) {
            services.attempts().handedOut(driven, grant);
            taken(waiter, lease);
            return;
        }
        services.attempts().abandon(driven, false);
        if (request.once()) {
            waiter.fail(driven.tooLate());
        }
    }

    /**
     * Has a grant renewed that is too short for the waiter, before it relies on it. One that could not be renewed is at
     * risk, and nobody's. A waiter that wants more than the store gives fails, alone: the grant is good for others.
     */
    private @Nullable RuntimeException confirm(Waiter waiter, StoreGrant grant) {
        waiter.tooShort = null;
        waiter.confirmed = grant;
        RuntimeException trouble =
                services.leases().confirm(grant, waiter.request.options().lease());
        if (trouble != null && trouble.getCause() instanceof UnfitClaimException unfit) {
            waiter.fail(unfit);
        }
        return trouble;
    }

    /** Under the mutex, if there is one. */
    final @Nullable EngineLease take(Waiter waiter, StoreGrant grant) {
        EngineLease lease = services.leases().take(grant, waiter.request);
        if (lease != null) {
            waiter.finish(lease);
        }
        return lease;
    }

    /** What follows on {@link #take}, without the mutex. */
    final void taken(Waiter waiter, EngineLease lease) {
        Flight.acquired(waiter.flight, resource, lease.token(), "acquired");
        services.leases().handedOut(lease, waiter.request, waiter.isContended());
        if (lease.isClosed()) {
            waiter.fail(services.life().closedException());
        }
    }

    /** Empty because somebody else has it. But if the store serves nobody, that is what the caller gets. */
    static void unserved(Waiter waiter, @Nullable ClaimAttempt attempt) {
        RuntimeException obstacle = attempt == null ? null : attempt.obstacle();
        if (obstacle == null) {
            waiter.finish(null);
        } else {
            waiter.fail(obstacle);
        }
    }

    /** Tells listeners why this caller waits: a store that serves nobody must not look like a lock that is taken. */
    final void tellWhy(Waiter waiter, @Nullable RuntimeException obstacle) {
        if (obstacle != null && !waiter.request.once() && waiter.firstObstruction()) {
            services.events().obstructed(resource, obstacle);
        } else if (obstacle == null && waiter.firstContention()) {
            services.events().contended(resource);
        }
    }

    /** Which leases are told that a renewal of the grant failed; under the mutex, if there is one. */
    static CurrentLease[] toldOfTrouble(StoreGrant grant) {
        return grant.renewalFailed() ? grant.leases() : StoreGrant.NONE;
    }

    /** The last steps of {@link #leave}: nobody drives the attempt any more. */
    final void left(Waiter waiter, @Nullable ClaimAttempt orphan) {
        waiter.driven = null;
        if (!waiter.isFinished()) {
            waiter.finish(null);
        }
        if (orphan != null) {
            boolean late = waiter.request.leftNanos(services.time().nanoTime()) == 0;
            services.attempts().abandon(orphan, late || orphan.isTroubled());
        }
    }

    /** Tells listeners how a waiter ended that was not handed a lease; for one that was, they have been told. */
    final void tellEnd(Waiter waiter, @Nullable Throwable failure, GaveUpReason unwanted) {
        if (waiter.lease() != null) {
            return;
        }
        boolean closed =
                failure instanceof IllegalStateException && services.life().isClosed();
        if (failure != null && !closed) {
            Flight.acquired(waiter.flight, resource, 0, "failed");
            services.events().failed(resource, waiter.request, failure, waiter.isContended());
            return;
        }
        GaveUpReason why = closed ? GaveUpReason.CLOSED : waiter.isAbandoned() ? unwanted : GaveUpReason.BUSY;
        Flight.acquired(waiter.flight, resource, 0, why.name().toLowerCase(Locale.ROOT));
        services.events().gaveUp(resource, waiter.request, why, waiter.isContended());
    }

    @Override
    public String toString() {
        return resource.kind() + " '" + resource.name() + "'";
    }
}
