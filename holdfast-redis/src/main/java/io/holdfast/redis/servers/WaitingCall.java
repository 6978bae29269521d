package io.holdfast.redis.servers;

import io.holdfast.redis.driver.RedisLinkException;
import io.holdfast.redis.settings.Timing;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Objects;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * One call that waits for a connection.
 *
 * <p><b>States.</b> Waiting, then sent by a carrier together with others, then answered; or admitted, which leaves the
 * rest to the caller; or given up. The thread that changes the state owns the call alone.
 */
final class WaitingCall {
    private enum State {
        WAITING,
        SENT,
        ANSWERED,
        ADMITTED,
        GIVEN_UP
    }

    private static final VarHandle STATE;

    static {
        try {
            STATE = MethodHandles.lookup().findVarHandle(WaitingCall.class, "state", State.class);
        } catch (ReflectiveOperationException impossible) {
            throw new ExceptionInInitializerError(impossible);
        }
    }

    private final Function<Session, byte[][]> command;
    private final long untilNanos;
    private final long answerNanos;
    private final boolean alone;
    private final boolean awaited;
    private final Thread caller = Thread.currentThread();
    private final Timing time;
    private final long queuedNanos;
    private volatile State state = State.WAITING;

    // Written by the carrier before it changes the state.
    private @Nullable PooledConnection connection;
    private @Nullable Session session;
    private long sentNanos;
    private long receivedNanos;
    private @Nullable Object reply;
    private @Nullable RuntimeException failure;
    private boolean stale;

    /**
     * @param command makes the command for a session
     * @param untilNanos until when to wait for it to be sent
     * @param answerNanos how long to wait for the answer then; zero if one time covers both
     * @param alone whether it needs a connection for itself, because more commands follow on the same one
     * @param awaited whether its caller does nothing but wait for it
     */
    WaitingCall(
            Function<Session, byte[][]> command,
            Timing time,
            long untilNanos,
            long answerNanos,
            boolean alone,
            boolean awaited) {
        this.command = command;
        this.time = time;
        this.queuedNanos = time.nanos();
        this.untilNanos = untilNanos;
        this.answerNanos = answerNanos;
        this.alone = alone;
        this.awaited = awaited;
    }

    boolean isAlone() {
        return alone;
    }

    boolean isAwaited() {
        return awaited;
    }

    boolean isWaiting() {
        return state == State.WAITING;
    }

    /** Gives the caller a connection, or the right to open one. False if it has given up. */
    boolean admit(@Nullable PooledConnection lent) {
        connection = lent;
        return changed(State.WAITING, State.ADMITTED);
    }

    /** The command to send, or null if there is none: the call was given up, or cannot be made. */
    byte @Nullable [] @Nullable [] begin(Session met) {
        if (!isWaiting()) {
            return null;
        }
        sentNanos = time.nanos();
        session = met;
        try {
            // The time in it must be one at which the caller still waits: a caller that gives up counts from then.
            byte[][] made = command.apply(met);
            return STATE.compareAndSet(this, State.WAITING, State.SENT) ? made : null;
        } catch (RuntimeException impossible) {
            refused(impossible);
            return null;
        }
    }

    void answered(@Nullable Object answer, long nowNanos) {
        reply = answer;
        receivedNanos = nowNanos;
        changed(State.SENT, State.ANSWERED);
    }

    /** @param wasIdle whether its connection was idle before, and may have been dead */
    void failed(RuntimeException why, boolean wasIdle) {
        failure = why;
        stale = wasIdle;
        changed(State.SENT, State.ANSWERED);
    }

    /** It was not sent, and will not be. */
    void refused(RuntimeException why) {
        if (STATE.compareAndSet(this, State.WAITING, State.SENT)) {
            failed(why, false);
        }
    }

    private boolean changed(State from, State to) {
        boolean mine = STATE.compareAndSet(this, from, to);
        if (mine) {
            LockSupport.unpark(caller);
        }
        return mine;
    }

    /** Whether the connection may have been dead before the call. */
    boolean isStale() {
        return stale;
    }

    @Nullable
    PooledConnection connection() {
        return connection;
    }

    /**
     * An answer that a carrier received.
     *
     * @param session the server's session
     * @param reply the reply
     * @param queuedNanos when the call began to wait
     * @param sentNanos just before it was sent
     * @param receivedNanos just after the answer was received
     */
    record Answer(Session session, @Nullable Object reply, long queuedNanos, long sentNanos, long receivedNanos) {}

    /**
     * Waits for the answer of a carrier. Returns null if the caller is admitted instead.
     *
     * @param server the server, for messages
     */
    @Nullable
    Answer await(Object server, String busy) {
        boolean interrupted = false;
        try {
            while (state == State.WAITING || state == State.SENT) {
                boolean sent = state == State.SENT;
                long nowNanos = time.nanos();
                long leftNanos = untilNanos - nowNanos;
                leftNanos = sent && answerNanos > 0 ? sentNanos + answerNanos - nowNanos : leftNanos;
                if (leftNanos <= 0 && !sent && STATE.compareAndSet(this, State.WAITING, State.GIVEN_UP)) {
                    throw RedisLinkException.noTurn(busy);
                }
                if (leftNanos <= 0 && sent && STATE.compareAndSet(this, State.SENT, State.GIVEN_UP)) {
                    throw RedisLinkException.timedOut(server + " did not answer in time", null);
                }
                long lookNanos = sent || answerNanos == 0 ? leftNanos : Math.min(leftNanos, answerNanos);
                LockSupport.parkNanos(this, Math.max(1, lookNanos)); // no wake-up when it is sent
                interrupted |= Thread.interrupted(); // otherwise the outcome would be unknown
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
        if (state == State.ADMITTED) {
            return null;
        }
        if (failure != null) {
            throw failure;
        }
        return new Answer(Objects.requireNonNull(session), reply, queuedNanos, sentNanos, receivedNanos);
    }
}
