package io.holdfast.simulation;

import org.jspecify.annotations.Nullable;

/** Something that will happen. */
final class SimEvent implements Comparable<SimEvent> {
    private static final int NOBODY = -1;

    final @Nullable SimProcess owner;
    private final long key;
    private final long order;
    private final Runnable task;

    /** Whether it must not happen inside a call of somebody else. */
    final boolean alone;

    long atNanos;
    boolean cancelled;

    SimEvent(@Nullable SimProcess owner, long atNanos, long key, long order, boolean alone, Runnable task) {
        this.owner = owner;
        this.atNanos = atNanos;
        this.key = key;
        this.order = order;
        this.alone = alone;
        this.task = task;
    }

    void run() {
        task.run();
    }

    /**
     * The order of posting decides last, and only within one process: what walks over a set of clients may post in any
     * order.
     */
    @Override
    public int compareTo(SimEvent other) {
        int byTime = Long.compare(atNanos, other.atNanos);
        if (byTime != 0) {
            return byTime;
        }
        int byOwner = Integer.compare(ownerIndex(), other.ownerIndex());
        if (byOwner != 0) {
            return byOwner;
        }
        int byKey = Long.compare(key, other.key);
        return byKey != 0 ? byKey : Long.compare(order, other.order);
    }

    private int ownerIndex() {
        return owner == null ? NOBODY : owner.index();
    }
}
