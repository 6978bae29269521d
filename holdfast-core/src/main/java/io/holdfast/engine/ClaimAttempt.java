package io.holdfast.engine;

import io.holdfast.DurationText;
import io.holdfast.LockException;
import io.holdfast.LockRefusedException;
import io.holdfast.LockStoreException;
import io.holdfast.spi.AttemptResult;
import io.holdfast.spi.Claim;
import io.holdfast.spi.Resource;
import io.holdfast.spi.TimeSource;
import io.holdfast.spi.UnfitClaimException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.time.Duration;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One claim on its way to a grant: when to ask the store, and what its answers mean. Belongs to a gate; only the first
 * waiter of the gate's line touches it, except for {@link #push} and {@link #askNow}, which anybody may call.
 */
final class ClaimAttempt {

    /** The net under lost messages: a claim in the line asks again after this time, give or take a fifth. */
    private static final long POLL_NANOS = 1_000 * Deadline.NANOS_PER_MILLI;

    /** The same for a store that cannot announce grants, or keeps no line. */
    private static final long UNANNOUNCED_POLL_NANOS = 100 * Deadline.NANOS_PER_MILLI;

    /** How many of the line ask at the very end of the holder's lease; the others are served by these. */
    private static final int FIRST_PLACES = 2;

    /** How many exceptions in a row a waiting claim takes before its waiters fail. */
    private static final int RETRIES = 2;

    /** The pause before the first retry; it doubles, so many times at most. */
    private static final long RETRY_NANOS = 50 * Deadline.NANOS_PER_MILLI;

    private static final int MOST_DOUBLINGS = 5;

    /** A shorter patience would turn the end of a bounded wait into a false alarm about the store. */
    private static final Duration LEAST_PATIENCE = Duration.ofMillis(100);

    /** Stands for a wait without end. */
    private static final long LONGEST_PATIENCE_NANOS = 3_600_000 * Deadline.NANOS_PER_MILLI;

    private static final VarHandle PUSHED = Fields.of(MethodHandles.lookup(), "pushed", StoreGrant.class);

    private final StoreCalls store;
    private final EngineRuntime runtime;
    private final TimeSource time;
    private final StoreGrant.Owner owner;
    private final Claim claim;

    /** A grant that the store sent by itself and nobody has looked at yet. */
    @SuppressWarnings("UnusedVariable") // through its handle
    private volatile @Nullable StoreGrant pushed;

    /** A grant that waits to be handed out, by reply or by message. */
    private @Nullable StoreGrant inHand;

    /**
     * When the last question was sent, on both clocks. A message counts from there, because the wall clock of now knows
     * nothing of a machine that slept since. Written in this order and read in the other, so that a mixture only ends a
     * lease earlier.
     */
    private volatile long sentNanos;

    private volatile long sentWallMillis;

    /** Why the store grants to nobody here now, as far as the last answer or the lack of one tells. */
    private volatile @Nullable Supplier<RuntimeException> obstacle;

    private volatile boolean askNow = true;
    private long nextAskNanos;

    /** Whether the store may know the claim, so that giving up needs a release. */
    private boolean knownToStore;

    /** Until when a request whose outcome is unknown may still take effect. */
    private long unsettledUntilNanos = ReleaseRetrier.SETTLED;

    /** Whether the store can never grant the claim as its first waiter wanted it. */
    private boolean unfit;

    private int failures;

    /** When the first of these failures was seen; means nothing if there is none. */
    private long failingSinceNanos;

    private @Nullable RuntimeException trouble;

    ClaimAttempt(StoreCalls store, EngineRuntime runtime, StoreGrant.Owner owner, Claim claim) {
        this.store = store;
        this.runtime = runtime;
        this.time = runtime.time();
        this.owner = owner;
        this.claim = claim;
    }

    Claim claim() {
        return claim;
    }

    /**
     * The store served the claim by itself. A lease that would begin in the future is not believed: asking will tell.
     */
    void push(long token, Duration left, long startNanos) {
        if (startNanos - time.nanoTime() > 0) {
            askNow();
            return;
        }
        long wallMillis = sentWallMillis;
        long sinceSentMillis = (startNanos - sentNanos) / Deadline.NANOS_PER_MILLI;
        Deadline deadline = Deadline.of(startNanos, wallMillis + sinceSentMillis, left);
        PUSHED.setVolatile(this, new StoreGrant(time, owner, claim, token, startNanos, deadline));
        owner.signalDriver();
    }

    /** Asking may help now. */
    void askNow() {
        askNow = true;
        owner.signalDriver();
    }

    /** The grant to hand out, or null. A message and a reply say the same; the later deadline wins. */
    @Nullable
    StoreGrant grant() {
        StoreGrant message = (StoreGrant) PUSHED.getAndSet(this, null);
        if (message != null && (inHand == null || message.deadline().isAfter(inHand.deadline()))) {
            inHand = message;
        }
        return inHand;
    }

    /** How long until the next question is due; zero when it is. */
    long untilAskNanos(long nowNanos) {
        return askNow ? 0 : Math.max(0, nextAskNanos - nowNanos);
    }

    /** Asks the store once. Returns what the waiter fails with if there is no sense in going on. */
    @Nullable
    RuntimeException ask(Request request) {
        askNow = false;
        long sent = time.nanoTime();
        long sentWall = time.wallMillis();
        sentNanos = sent;
        sentWallMillis = sentWall;
        AttemptResult result;
        try {
            result = store.attempt(claim, patience(request, sent));
        } catch (UnfitClaimException neverSent) {
            unfit = true;
            return neverSent;
        } catch (RuntimeException unknown) {
            return troubled(request, unknown);
        } catch (Error unknown) {
            askNow = true;
            unsettledUntil(time.nanoTime() + store.requestTimeout().toNanos());
            throw unknown;
        }
        trouble = null;
        obstacle = null;
        if (result instanceof AttemptResult.Granted granted) {
            knownToStore = true;
            Deadline deadline = Deadline.of(sent, sentWall, granted.left());
            inHand = new StoreGrant(time, owner, claim, granted.token(), sent, deadline);
            return null;
        }
        failures = 0;
        long nowNanos = time.nanoTime();
        if (result instanceof AttemptResult.Queued queued) {
            knownToStore = true;
            nextAskNanos = nowNanos + pollNanos(queued);
        } else if (result instanceof AttemptResult.Busy busy) {
            nextAskNanos = nowNanos + Math.min(jittered(UNANNOUNCED_POLL_NANOS), atLeastOneMilli(busy.left()));
        } else if (result instanceof AttemptResult.Refused refused) {
            return refused(request, nowNanos, refused);
        } else if (result instanceof AttemptResult.Mismatched mismatched) {
            return mismatched(mismatched.capacity());
        }
        return null;
    }

    private Duration patience(Request request, long nowNanos) {
        Duration timeout = store.requestTimeout();
        if (request.once()) {
            return timeout;
        }
        Duration left = Duration.ofNanos(Math.min(request.leftNanos(nowNanos), LONGEST_PATIENCE_NANOS));
        return left.compareTo(LEAST_PATIENCE) > 0 || timeout.compareTo(LEAST_PATIENCE) < 0 ? left : LEAST_PATIENCE;
    }

    private long pollNanos(AttemptResult.Queued queued) {
        long most = jittered(queued.announced() ? POLL_NANOS : UNANNOUNCED_POLL_NANOS);
        boolean near = !queued.announced()
                || queued.place() <= FIRST_PLACES
                || queued.left().isZero();
        return near ? Math.min(most, atLeastOneMilli(queued.left())) : most;
    }

    private static long atLeastOneMilli(Duration left) {
        return Math.max(Deadline.NANOS_PER_MILLI, left.toNanos());
    }

    private @Nullable RuntimeException refused(Request request, long nowNanos, AttemptResult.Refused refused) {
        long retryNanos = atLeastOneMilli(refused.retryAfter());
        nextAskNanos = nowNanos + retryNanos;
        obstacle = () -> refusal(refused);
        return request.leftNanos(nowNanos) > retryNanos ? null : refusal(refused);
    }

    private RuntimeException refusal(AttemptResult.Refused refused) {
        String name = claim.resource().name();
        return new LockRefusedException(
                claim.resource().kind(),
                name,
                "the store grants nothing now, asked for '" + name + "': " + refused.why() + "; ask again in "
                        + DurationText.of(wholeSeconds(refused.retryAfter())),
                refused.retryAfter());
    }

    private static Duration wholeSeconds(Duration time) {
        return Duration.ofSeconds(time.plusSeconds(1).minusNanos(1).toSeconds());
    }

    private RuntimeException mismatched(int capacity) {
        Resource resource = claim.resource();
        return new IllegalArgumentException(
                resource.kind() + " '" + resource.name() + "' is in use with a capacity of " + capacity + ", not "
                        + resource.capacity() + "; open it with " + capacity
                        + " everywhere, or let every holder finish first");
    }

    /** The outcome is unknown: ask again with the same claim, or give it up. */
    private @Nullable RuntimeException troubled(Request request, RuntimeException unknown) {
        trouble = unknown;
        long nowNanos = time.nanoTime();
        unsettledUntil(nowNanos + store.requestTimeout().toNanos()); // it was sent before now, nobody knows when
        failingSinceNanos = failures == 0 ? nowNanos : failingSinceNanos;
        long retryNanos = RETRY_NANOS << Math.min(failures, MOST_DOUBLINGS);
        failures++;
        nextAskNanos = nowNanos + pauseNanos(request, nowNanos, retryNanos);
        int tries = failures;
        obstacle = () -> another(unknown, tries);
        boolean goOn = !isGivenUp(request) && request.leftNanos(nowNanos) > retryNanos;
        return goOn ? null : unknown instanceof LockException ? unknown : another(unknown, tries);
    }

    /** The last question of an outage comes when its time is up, not later. */
    private long pauseNanos(Request request, long nowNanos, long retryNanos) {
        long outageNanos = outageLeftNanos(request, nowNanos);
        long pauseNanos = jittered(retryNanos);
        return isOutage() && outageNanos > 0 ? Math.min(pauseNanos, outageNanos) : pauseNanos;
    }

    /**
     * How much longer a caller waits for a store that does not answer. A caller may have come after the outage began.
     */
    private long outageLeftNanos(Request request, long nowNanos) {
        long failedForNanos = Math.min(nowNanos - failingSinceNanos, nowNanos - request.startedNanos());
        long patienceNanos = StoreCalls.isLasting(trouble)
                ? 0
                : request.options().waitThroughOutages().toNanos();
        return patienceNanos - failedForNanos;
    }

    /** The grant in hand is too short and could not be made longer. Asking again may still get it. */
    @Nullable
    RuntimeException unconfirmed(Request request, RuntimeException unknown) {
        takeBack();
        RuntimeException cause = unknown.getCause() instanceof RuntimeException inner ? inner : unknown;
        return troubled(request, cause);
    }

    /** Takes the grant out of the hand, because it will not be handed out. */
    @Nullable
    StoreGrant takeBack() {
        StoreGrant unused = grant();
        inHand = null;
        if (unused != null) {
            unsettledUntil(unused.unsettledUntilNanos());
        }
        return unused;
    }

    /** Why the store serves nobody now, or null. A new exception each time, because each goes to another caller. */
    @Nullable
    RuntimeException obstacle() {
        Supplier<RuntimeException> why = obstacle;
        return why == null ? null : why.get();
    }

    /** Whether the claim, which was made for somebody else, is of use to this caller. */
    boolean isFor(Request heir) {
        return claim.waits() && !unfit && claim.weight() == heir.weight();
    }

    /** Whether the last question ended in trouble. */
    boolean isTroubled() {
        return trouble != null;
    }

    /** Whether the store failed too often for a caller that does not wait through outages, or will go on failing. */
    boolean isOutage() {
        return failures > RETRIES || StoreCalls.isLasting(trouble);
    }

    /** Whether the store failed too often in a row, and for too long, for this caller to go on. */
    boolean isGivenUp(Request request) {
        return isOutage() && outageLeftNanos(request, time.nanoTime()) <= 0;
    }

    /** What one try fails with if its grant was over when it came. */
    RuntimeException tooLate() {
        String name = claim.resource().name();
        return new LockStoreException(
                claim.resource().kind(),
                name,
                "the store granted '" + name
                        + "', but its answer took longer than the lease; use a longer lease, or find out"
                        + " why the store is slow",
                null);
    }

    /** The trouble of the last question as an exception of its own, and of the same type, for one more caller. */
    private RuntimeException another(RuntimeException cause, int tries) {
        if (cause instanceof LockRefusedException refused) {
            return new LockRefusedException(
                    claim.resource().kind(),
                    refused.lockName(),
                    String.valueOf(refused.getMessage()),
                    refused.retryAfter());
        }
        if (cause instanceof LockException known) {
            return StoreCalls.troubleLike(
                    known, claim.resource().kind(), known.lockName(), String.valueOf(known.getMessage()));
        }
        String name = claim.resource().name();
        return new LockStoreException(
                claim.resource().kind(),
                name,
                "could not ask the store for '" + name + "' (" + tries + " tries of claim " + claim.id() + "): "
                        + cause.getMessage()
                        + "; nobody knows whether it was granted, so it is being released; check the store and try again",
                cause);
    }

    private void unsettledUntil(long untilNanos) {
        knownToStore = true;
        unsettledUntilNanos = ReleaseRetrier.later(unsettledUntilNanos, untilNanos);
    }

    /** Whether the store may know the claim, so that giving up needs a release. */
    boolean isKnownToStore() {
        return knownToStore;
    }

    long unsettledUntilNanos() {
        return unsettledUntilNanos;
    }

    /** Four fifths to six fifths of a time, so that clients that began together do not go on together. */
    private long jittered(long nanos) {
        return nanos - nanos / 5 + runtime.random(nanos / 5 * 2 + 1);
    }
}
