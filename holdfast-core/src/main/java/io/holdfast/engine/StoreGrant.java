package io.holdfast.engine;

import io.holdfast.LostReason;
import io.holdfast.spi.Claim;
import io.holdfast.spi.ClientLine;
import io.holdfast.spi.TimeSource;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.time.Duration;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A grant of the store, from the answer to the release: a <em>hold</em>. Outlives the leases made of it: the threads of
 * a cohort get one lease each, one after another or, if they only read, several at once, with one token each from the
 * block that the grant reserved. A block ends with its grant.
 *
 * <p><b>States.</b> Good, then ended, once: given back or lost. Only {@link Endings} ends it; questions here change
 * nothing. The deadline moves only forward, only while the old one is not past, and never once the grant has ended.
 *
 * <p><b>Invariants.</b> It knows every lease that a user has of it, so that whatever happens to it reaches each of
 * them. It has no lease that would last longer than it does. It is renewed while one of its leases wants that, for as
 * long as the longest of them asks.
 *
 * <p><b>Races.</b> A renewal against the deadline: {@link #renewed} replaces the deadline it saw, if that is not past.
 * A success that comes later is answered with a release. An end against a new lease: {@code ended} is written before
 * the leases are read, and a lease is added before {@code ended} is read, so that one of the two sides notices. A
 * renewal that fails against a new lease: both happen under the owner's mutex.
 */
final class StoreGrant extends Watched<StoreGrant> {

    /** The gate that asked for a grant, as the grant's lease and those who end grants need it. */
    interface Owner {

        /** The claim on its way may have been granted, or asking may help now. */
        void signalDriver();

        /** A lease of the grant was closed after so long. */
        void returned(StoreGrant grant, CurrentLease lease, long heldNanos);

        /**
         * A lease of the grant is over, and only that one.
         *
         * @return whether the grant goes on without it; otherwise it was the last, and nobody joins the grant any more
         */
        boolean ended(StoreGrant grant, CurrentLease lease);

        /**
         * A renewal of the grant failed. Nobody gets a lease of it from now on, until one succeeds.
         *
         * @return the leases to be told: all that there are, if this is the first failure since the last success
         */
        CurrentLease[] troubled(StoreGrant grant);

        /** The grant was lost. */
        void lost(StoreGrant grant);

        /** What the store cannot show of those who wait here, or null when there is no such thing. */
        @Nullable
        ClientLine unseen();
    }

    /** The last tries before a deadline must not become a storm. */
    private static final long LEAST_RETRY_NANOS = 10 * Deadline.NANOS_PER_MILLI;

    /** A store that fails over is well again soon, and a lease that is restored late may be too short by then. */
    private static final long MOST_RETRY_NANOS = 1_000 * Deadline.NANOS_PER_MILLI;

    /** A grant is renewed when this part of what it has is over. */
    private static final int USUAL_PART = 3;

    /**
     * The same, from now, for a grant that got much less than was asked: a caller that keeps it for longer gets the
     * whole lease.
     */
    private static final int SHORTENED_PART = 30;

    /** In place of a time: it is not to be kept. */
    private static final long NOT_KEPT = Long.MIN_VALUE;

    static final CurrentLease[] NONE = {};

    private static final VarHandle DEADLINE = Fields.of(MethodHandles.lookup(), "deadline", Deadline.class);
    private static final VarHandle KEPT_UNTIL = Fields.of(MethodHandles.lookup(), "keptUntilNanos", long.class);

    private final TimeSource time;
    private final Owner owner;
    private final Claim claim;
    private final long grantedNanos;

    /** The next token to hand out, and how many are left; guarded by the owner's mutex. */
    private long nextToken;

    private int tokensLeft;

    /** The leases that users have of it; replaced, never changed, under the owner's mutex. */
    private volatile CurrentLease[] leases = NONE;

    private volatile boolean passedOn;
    private volatile Deadline deadline;
    private volatile boolean ended;
    private volatile long keptUntilNanos = NOT_KEPT;
    private volatile long unsettledUntilNanos = ReleaseRetrier.SETTLED;
    private volatile Duration longest;

    /** What the watchdog knows: when to renew, whether it is doing so, whether that failed. */
    private volatile long renewAtNanos;

    /** How much earlier than at its time it may be renewed, and others with it, to share one call. */
    private volatile long leewayNanos;

    private volatile boolean renewing;
    private volatile boolean atRisk;

    /** @param grantedNanos from when the store counts, or earlier */
    StoreGrant(TimeSource time, Owner owner, Claim claim, long firstToken, long grantedNanos, Deadline deadline) {
        this.time = time;
        this.owner = owner;
        this.claim = claim;
        this.longest = claim.lease();
        this.nextToken = firstToken;
        this.tokensLeft = claim.tokens();
        this.deadline = deadline;
        this.grantedNanos = grantedNanos;
        long usableNanos = deadline.nanos() - grantedNanos;
        if (usableNanos < claim.lease().toNanos() / 10 * 9) {
            renewAfter(time.nanoTime(), usableNanos / SHORTENED_PART);
        } else {
            renewAfter(grantedNanos, usableNanos / USUAL_PART);
        }
    }

    private void renewAfter(long nowNanos, long pauseNanos) {
        renewAtNanos = nowNanos + pauseNanos;
        leewayNanos = pauseNanos / 2;
    }

    Claim claim() {
        return claim;
    }

    Owner owner() {
        return owner;
    }

    // ---- time

    Deadline deadline() {
        return deadline;
    }

    long remainingNanos() {
        return deadline.remainingNanos(time);
    }

    /** How long ago it was granted, or longer. */
    long ageNanos() {
        return time.nanoTime() - grantedNanos;
    }

    /** Whether a fixed lease of this length would end long after what the store has granted. */
    boolean isShorterThan(Duration fixed) {
        return remainingNanos() < fixed.toNanos() / 10 * 9;
    }

    /** Why it is over, with all its leases, by the clocks; null while it is good. */
    @Nullable
    LostReason overBecause() {
        if (!deadline.isPast(time)) {
            return null;
        }
        return atRisk || renewing ? LostReason.STORE_UNREACHABLE : LostReason.EXPIRED;
    }

    /** Why a lease of it is over: with the grant, or because its own time is up; null while it is good. */
    @Nullable
    LostReason overBecause(CurrentLease lease) {
        LostReason all = overBecause();
        if (all == null) {
            return lease.overBecause();
        }
        return lease.isOrphaned() ? LostReason.OWNER_DIED : all;
    }

    /** When the clocks have something to find, on the monotonic one: for its renewal, or at the end of a lease. */
    long dueNanos() {
        long byStore = deadline.nanos();
        long endNanos = byStore;
        for (CurrentLease lease : leases) {
            long itsEndNanos = lease.endNanos(byStore);
            endNanos = itsEndNanos - endNanos < 0 ? itsEndNanos : endNanos;
        }
        boolean renews = !renewing && !renewal().isZero();
        return renews && renewAtNanos - endNanos < 0 ? renewAtNanos : endNanos;
    }

    // ---- leases

    /** The leases that users have of it. One that has just been closed may still be among them. Not to be changed. */
    CurrentLease[] leases() {
        return leases;
    }

    /** The token of the next lease; under the owner's mutex. */
    long takeToken() {
        passedOn = tokensLeft < claim.tokens();
        tokensLeft--;
        return nextToken++;
    }

    /** Whoever ends the grant from now on sees this lease, and tells it; under the owner's mutex. */
    void add(CurrentLease lease) {
        CurrentLease[] more = Arrays.copyOf(leases, leases.length + 1);
        more[leases.length] = lease;
        leases = more;
    }

    /** A lease has ended, and the grant has not; under the owner's mutex. */
    void remove(CurrentLease lease) {
        leases = hasOnly(lease)
                ? NONE
                : Arrays.stream(leases).filter(each -> each != lease).toArray(CurrentLease[]::new);
    }

    /** Whether this is the one lease that a user has of it. */
    boolean hasOnly(CurrentLease lease) {
        return leases.length == 1 && leases[0] == lease;
    }

    /** Whether no user has a lease of it. */
    boolean isIdle() {
        return leases.length == 0;
    }

    /** How many more leases can be made of it; under the owner's mutex. */
    int tokensLeft() {
        return tokensLeft;
    }

    /** Whether a caller had a lease of it that did not ask the store for it. */
    boolean isPassedOn() {
        return passedOn;
    }

    /** Whether every lease of it is lost, even if nobody has acted on that yet. */
    boolean isLost() {
        for (CurrentLease lease : leases) {
            if (!lease.isLost()) {
                return false;
            }
        }
        return leases.length > 0;
    }

    /** Whether somebody else here may have a lease of it without asking the store; under the owner's mutex. */
    boolean mayPass(long withinNanos) {
        long enoughNanos = Math.min(claim.lease().toNanos() / 3, 1_000 * Deadline.NANOS_PER_MILLI);
        return tokensLeft > 0
                && !ended
                && !atRisk
                && !isKept()
                && ageNanos() < withinNanos
                && remainingNanos() > enoughNanos;
    }

    // ---- its end

    boolean hasEnded() {
        return ended;
    }

    /** No renewal and no loss from now on; called by {@link WatchList#forget} only. */
    void end() {
        ended = true;
    }

    /** Whether the store has it for a time that a user asked for: nobody gives it back before. */
    boolean isKept() {
        return keptUntilNanos != NOT_KEPT;
    }

    /** Until when the store has it for a user that asked for that; means something only if it is kept. */
    long keptUntilNanos() {
        return keptUntilNanos;
    }

    /** The store is to keep it until then, or longer. Before it ends, so that a late renewal does not give it back. */
    void keepUntil(long nanos) {
        long old;
        do {
            old = keptUntilNanos;
        } while ((old == NOT_KEPT || nanos - old > 0) && !KEPT_UNTIL.compareAndSet(this, old, nanos));
    }

    long unsettledUntilNanos() {
        return unsettledUntilNanos;
    }

    /** Notes that a request of this claim may still take effect up to then. */
    void unsettledUntil(long untilNanos) {
        if (untilNanos != ReleaseRetrier.SETTLED) {
            unsettledUntilNanos = ReleaseRetrier.later(unsettledUntilNanos, untilNanos);
        }
    }

    /** The longest lease that the store may have given it. */
    Duration longest() {
        return longest;
    }

    // ---- renewals

    /** How long the next renewal should ask for; zero for no renewal. */
    Duration renewal() {
        boolean inUse = false;
        Duration longest = Duration.ZERO;
        for (CurrentLease lease : leases) {
            if (!lease.isClosed()) {
                inUse = true;
                Duration wanted = lease.renewal();
                longest = wanted.compareTo(longest) > 0 ? wanted : longest;
            }
        }
        return inUse ? longest : claim.lease();
    }

    /** Notes what the store is asked for. */
    void asksFor(Duration lease) {
        if (lease.compareTo(longest) > 0) {
            longest = lease;
        }
    }

    /** The store confirmed the claim until then. False when that came too late. */
    boolean renewed(Deadline until) {
        Deadline old;
        do {
            old = deadline;
            if (ended || old.isPast(time)) {
                return false;
            }
        } while (until.isAfter(old) && !DEADLINE.compareAndSet(this, old, until));
        if (ended) {
            return false;
        }
        atRisk = false;
        renewAfter(time.nanoTime(), Math.max(0, remainingNanos()) / USUAL_PART);
        return true;
    }

    /** A renewal failed. True for the first failure since the last success. */
    boolean renewalFailed() {
        boolean first = !atRisk;
        atRisk = true;
        long waitNanos = Math.min(remainingNanos() / 4, MOST_RETRY_NANOS);
        renewAfter(time.nanoTime(), Math.max(waitNanos, LEAST_RETRY_NANOS));
        return first;
    }

    /** Whether the last renewal failed. */
    boolean isAtRisk() {
        return atRisk;
    }

    long renewAtNanos() {
        return renewAtNanos;
    }

    long leewayNanos() {
        return leewayNanos;
    }

    boolean isRenewing() {
        return renewing;
    }

    void renewing(boolean underWay) {
        renewing = underWay;
    }

    /**
     * Spreads grants over the nursery without an identity hash, which is expensive for an object that lives for a
     * microsecond.
     */
    @Override
    public int hashCode() {
        return Long.hashCode(claim.id().sequence());
    }
}
