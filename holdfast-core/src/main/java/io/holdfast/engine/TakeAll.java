package io.holdfast.engine;

import io.holdfast.Lease;
import io.holdfast.spi.TimeSource;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/**
 * Takes several locks one after another, all or none: whatever ends it early gives back what was taken, in the other
 * order. Driven by the thread or the futures of one caller, one step at a time.
 */
final class TakeAll implements Request.Taking {

    /** Gives back what was taken of one lock; never throws. */
    interface Undo {
        void of(EngineLock lock, Lease lease);
    }

    /** Longer than anybody will wait, and still a wait that a clock can count. */
    static final Duration FOREVER = Duration.ofNanos(Request.FOREVER - 1);

    private final List<EngineLock> locks;
    private final Undo undo;
    private final Duration wait;
    private final TimeSource time;
    private final long startNanos;

    /** Touched by the caller only, and read by whoever looks for deadlocks. */
    private final List<Lease> taken = new CopyOnWriteArrayList<>();

    /**
     * @param locks in the order in which to take them
     * @param wait for all of them together; zero for one try
     */
    TakeAll(List<EngineLock> locks, Undo undo, Duration wait, TimeSource time) {
        this.locks = locks;
        this.undo = undo;
        this.wait = wait;
        this.time = time;
        this.startNanos = time.nanoTime();
    }

    /** The lock to take now, or null when all are taken. */
    @Nullable
    EngineLock next() {
        return taken.size() == locks.size() ? null : locks.get(taken.size());
    }

    /** How long the next lock may take. */
    Duration left() {
        if (wait.equals(FOREVER)) {
            return FOREVER;
        }
        Duration left = wait.minusNanos(time.nanoTime() - startNanos);
        return left.isNegative() ? Duration.ZERO : left;
    }

    @Override
    public boolean has(Object lease) {
        return taken.contains(lease);
    }

    void took(Lease lease) {
        taken.add(lease);
    }

    /** All are taken. A lease that ended while a later one was waited for makes it null, and all are given back. */
    @Nullable
    EngineMultiLease complete() {
        EngineMultiLease all = new EngineMultiLease(taken);
        if (all.isValid()) {
            return all;
        }
        giveBack();
        return null;
    }

    /** Whether there is time to begin again. */
    boolean mayStartOver() {
        return !wait.isZero() && !left().isZero();
    }

    void giveBack() {
        for (int i = taken.size() - 1; i >= 0; i--) {
            undo.of(locks.get(i), taken.get(i));
        }
        taken.clear();
    }
}
