package io.holdfast.engine;

import io.holdfast.spi.WaitRecord;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The waiters of a gate, first come first served, with some overtaking. Guarded by the gate's mutex. */
final class Line {

    /**
     * For how long after its signal the first of the line counts as waking up. Only as long may a thread that is awake
     * take what the first was called for: later that gains nothing, and costs the first a turn.
     */
    static final long WAKING_NANOS = 200_000;

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

    /** How many want a hold for themselves. */
    private int alone;

    /** Whether the first was called, and since when it wakes up. */
    private boolean waking;

    private long wakingSinceNanos;

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

    /** Whether everybody who waits can have a hold together with others. */
    boolean allShare() {
        return alone == 0;
    }

    /**
     * Calls the heir, which is the first of the line, and those after it, so many at most, and only those who share if
     * it does. After a short turn the first cannot have woken up since it was called before, so its time begins anew.
     */
    void call(Waiter heir, int most, long nowNanos, Aftermath after) {
        if (!waking || shortTurns) {
            wakingSinceNanos = nowNanos;
        }
        waking = true;
        int left = most;
        for (Waiter each = heir; each != null && left > 0 && each.shares == heir.shares; each = each.next) {
            if (!each.called) {
                each.called = true;
                after.signal(each);
            }
            left--;
        }
    }

    /** Whether the first may be overtaken once more. */
    boolean mayBeOvertaken(long nowNanos) {
        if (first == null || !waking || nowNanos - wakingSinceNanos >= WAKING_NANOS) {
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

    /** Who waits, for people, the next one first. */
    List<String> labels() {
        List<String> labels = new ArrayList<>(size);
        for (Waiter each = first; each != null; each = each.next) {
            labels.add(each.request.label());
        }
        return labels;
    }

    /**
     * Where a waiter waits: with the attempt that asks for the line, or behind the hold of all of the resource; null if
     * it does not.
     */
    Gate.@Nullable Place place(Waiter waiter, @Nullable ClaimAttempt asking, @Nullable StoreGrant whole) {
        if (!waiter.inLine) {
            return null;
        }
        int most = waiter.request.weight();
        for (Waiter each = first; each != null && each != waiter; each = each.next) {
            most = Math.max(most, each.request.weight());
        }
        if (asking == null) {
            return whole == null ? null : new Gate.Place(whole.claim().id(), WaitRecord.Place.LOCAL, most);
        }
        WaitRecord.Place where = waiter == first ? WaitRecord.Place.LINE : WaitRecord.Place.BEHIND;
        return new Gate.Place(asking.claim().id(), where, most);
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
        alone += waiter.shares ? 0 : 1;
    }

    void remove(Waiter waiter) {
        Waiter before = waiter.previous;
        Waiter after = waiter.next;
        if (before == null) {
            first = after;
            overtaken = 0;
            waking = false;
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
        waiter.called = false;
        size--;
        alone -= waiter.shares ? 0 : 1;
    }
}
