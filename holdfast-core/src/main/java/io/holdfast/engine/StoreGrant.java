package io.holdfast.engine;

import io.holdfast.LostReason;
import io.holdfast.spi.Claim;
import io.holdfast.spi.ClientLine;
import io.holdfast.spi.TimeSource;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.time.Duration;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A grant of the store, from the answer to the release. Outlives the leases made of it: the threads of a cohort get one
 * lease each, one after another, with one token each from the block that the grant reserved. A block ends with its
 * grant.
 *
 * <p><b>States.</b> Good, then ended, once: given back or lost. Only {@link Endings} ends it; questions here change
 * nothing. The deadline moves only forward, only while the old one is not past, and never once the grant has ended.
 *
 * <p><b>Races.</b> A renewal against the deadline: {@link #renewed} replaces the deadline it saw, if that is not past.
 * A success that comes later is answered with a release.
 */
final class StoreGrant extends Watched<StoreGrant> {

    /** The gate that asked for a grant, as the grant's lease and those who end grants need it. */
    interface Owner {

        /** The claim on its way may have been granted, or asking may help now. */
        void signalDriver();

        /** The lease of the grant was closed after so long. */
        void returned(StoreGrant grant, long heldNanos);

        /** The grant is not here any more: it was lost, or left to the store. */
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

    private static final VarHandle DEADLINE = Fields.of(MethodHandles.lookup(), "deadline", Deadline.class);

    private final TimeSource time;
    private final Owner owner;
    private final Claim claim;
    private final long grantedNanos;
    private final long firstToken;

    /** The next token to hand out, and how many are left; guarded by the owner's mutex. */
    private long nextToken;

    private int tokensLeft;

    private volatile Deadline deadline;
    private volatile @Nullable CurrentLease lease;
    private volatile boolean ended;
    private volatile boolean kept;
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
        this.firstToken = firstToken;
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

    /** Why it is over, by the clocks or because its lease was lost; null while it is good. */
    @Nullable
    LostReason overBecause() {
        CurrentLease current = lease;
        if (!deadline.isPast(time)) {
            return current == null ? null : current.overBecause();
        }
        if (current != null && current.isOrphaned()) {
            return LostReason.OWNER_DIED;
        }
        return atRisk || renewing ? LostReason.STORE_UNREACHABLE : LostReason.EXPIRED;
    }

    /** When the clocks have something to find, on the monotonic one: for its renewal, or at its end. */
    long dueNanos() {
        long byStore = deadline.nanos();
        CurrentLease current = lease;
        long endNanos = current == null ? byStore : current.endNanos(byStore);
        boolean renews = !renewing && !renewal().isZero();
        return renews && renewAtNanos - endNanos < 0 ? renewAtNanos : endNanos;
    }

    // ---- leases

    /** The lease that a user has now or had last, or null. */
    @Nullable
    CurrentLease lease() {
        return lease;
    }

    /** The leases that users have of it now. */
    void forEachLease(Consumer<CurrentLease> action) {
        CurrentLease current = lease;
        if (current != null && !current.isClosed() && !current.isLost()) {
            action.accept(current);
        }
    }

    /** The token of the next lease; under the owner's mutex. */
    long takeToken() {
        tokensLeft--;
        return nextToken++;
    }

    /** Whoever ends the grant from now on sees this lease, and tells it; under the owner's mutex. */
    void lease(CurrentLease next) {
        lease = next;
    }

    /** How many more leases can be made of it; under the owner's mutex. */
    int tokensLeft() {
        return tokensLeft;
    }

    /** Whether no lease has been made of it yet. */
    boolean isUnused() {
        return lease == null;
    }

    /** Whether its lease belongs to a caller that did not ask the store for it. */
    boolean isPassedOn() {
        CurrentLease current = lease;
        return current != null && current.token() != firstToken;
    }

    /** Whether its lease is lost, even if nobody has acted on that yet. */
    boolean isLost() {
        CurrentLease current = lease;
        return current != null && current.isLost();
    }

    /** Whether the next waiter here may have it without asking the store; under the owner's mutex. */
    boolean mayPass(long withinNanos) {
        long enoughNanos = Math.min(claim.lease().toNanos() / 3, 1_000 * Deadline.NANOS_PER_MILLI);
        return tokensLeft > 0 && !ended && !atRisk && ageNanos() < withinNanos && remainingNanos() > enoughNanos;
    }

    // ---- its end

    boolean hasEnded() {
        return ended;
    }

    /** No renewal and no loss from now on; called by {@link WatchList#forget} only. */
    void end() {
        ended = true;
    }

    /** Whether the store has it for a time that the user asked for: nobody gives it back before. */
    boolean isKept() {
        return kept;
    }

    /** Before it ends, so that a renewal which is on its way does not give it back; called by {@link Endings} only. */
    void keep() {
        kept = true;
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
        CurrentLease current = lease;
        return current == null || current.isClosed() ? claim.lease() : current.renewal();
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
