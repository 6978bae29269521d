package io.holdfast.simulation;

import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/**
 * True time, and everything that will happen. One thread; time passes only from one event to the next.
 *
 * <p><b>Calls inside calls.</b> The engine calls the store and waits for the answer. There is only one thread, so that
 * wait runs other events until the answer is there ({@link #sleep}). Whoever is further down the stack comes back later
 * than it could have: to it that is a pause of its thread. The depth is bounded; beyond it calls take no time.
 *
 * <p><b>Violations</b> are noted, not thrown, because much of what happens here happens inside code that catches
 * exceptions.
 */
final class SimWorld {
    static final long MICRO = 1_000;
    static final long MILLI = 1_000_000;
    static final long SECOND = 1_000_000_000;

    private static final int DEEPEST = 5;
    private static final long RETRY_NANOS = 200 * MICRO;

    private final Trace trace;
    private final PriorityQueue<SimEvent> queue = new PriorityQueue<>();
    private Runnable afterEach = () -> {};
    private long nowNanos;
    private long posted;
    private long happened;
    private int depth;
    private @Nullable Violation violation;

    SimWorld(Trace trace) {
        this.trace = trace;
    }

    long now() {
        return nowNanos;
    }

    long happened() {
        return happened;
    }

    /** Looks at the world after every event. */
    void afterEach(Runnable check) {
        afterEach = check;
    }

    SimEvent post(@Nullable SimProcess owner, long atNanos, Runnable task) {
        return post(owner, atNanos, 0, false, task);
    }

    /**
     * Makes something happen later.
     *
     * @param owner whose it is: it waits while the owner is paused and does not happen once the owner is dead; null for
     *     the world
     * @param key which of two comes first that are due at the same instant for the same owner, before the order of
     *     posting
     * @param alone whether it must wait until no call is under way
     */
    SimEvent post(@Nullable SimProcess owner, long atNanos, long key, boolean alone, Runnable task) {
        SimEvent event = new SimEvent(owner, Math.max(nowNanos, atNanos), key, posted++, alone, task);
        queue.add(event);
        return event;
    }

    /** Whether a call may take time here. */
    boolean canSleep() {
        return depth < DEEPEST;
    }

    /** Lets time pass for code of a process, and longer if the process is paused meanwhile. */
    void sleep(SimProcess process, long nanos) {
        runUntil(nowNanos + nanos);
        while (process.isPaused() && violation == null) {
            runUntil(process.pausedUntilNanos());
        }
        process.ensureAlive();
    }

    void runUntil(long untilNanos) {
        depth++;
        try {
            SimEvent next = queue.peek();
            while (next != null && next.atNanos <= untilNanos && violation == null) {
                queue.remove();
                happen(next);
                next = queue.peek();
            }
        } finally {
            depth--;
        }
        nowNanos = Math.max(nowNanos, untilNanos);
    }

    private void happen(SimEvent event) {
        SimProcess owner = event.owner;
        nowNanos = Math.max(nowNanos, event.atNanos);
        if (event.cancelled || (owner != null && owner.isKilled())) {
            return;
        }
        if (owner != null && owner.isPaused()) {
            postpone(event, owner.pausedUntilNanos());
        } else if ((event.alone && depth > 1) || (owner != null && owner.isStalled())) {
            postpone(event, nowNanos + RETRY_NANOS);
        } else {
            happened++;
            run(event);
            afterEach.run();
        }
    }

    private void run(SimEvent event) {
        try {
            event.run();
        } catch (ProcessKilledError end) {
            trace.add(nowNanos, end.processName(), "is dead, its thread ends");
        } catch (RuntimeException | AssertionError surprise) {
            String who = event.owner == null ? "the world" : event.owner.name();
            violated(Rule.NO_SURPRISE, "a task of " + who + " threw " + surprise + " at " + place(surprise));
        }
    }

    private static String place(Throwable surprise) {
        StackTraceElement[] stack = surprise.getStackTrace();
        return stack.length == 0 ? "an unknown place" : stack[0].toString();
    }

    private void postpone(SimEvent event, long untilNanos) {
        event.atNanos = untilNanos;
        queue.add(event);
    }

    /** The first one counts; the run ends with it. */
    void violated(Rule rule, String what) {
        if (violation == null) {
            violation = new Violation(rule, nowNanos, what);
            trace.add(nowNanos, "!", rule + ": " + what);
        }
    }

    @Nullable
    Violation violation() {
        return violation;
    }

    boolean isTraced() {
        return trace.isOn();
    }

    void trace(String who, String what) {
        trace.add(nowNanos, who, what);
    }
}
