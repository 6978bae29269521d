package io.holdfast.engine;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Which threads hold one lock through the {@link java.util.concurrent.locks.Lock} style, and how often. Only the thread
 * itself touches its holding. The holdings of dead threads are swept out as the number grows.
 *
 * <p>A thread that lost its hold still owes the unlocks of it. If it locks again, the new holding stands before the
 * lost one: unlocks belong to the newest first.
 */
final class Ownership {

    /** One thread's hold: its lease, and how often it must unlock. */
    static final class Holding {
        final Ownership side;
        final EngineLease lease;

        /** What the thread lost before and has not unlocked, all losses together. */
        private @Nullable Holding lost;

        private int holds = 1;

        /** Read holds that ride on a write hold of the same thread. */
        private int readHolds;

        private Holding(Ownership side, EngineLease lease, @Nullable Holding before) {
            this.side = side;
            this.lease = lease;
            if (before != null && before.lost != null) {
                before.holds += before.lost.holds;
                before.readHolds += before.lost.readHolds;
                before.lost = null;
            }
            this.lost = before;
        }

        int count(boolean riding) {
            return riding ? readHolds : holds;
        }

        void add(boolean riding, int change) {
            if (riding) {
                readHolds += change;
            } else {
                holds += change;
            }
        }

        /** Counts one hold less if it is held and not the last. Most unlocks of a nest are such. */
        boolean leaveInner() {
            boolean inner = holds > 1 && lease.isHeld();
            if (inner) {
                holds--;
            }
            return inner;
        }

        boolean isUnused() {
            return holds == 0 && readHolds == 0;
        }
    }

    private static final int LEAST_SWEEP = 8;
    private static final VarHandle HOLDINGS = Fields.of(MethodHandles.lookup(), "holdings", ConcurrentHashMap.class);

    /** Made when the first thread locks: most names are only ever held as leases. */
    private volatile @Nullable ConcurrentHashMap<Thread, Holding> holdings;

    private volatile int sweepAbove = LEAST_SWEEP;

    private final ClientLife life;

    Ownership(ClientLife life) {
        this.life = life;
    }

    /** The thread's newest holding, lost or not, or null; one whose lease was closed behind its back is none. */
    @Nullable
    Holding of(Thread thread) {
        ConcurrentHashMap<Thread, Holding> all = holdings;
        Holding holding = all == null ? null : all.get(thread);
        return holding == null || !holding.lease.isClosed() ? holding : unlessClosed(thread, holding);
    }

    private @Nullable Holding unlessClosed(Thread thread, Holding newest) {
        if (life.isClosed()) { // with the client: the next unlock is of this one, not of what was lost before it
            all().remove(thread);
            return null;
        }
        Holding holding = newest;
        while (holding != null && holding.lease.isClosed()) {
            remove(thread, holding);
            holding = holding.lost;
        }
        return holding;
    }

    /** The thread's newest holding with something to unlock that was lost, or was not; null if there is none. */
    @Nullable
    Holding of(Thread thread, boolean riding, boolean lost) {
        Holding holding = of(thread);
        while (holding != null && (holding.lease.isLost() != lost || holding.count(riding) == 0)) {
            holding = holding.lost;
        }
        return holding;
    }

    void add(Thread thread, EngineLease lease) {
        ConcurrentHashMap<Thread, Holding> all = all();
        all.put(thread, new Holding(this, lease, of(thread)));
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

    /** Forgets a holding of the thread; an older one stays. */
    void remove(Thread thread, Holding holding) {
        Holding newest = all().get(thread);
        if (newest != null && newest != holding) {
            newest.lost = null;
        } else if (holding.lost == null) {
            all().remove(thread);
        } else {
            all().put(thread, holding.lost);
        }
    }

    /** How many threads have a holding, or had one and died. */
    int size() {
        return all().size();
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
