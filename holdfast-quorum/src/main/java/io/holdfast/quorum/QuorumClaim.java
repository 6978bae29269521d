package io.holdfast.quorum;

import io.holdfast.spi.Claim;
import java.time.Duration;
import java.util.Arrays;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One claim, and its state on each member. An attempt, a release and a top-up of one claim hold its lock and never
 * overlap. A renewal only reads, so what it reads has a lock of its own.
 *
 * <p><b>States</b> on a member: none (no name there), or under a name: asked (the outcome is unknown), waiting in its
 * line, or held. A name is dropped when it is released, and never used again.
 */
final class QuorumClaim {
    enum State {
        NOTHING,
        ASKED,
        WAITING,
        HELD
    }

    /** A waiting claim asks again sooner than this. */
    private static final long IDLE_NANOS = 10_000_000_000L;

    final Claim claim;
    /** Held for the whole of an attempt, a release or a top-up. */
    final ReentrantLock lock = new ReentrantLock();

    /** Guards the fields below. Never held while waiting for anything. */
    private final ReentrantLock state = new ReentrantLock();

    private final @Nullable Claim[] names;
    private final State[] states;

    /** For each member: until when a request with an unknown outcome may still take effect. */
    private final long[] unsettledUntilNanos;

    private final boolean[] unsettled;

    /** The token that was handed out, or zero. */
    private long token;

    private long grantedNanos;
    private long endNanos;
    private long longestNanos;
    private boolean ended;

    QuorumClaim(Claim claim, int members, long nowNanos) {
        this.claim = claim;
        this.longestNanos = claim.lease().toNanos();
        this.endNanos = nowNanos + longestNanos + IDLE_NANOS;
        this.names = new Claim[members];
        this.states = new State[members];
        Arrays.fill(states, State.NOTHING);
        this.unsettledUntilNanos = new long[members];
        this.unsettled = new boolean[members];
    }

    private <T> T look(Supplier<T> look) {
        state.lock();
        try {
            return look.get();
        } finally {
            state.unlock();
        }
    }

    private void change(Runnable change) {
        state.lock();
        try {
            change.run();
        } finally {
            state.unlock();
        }
    }

    long token() {
        return look(() -> token);
    }

    /** The longest lease that any member may have given it. */
    long longestNanos() {
        return look(() -> longestNanos);
    }

    /** Notes an attempt: the caller will ask again if it is not granted. */
    void askedFor(Duration lease, long nowNanos) {
        change(() -> {
            longestNanos = Math.max(longestNanos, lease.toNanos());
            if (token == 0) {
                endNanos = nowNanos + longestNanos + IDLE_NANOS;
            }
        });
    }

    /** Notes the lease that is asked for. */
    void asked(Duration lease) {
        change(() -> longestNanos = Math.max(longestNanos, lease.toNanos()));
    }

    /** Notes that the claim was granted, or confirmed. */
    void granted(long handedOut, Duration left, long nowNanos) {
        change(() -> {
            grantedNanos = token == 0 ? nowNanos : grantedNanos;
            token = handedOut;
            endNanos = nowNanos + left.toNanos();
        });
    }

    /** Extends the time for which the claim is in use. */
    void lasts(Duration time, long nowNanos) {
        change(() -> endNanos = nowNanos + time.toNanos());
    }

    /** Whether the lease has ended, or a waiting claim has not asked for a long time. */
    boolean isOver(long nowNanos) {
        return look(() -> nowNanos - endNanos > 0);
    }

    /** Notes that the claim no longer holds; it may be asked for again. */
    void lost() {
        change(() -> token = 0);
    }

    boolean isHeldSince(long nanos) {
        return look(() -> token != 0 && !ended && nanos - grantedNanos >= 0);
    }

    void end() {
        change(() -> {
            ended = true;
            token = 0;
        });
    }

    boolean isEnded() {
        return look(() -> ended);
    }

    @Nullable
    Claim name(int member) {
        return look(() -> Optional.ofNullable(names[member])).orElse(null);
    }

    State state(int member) {
        return look(() -> states[member]);
    }

    void set(int member, @Nullable Claim name, State next) {
        change(() -> {
            names[member] = next == State.NOTHING ? null : name;
            states[member] = next;
            unsettled[member] &= next != State.NOTHING;
        });
    }

    void unsettled(int member, long untilNanos) {
        change(() -> {
            unsettled[member] = true;
            unsettledUntilNanos[member] = untilNanos;
        });
    }

    boolean isUnsettled(int member, long nowNanos) {
        return look(() -> unsettled[member] && unsettledUntilNanos[member] - nowNanos > 0);
    }

    long unsettledUntilNanos(int member) {
        return look(() -> unsettledUntilNanos[member]);
    }

    /** The member in whose line the claim waits, or -1. */
    int line() {
        return look(() -> Arrays.asList(states).indexOf(State.WAITING));
    }

    /** Whether no member knows the claim. */
    boolean isNowhere() {
        return look(() -> Arrays.stream(states).allMatch(State.NOTHING::equals));
    }

    boolean isEverywhere() {
        return look(() -> Arrays.stream(states).allMatch(State.HELD::equals));
    }
}
