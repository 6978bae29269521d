package io.holdfast.engine;

import org.jspecify.annotations.Nullable;

/** The waiters of a gate, first come first served but for those who overtake. Guarded by the gate's mutex. */
final class Line {

    /**
     * How often a lock that waits for the first of the line to wake up is taken by somebody who is awake: waking takes as long as many
     * short sections do.
     */
    static final int MOST_OVERTAKING = 16;

    /** More than these nobody has before it, counting those who stand in the line and those who overtook since it came: if turns take long. */
    static final int FAIR_TURNS = 64;

    /** About as long as waking takes: turns that are shorter make nobody wait longer, because they fit in before the first is there. */
    static final long SHORT_TURN_NANOS = 20_000;

    private @Nullable Waiter first;
    private @Nullable Waiter last;
    private int size;

    /** How often the first has been overtaken, and how often anybody ever was. */
    private int overtaken;

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
    boolean mayBeOvertaken() {
        return first != null
                && overtaken < MOST_OVERTAKING
                && (shortTurns || overtakings - first.overtakingsBefore + size < FAIR_TURNS);
    }

    /** Somebody had the lock for so long. */
    void turnTook(long nanos) {
        shortTurns = nanos < SHORT_TURN_NANOS;
    }

    void overtaken() {
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
