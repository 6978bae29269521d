package io.holdfast.engine;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Map;
import java.util.Objects;
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
    private static final VarHandle HOLDINGS;

    static {
        try {
            HOLDINGS = MethodHandles.lookup().findVarHandle(Ownership.class, "holdings", ConcurrentHashMap.class);
        } catch (ReflectiveOperationException impossible) {
            throw new ExceptionInInitializerError(impossible);
        }
    }

    /** Made when the first thread locks: most names are only ever held as leases. */
    private volatile @Nullable ConcurrentHashMap<Thread, Holding> holdings;

    private volatile int sweepAbove = LEAST_SWEEP;

    /** The thread's holding, or null; one whose lease was closed behind its back is none. */
    @Nullable
    Holding of(Thread thread) {
        ConcurrentHashMap<Thread, Holding> all = holdings;
        Holding holding = all == null ? null : all.get(thread);
        if (all != null && holding != null && holding.lease.isClosed()) {
            all.remove(thread);
            return null;
        }
        return holding;
    }

    void add(Thread thread, HeldLease lease) {
        ConcurrentHashMap<Thread, Holding> all = all();
        all.put(thread, new Holding(lease));
        if (all.size() > sweepAbove) {
            all.keySet().removeIf(each -> !each.isAlive());
            sweepAbove = Math.max(LEAST_SWEEP, 2 * all.size());
        }
    }

    private ConcurrentHashMap<Thread, Holding> all() {
        if (holdings == null) {
            HOLDINGS.compareAndSet(this, null, new ConcurrentHashMap<Thread, Holding>());
        }
        return Objects.requireNonNull(holdings);
    }

    void remove(Thread thread) {
        all().remove(thread);
    }

    /** The name of a thread that holds it, or null. */
    @Nullable
    String anyOwner() {
        for (Map.Entry<Thread, Holding> each : all().entrySet()) {
            if (each.getKey() != Thread.currentThread() && each.getValue().lease.isValid()) {
                return nameOf(each.getKey());
            }
        }
        return null;
    }

    /** What to call a thread; virtual threads have no name unless they are given one. */
    static String nameOf(Thread thread) {
        return thread.getName().isEmpty() ? "#" + thread.getId() : thread.getName();
    }
}
