package io.holdfast.engine;

import org.jspecify.annotations.Nullable;

/** The waiters of a gate, first come first served, with some overtaking. Guarded by the gate's mutex. */
final class Line {

    /**
     * How often a thread that is awake may take a lock for which the first of the line is still waking up: waking takes
     * as long as many short turns do.
     */
    static final int MOST_OVERTAKING = 16;

    /** For how long short turns may overtake the first, however many: one of thousands of threads wakes up slowly. */
    static final long LONG_WAKING_NANOS = 1_000_000;

    /**
     * If turns take long, no waiter has more than these before it, those in the line and those that overtook together.
     */
    static final int FAIR_TURNS = 64;

    /** About as long as waking takes: a shorter turn delays no waiter, because it is over before the first is awake. */
    static final long SHORT_TURN_NANOS = 20_000;

    private @Nullable Waiter first;
    private @Nullable Waiter last;
    private int size;

    /** How often the first has been overtaken. */
    private int overtaken;

    /** When the first was overtaken for the first time; if it was. */
    private long overtakenSinceNanos;

    /** How often any first waiter was overtaken, ever. */
    private long overtakings;

    private boolean shortTurns;

    @Nullable
    Waiter first() {
        return first;
    }

    int size() {
        return size;
    }

    /** Whether the first may be overtaken once more. */
    boolean mayBeOvertaken(long nowNanos) {
        if (first == null) {
            return false;
        }
        boolean fewTimes = overtaken < MOST_OVERTAKING;
        return shortTurns
                ? fewTimes || nowNanos - overtakenSinceNanos < LONG_WAKING_NANOS
                : fewTimes && overtakings - first.overtakingsBefore + size < FAIR_TURNS;
    }

    /** A turn took so long. */
    void turnTook(long nanos) {
        shortTurns = nanos < SHORT_TURN_NANOS;
    }

    void overtaken(long nowNanos) {
        if (overtaken == 0) {
            overtakenSinceNanos = nowNanos;
        }
        overtaken++;
        overtakings++;
    }

    void append(Waiter waiter) {
        waiter.previous = last;
        if (last == null) {
            first = waiter;
        } else {
            last.next = waiter;
        }
        last = waiter;
        waiter.inLine = true;
        waiter.overtakingsBefore = overtakings;
        size++;
    }

    void remove(Waiter waiter) {
        Waiter before = waiter.previous;
        Waiter after = waiter.next;
        if (before == null) {
            first = after;
            overtaken = 0;
        } else {
            before.next = after;
        }
        if (after == null) {
            last = before;
        } else {
            after.previous = before;
        }
        waiter.previous = null;
        waiter.next = null;
        waiter.inLine = false;
        size--;
    }
}
