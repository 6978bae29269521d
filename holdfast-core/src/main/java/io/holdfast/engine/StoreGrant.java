package io.holdfast.engine;

import io.holdfast.LockOptions;
import io.holdfast.LostReason;
import io.holdfast.spi.Claim;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A grant of the store, from the answer to the release. Outlives the leases made of it: the threads of a cohort get one
 * lease each, one after another, with one token each from the block that the grant reserved. A block dies with its hold.
 *
 * <p><b>States.</b> Good, then ended, once: given back or lost. The deadline moves only forward, only while the old one is not
 * past, and never once the hold has ended.
 *
 * <p><b>Races.</b> A renewal against the deadline: {@link #renewed} replaces the deadline it saw, if that is not past; whoever finds the
 * deadline past first calls {@link #lose}, and a success that comes later is answered with a release.
 */
final class StoreGrant {
    /** The last tries before a deadline must not become a storm. */
    private static final long LEAST_RETRY_NANOS = 10 * Deadline.NANOS_PER_MILLI;

    /** A store whose servers take over from each other is well again soon, and a lease that is put back late may be too short. */
    private static final long MOST_RETRY_NANOS = 1_000 * Deadline.NANOS_PER_MILLI;

    /** A hold is renewed when this part of what it has is over. */
    private static final int USUAL_PART = 3;

    /**
     * The same, from now, for one that got much less than was asked: who is handed a lock, and keeps it for longer than a moment, has the
     * whole lease.
     */
    private static final int SHORTENED_PART = 30;

    private static final VarHandle DEADLINE;
    private static final VarHandle ENTRY;

    static {
        try {
            MethodHandles.Lookup lookup = MethodHandles.lookup();
            DEADLINE = lookup.findVarHandle(StoreGrant.class, "deadline", Deadline.class);
            ENTRY = lookup.findVarHandle(StoreGrant.class, "entry", Watchdog.Entry.class);
        } catch (ReflectiveOperationException impossible) {
            throw new ExceptionInInitializerError(impossible);
        }
    }

    private final EngineContext context;
    private final Gate gate;
    private final Claim claim;
    private final long grantedNanos;
    private final long firstToken;

    /** The next token to hand out, and how many are left; guarded by the gate's mutex. */
    private long nextToken;

    private int tokensLeft;

    private volatile Deadline deadline;
    private volatile @Nullable EngineLease lease;
    private volatile boolean ended;
    private volatile long unsettledUntilNanos = ReleaseRetrier.SETTLED;
    private volatile Duration longest;

    /** What the watchdog knows: when to renew, whether it is doing so, why the end will come. */
    private volatile Watchdog.@Nullable Entry entry;

    private volatile long renewAtNanos;

    /** How much earlier than at its time it may be renewed, and others with it, to share one call. */
    private volatile long leewayNanos;

    private volatile boolean renewing;
    private volatile boolean atRisk;
    private volatile LostReason reason = LostReason.EXPIRED;

    /** @param grantedNanos from when the store counts, or earlier */
    StoreGrant(EngineContext context, Gate gate, Claim claim, long firstToken, long grantedNanos, Deadline deadline) {
        this.context = context;
        this.gate = gate;
        this.claim = claim;
        this.longest = claim.lease();
        this.firstToken = firstToken;
        this.nextToken = firstToken;
        this.tokensLeft = claim.tokens();
        this.deadline = deadline;
        this.grantedNanos = grantedNanos;
        long usableNanos = deadline.nanos() - grantedNanos;
        if (usableNanos < claim.lease().toNanos() / 10 * 9) {
            renewAfter(context.time().nanoTime(), usableNanos / SHORTENED_PART);
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

    Deadline deadline() {
        return deadline;
    }

    long remainingNanos() {
        return deadline.remainingNanos(context.time());
    }

    /** Makes the next lease; under the gate's mutex. */
    EngineLease handOut(Request request) {
        EngineLease next = new EngineLease(context, this, nextToken, request);
        nextToken++;
        tokensLeft--;
        lease = next;
        return next;
    }

    /** Whether somebody has it who did not ask the store for it. */
    boolean isPassedOn() {
        EngineLease current = lease;
        return current != null && current.token() != firstToken;
    }

    Gate gate() {
        return gate;
    }

    /** How long ago it was granted, or longer. */
    long ageNanos() {
        return context.time().nanoTime() - grantedNanos;
    }

    /** How many more leases can be made of it; under the gate's mutex. */
    int tokensLeft() {
        return tokensLeft;
    }

    /** Whether no lease has been made of it yet. */
    boolean isUnused() {
        return lease == null;
    }

    /** Whether the next waiter here may have it without asking the store; under the gate's mutex. */
    boolean mayPass(long withinNanos) {
        long enoughNanos = Math.min(claim.lease().toNanos() / 3, 1_000 * Deadline.NANOS_PER_MILLI);
        return tokensLeft > 0 && !ended && !atRisk && ageNanos() < withinNanos && remainingNanos() > enoughNanos;
    }

    /** Whether a fixed lease of this length would end long after what the store has granted. */
    boolean isShorterThan(Duration fixed) {
        return remainingNanos() < fixed.toNanos() / 10 * 9;
    }

    /** Gives the lock back; called once, by the lease that was closed after so long. */
    void give(long heldNanos) {
        gate.give(this, heldNanos);
    }

    boolean hasEnded() {
        return ended;
    }

    /** No renewal, no loss from now on: it is given back. */
    void end() {
        ended = true;
    }

    /** The end that nobody asked for: tells the lease, frees the gate. Safe to call by anybody, any number of times. */
    void lose(LostReason why) {
        context.watchdog().forget(this);
        EngineLease current = lease;
        if (current != null) {
            current.lost(why);
        }
        gate.free(this);
        boolean storeMayKeepIt = deadline.nanos() - context.time().nanoTime() > 0 && why != LostReason.FORGOTTEN;
        if (storeMayKeepIt || unsettledUntilNanos != ReleaseRetrier.SETTLED) {
            context.settle(claim, unsettledUntilNanos, longest);
        }
    }

    /** As {@link #lose}, if the deadline of the hold or the allowed time of its lease is past. */
    boolean loseIfPast() {
        EngineLease current = lease;
        if (deadline.isPast(context.time())) {
            boolean unanswered = renewing && reason == LostReason.EXPIRED;
            lose(unanswered ? LostReason.STORE_UNREACHABLE : reason);
            return true;
        }
        if (current == null || !current.isOverdue()) {
            return false;
        }
        LostReason why = current.options().renewed() ? LostReason.MAX_HOLD : LostReason.EXPIRED;
        boolean wasHeld = current.lost(why);
        if (wasHeld) {
            lose(why);
        }
        return wasHeld;
    }

    /** When {@link #loseIfPast} has something to find, on the monotonic clock. */
    long endNanos() {
        long byStore = deadline.nanos();
        EngineLease current = lease;
        return current != null && current.hasEnd() && current.endNanos() - byStore < 0 ? current.endNanos() : byStore;
    }

    /** The store confirmed the claim until then. False when that came too late. */
    boolean renewed(Deadline until) {
        Deadline old;
        do {
            old = deadline;
            if (ended || old.isPast(context.time())) {
                return false;
            }
        } while (until.isAfter(old) && !DEADLINE.compareAndSet(this, old, until));
        if (ended) {
            return false;
        }
        atRisk = false;
        reason = LostReason.EXPIRED;
        renewAfter(context.time().nanoTime(), Math.max(0, remainingNanos()) / USUAL_PART);
        return true;
    }

    /** A renewal failed. True for the first of a row. */
    boolean renewalFailed() {
        boolean firstOfRow = !atRisk;
        atRisk = true;
        reason = LostReason.STORE_UNREACHABLE;
        long waitNanos = Math.min(remainingNanos() / 4, MOST_RETRY_NANOS);
        renewAfter(context.time().nanoTime(), Math.max(waitNanos, LEAST_RETRY_NANOS));
        return firstOfRow;
    }

    /** How long the next renewal should ask for; zero when there shall be none. */
    Duration renewal() {
        EngineLease current = lease;
        if (current == null || current.isClosed()) {
            return claim.lease();
        }
        LockOptions options = current.options();
        if (!options.renewed()) {
            return Duration.ZERO;
        }
        if (current.ownerDied()) {
            reason = LostReason.OWNER_DIED;
            return Duration.ZERO;
        }
        return options.lease();
    }

    Watchdog.@Nullable Entry entry() {
        return entry;
    }

    boolean replaceEntry(Watchdog.@Nullable Entry old, Watchdog.@Nullable Entry replacement) {
        return ENTRY.compareAndSet(this, old, replacement);
    }

    /** Returns the entry and leaves another, for good. */
    Watchdog.@Nullable Entry lastEntry(Watchdog.Entry end) {
        return (Watchdog.Entry) ENTRY.getAndSet(this, end);
    }

    /** Spreads holds over the nursery without an identity hash, which is dear for an object that lives for a microsecond. */
    @Override
    public int hashCode() {
        return Long.hashCode(claim.id().sequence());
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

    /** The lease that a user has now, or null. */
    @Nullable
    EngineLease lease() {
        return lease;
    }

    long unsettledUntilNanos() {
        return unsettledUntilNanos;
    }

    /** Notes what the store is asked for. */
    void asksFor(Duration lease) {
        if (lease.compareTo(longest) > 0) {
            longest = lease;
        }
    }

    /** The longest lease that the store may have given it. */
    Duration longest() {
        return longest;
    }

    /** Notes that a request of this claim may still take effect up to then. */
    void unsettledUntil(long untilNanos) {
        if (untilNanos != ReleaseRetrier.SETTLED) {
            unsettledUntilNanos = ReleaseRetrier.later(unsettledUntilNanos, untilNanos);
        }
    }
}
