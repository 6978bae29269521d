package io.holdfast.quorum;

import io.holdfast.spi.Claim;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * One claim, and what it has on each member. Guarded by its lock: an attempt, a release and a top-up of one claim never overlap.
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
    private long longestNanos;
    private boolean ended;

    Standing(Claim claim, int members) {
        this.claim = claim;
        this.longestNanos = claim.lease().toNanos();
        this.names = new Claim[members];
        this.states = new State[members];
        Arrays.fill(states, State.NOTHING);
        this.unsettledUntilNanos = new long[members];
        this.unsettled = new boolean[members];
    }

    long token() {
        return token;
    }

    /** The longest lease that any member may have given it. */
    long longestNanos() {
        return longestNanos;
    }

    void asked(Duration lease) {
        longestNanos = Math.max(longestNanos, lease.toNanos());
    }

    void granted(long handedOut, long nowNanos) {
        if (token == 0) {
            grantedNanos = nowNanos;
        }
        token = handedOut;
    }

    /** It holds no more, and may be asked for again. */
    void lost() {
        token = 0;
    }

    boolean isHeldSince(long nanos) {
        return token != 0 && !ended && nanos - grantedNanos >= 0;
    }

    void end() {
        ended = true;
        token = 0;
    }

    boolean isEnded() {
        return ended;
    }

    @Nullable
    Claim name(int member) {
        return names[member];
    }

    State state(int member) {
        return states[member];
    }

    void set(int member, @Nullable Claim name, State state) {
        names[member] = state == State.NOTHING ? null : name;
        states[member] = state;
        if (state == State.NOTHING) {
            unsettled[member] = false;
        }
    }

    void unsettled(int member, long untilNanos) {
        unsettled[member] = true;
        unsettledUntilNanos[member] = untilNanos;
    }

    boolean isUnsettled(int member, long nowNanos) {
        return unsettled[member] && unsettledUntilNanos[member] - nowNanos > 0;
    }

    long unsettledUntilNanos(int member) {
        return unsettledUntilNanos[member];
    }

    /** The member in whose line the claim waits, or -1. */
    int line() {
        for (int i = 0; i < states.length; i++) {
            if (states[i] == State.WAITING) {
                return i;
            }
        }
        return -1;
    }

    /** Whether no member knows the claim. */
    boolean isNowhere() {
        for (State state : states) {
            if (state != State.NOTHING) {
                return false;
            }
        }
        return true;
    }

    boolean isEverywhere() {
        for (State state : states) {
            if (state != State.HELD) {
                return false;
            }
        }
        return true;
    }
}
