package io.holdfast.quorum;

import io.holdfast.spi.Claim;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * One claim, and what it has on each member. An attempt, a release and a top-up of one claim hold its lock and never overlap; a renewal only looks, so what it
 * looks at is guarded by the object itself.
 *
 * <p><b>States</b> on a member: nothing (no name there), and under a name: asked (the outcome is unknown), waiting in its line, or held. A name is
 * dropped when it is released, and never used again.
 */
final class Standing {
    enum State {
        NOTHING,
        ASKED,
        WAITING,
        HELD
    }

    /** A claim that waits asks again sooner than that. */
    private static final long IDLE_NANOS = 10_000_000_000L;

    final Claim claim;
    final ReentrantLock lock = new ReentrantLock();
    private final @Nullable Claim[] names;
    private final State[] states;

    /** Until when a request to the member whose outcome is unknown may still take effect. */
    private final long[] unsettledUntilNanos;

    private final boolean[] unsettled;

    /** What was handed out, or zero. */
    private long token;

    private long grantedNanos;
    private long endNanos;
    private long longestNanos;
    private boolean ended;

    Standing(Claim claim, int members) {
        this.claim = claim;
        this.longestNanos = claim.lease().toNanos();
        this.endNanos = System.nanoTime() + longestNanos + IDLE_NANOS;
        this.names = new Claim[members];
        this.states = new State[members];
        Arrays.fill(states, State.NOTHING);
        this.unsettledUntilNanos = new long[members];
        this.unsettled = new boolean[members];
    }

    synchronized long token() {
        return token;
    }

    /** The longest lease that any member may have given it. */
    synchronized long longestNanos() {
        return longestNanos;
    }

    synchronized void asked(Duration lease) {
        longestNanos = Math.max(longestNanos, lease.toNanos());
    }

    /** Somebody wants it, and will ask again if it is not granted. */
    synchronized void askedFor(Duration lease, long nowNanos) {
        asked(lease);
        if (token == 0) {
            endNanos = nowNanos + longestNanos + IDLE_NANOS;
        }
    }

    /** It was handed out, or again. */
    synchronized void granted(long handedOut, Duration left, long nowNanos) {
        if (token == 0) {
            grantedNanos = nowNanos;
        }
        token = handedOut;
        lasts(left, nowNanos);
    }

    /** It is somebody's until then, or will be asked for again. */
    synchronized void lasts(Duration time, long nowNanos) {
        endNanos = nowNanos + time.toNanos();
    }

    /** Whether its holder's lease has ended, or nobody has asked for it for long. */
    synchronized boolean isOver(long nowNanos) {
        return nowNanos - endNanos > 0;
    }

    /** It holds no more, and may be asked for again. */
    synchronized void lost() {
        token = 0;
    }

    synchronized boolean isHeldSince(long nanos) {
        return token != 0 && !ended && nanos - grantedNanos >= 0;
    }

    synchronized void end() {
        ended = true;
        token = 0;
    }

    synchronized boolean isEnded() {
        return ended;
    }

    @Nullable
    synchronized Claim name(int member) {
        return names[member];
    }

    synchronized State state(int member) {
        return states[member];
    }

    synchronized void set(int member, @Nullable Claim name, State state) {
        names[member] = state == State.NOTHING ? null : name;
        states[member] = state;
        if (state == State.NOTHING) {
            unsettled[member] = false;
        }
    }

    synchronized void unsettled(int member, long untilNanos) {
        unsettled[member] = true;
        unsettledUntilNanos[member] = untilNanos;
    }

    synchronized boolean isUnsettled(int member, long nowNanos) {
        return unsettled[member] && unsettledUntilNanos[member] - nowNanos > 0;
    }

    synchronized long unsettledUntilNanos(int member) {
        return unsettledUntilNanos[member];
    }

    /** The member in whose line the claim waits, or -1. */
    synchronized int line() {
        for (int i = 0; i < states.length; i++) {
            if (states[i] == State.WAITING) {
                return i;
            }
        }
        return -1;
    }

    /** Whether no member knows the claim. */
    synchronized boolean isNowhere() {
        for (State state : states) {
            if (state != State.NOTHING) {
                return false;
            }
        }
        return true;
    }

    synchronized boolean isEverywhere() {
        for (State state : states) {
            if (state != State.HELD) {
                return false;
            }
        }
        return true;
    }
}
