package io.holdfast.engine;

import org.jspecify.annotations.Nullable;

/**
 * One caller at a gate: a parked thread or a future. It is driven through {@link Gate#step} by its own thread or task
 * only, never by two at a time; others may just {@link #signal} it.
 *
 * <p>Ends once, in one of four ways: with a lease, with nothing (time is up), with a failure, or abandoned by its
 * caller. All of them are set under the gate's mutex or by the waiter's own step, so that a lease and a cancel cannot
 * both win.
 */
abstract class Waiter {
    final Request request;

    /** Counts the waits of the client, from the moment when this one is about to wait. */
    long serial;

    /** Neighbours in the gate's line; guarded by the gate's mutex. */
    @Nullable
    Waiter previous;

    @Nullable
    Waiter next;

    /** Set by the waiter itself, under the gate's mutex; others only clear it. */
    boolean inLine;

    /** Whether it can have a hold together with others; set by the gate when it comes. */
    boolean shares;

    /** Whether a hold of this client was offered to it, and it has not looked yet; written under the gate's mutex. */
    volatile boolean called;

    /**
     * A hold of this client that it may have, but that is too short for it; touched by the waiter itself only, and so
     * is the next.
     */
    @Nullable
    StoreGrant tooShort;

    /** The hold that it has had made as long as the store gives. */
    @Nullable
    StoreGrant confirmed;

    /** How often somebody had been overtaken at the gate when this one joined its line. */
    long overtakingsBefore;

    /**
     * The attempt that only this waiter can end, so that its steps need not look it up; touched by the waiter itself
     * only.
     */
    @Nullable
    ClaimAttempt driven;

    /** The acquisition for Flight Recorder, or null. */
    final @Nullable Object flight = Flight.acquiring();

    private volatile boolean finished;
    private volatile @Nullable RuntimeException failure;
    private volatile @Nullable EngineLease lease;
    private volatile boolean abandoned;
    private boolean contended;
    private boolean obstructed;

    /** Whether its own step has asked the store: without time left it is done then. */
    private boolean asked;

    Waiter(Request request) {
        this.request = request;
    }

    /**
     * Asks that {@link Gate#step} be called again soon. Returns at once; may be called by anybody, any number of times.
     */
    abstract void signal();

    final void finish(@Nullable EngineLease lease) {
        this.lease = lease;
        finished = true;
    }

    final void fail(RuntimeException failure) {
        this.failure = failure;
        finished = true;
    }

    /** The caller no longer wants it; the next step leaves the line. */
    final void abandon() {
        abandoned = true;
        signal();
    }

    /** As {@link #abandon()}, for a reason that the caller gets as an exception. */
    final void abandon(RuntimeException why) {
        failure = why;
        abandon();
    }

    /** The client is closed and its threads have ended: a waiter without a thread of its own fails here. */
    void dismiss() {}

    final boolean isFinished() {
        return finished;
    }

    final boolean isAbandoned() {
        return abandoned;
    }

    final @Nullable EngineLease lease() {
        return lease;
    }

    /** The lease, or null when there is none; throws what the wait failed with, and then leaves no lease behind. */
    final @Nullable EngineLease result() {
        EngineLease got = lease;
        RuntimeException trouble = failure;
        if (trouble != null) {
            if (got != null) {
                got.giveBack();
            }
            throw trouble;
        }
        return got;
    }

    final void asking() {
        asked = true;
    }

    final boolean hasAsked() {
        return asked;
    }

    /** True the first time, for the one event that says that the store serves nobody. */
    final boolean firstObstruction() {
        boolean first = !obstructed;
        obstructed = true;
        return first;
    }

    /** Whether listeners were told that it waits. */
    final boolean isContended() {
        return contended;
    }

    /** True the first time, for the one event that says that somebody waits. */
    final boolean firstContention() {
        boolean first = !contended;
        contended = true;
        return first;
    }
}
