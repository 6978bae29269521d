package io.holdfast.testing;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Predicate;

/**
 * Faults that a test writes down beforehand: "the next attempt loses its reply", "renewals fail from now on". The first
 * line that fits a call decides; a call that no line fits goes through.
 *
 * <p><b>Threads.</b> Safe for use by any number of threads.
 *
 * <pre>{@code
 * script.once(Call.Attempt.class, new Fault.LostReply());
 * script.always(Call.Renew.class, new Fault.Down());
 * script.clear();
 * }</pre>
 *
 * @since 0.1
 */
public final class FaultScript implements Faults {
    private final ReentrantLock lock = new ReentrantLock();
    private final List<Line> lines = new ArrayList<>();

    /** Creates a script without a line. */
    public FaultScript() {}

    /**
     * Adds a line for the next call of a type; it is used up by that call.
     *
     * @param type which calls
     * @param fault what happens to it
     * @return this script
     */
    public FaultScript once(Class<? extends Call> type, Fault fault) {
        return add(new Line(type::isInstance, fault, true));
    }

    /**
     * Adds a line for every call of a type.
     *
     * @param type which calls
     * @param fault what happens to them
     * @return this script
     */
    public FaultScript always(Class<? extends Call> type, Fault fault) {
        return add(new Line(type::isInstance, fault, false));
    }

    /**
     * Adds a line for every call that a test picks.
     *
     * @param which picks the calls
     * @param fault what happens to them
     * @return this script
     */
    public FaultScript always(Predicate<Call> which, Fault fault) {
        return add(new Line(which, fault, false));
    }

    /**
     * Adds a line that lets nothing through, in either direction.
     *
     * @return this script
     */
    public FaultScript cut() {
        return always(call -> true, new Fault.Down());
    }

    /** Removes every line: from now on all calls go through. */
    public void clear() {
        lock.lock();
        try {
            lines.clear();
        } finally {
            lock.unlock();
        }
    }

    /**
     * Tells whether lines made by {@link #once} are still unused.
     *
     * @return false when each of them met its call
     */
    public boolean isPending() {
        lock.lock();
        try {
            return lines.stream().anyMatch(Line::once);
        } finally {
            lock.unlock();
        }
    }

    @Override
    public Fault next(Call call) {
        lock.lock();
        try {
            for (int i = 0; i < lines.size(); i++) {
                if (lines.get(i).which().test(call)) {
                    return lines.get(i).once()
                            ? lines.remove(i).fault()
                            : lines.get(i).fault();
                }
            }
            return new Fault.None();
        } finally {
            lock.unlock();
        }
    }

    private FaultScript add(Line line) {
        lock.lock();
        try {
            lines.add(line);
            return this;
        } finally {
            lock.unlock();
        }
    }

    private record Line(Predicate<Call> which, Fault fault, boolean once) {}
}
