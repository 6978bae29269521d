package io.holdfast.engine;

import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Which threads hold one lock through the {@link java.util.concurrent.locks.Lock} style, and how often. A thread's holding is touched by that thread
 * only; those of threads that died without unlocking are swept out as the number grows.
 */
final class Ownership {

    /** One thread's hold: its lease, and how often it must unlock. */
    static final class Holding {
        final HeldLease lease;
        int holds = 1;

        /** Read holds that ride on a write hold of the same thread. */
        int readHolds;

        Holding(HeldLease lease) {
            this.lease = lease;
        }

        boolean isUnused() {
            return holds == 0 && readHolds == 0;
        }
    }

    private static final int LEAST_SWEEP = 8;

    private final ConcurrentHashMap<Thread, Holding> holdings = new ConcurrentHashMap<>();
    private volatile int sweepAbove = LEAST_SWEEP;

    /** The thread's holding, or null; one whose lease was closed behind its back is none. */
    @Nullable
    Holding of(Thread thread) {
        Holding holding = holdings.get(thread);
        if (holding != null && holding.lease.isClosed()) {
            holdings.remove(thread);
            return null;
        }
        return holding;
    }

    void add(Thread thread, HeldLease lease) {
        holdings.put(thread, new Holding(lease));
        if (holdings.size() > sweepAbove) {
            holdings.keySet().removeIf(each -> !each.isAlive());
            sweepAbove = Math.max(LEAST_SWEEP, 2 * holdings.size());
        }
    }

    void remove(Thread thread) {
        holdings.remove(thread);
    }

    /** The name of a thread that holds it, or null. */
    @Nullable
    String anyOwner() {
        for (Thread thread : holdings.keySet()) {
            return thread.getName();
        }
        return null;
    }
}
