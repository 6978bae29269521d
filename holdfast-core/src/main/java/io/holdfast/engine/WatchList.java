package io.holdfast.engine;

import io.holdfast.spi.TimeSource;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.Iterator;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The grants of one client in the order in which they must be looked at, and the one timer that says when.
 *
 * <p><b>How.</b> Most grants are short: they are born into a nursery, an unordered set, and never leave it. Those that
 * are there when the timer fires get an entry in a set ordered by when they must be looked at next. The timer is armed
 * for the first entry.
 *
 * <p><b>Races.</b> {@link #forget} against a re-scheduling: the entry field decides. Whoever replaces an entry removes
 * the old one from the set; whoever adds one checks that it is still the current one.
 */
final class WatchList {

    /** What to do when the timer fires. */
    interface Keeper {

        /**
         * The timer fired.
         *
         * @param nowNanos the time at which it fired
         * @param due whether a grant is due; otherwise it is only time to compare the clocks
         */
        void wake(long nowNanos, boolean due);
    }

    /** Stands for the entry of a grant that is watched no more. */
    private static final Watched.Entry<StoreGrant> NONE = new Watched.Entry<>(0, 0, null);

    /** Stands for the entry of a grant that is still in the nursery. */
    private static final Watched.Entry<StoreGrant> YOUNG = new Watched.Entry<>(0, 0, null);

    /** What the timer is armed for; only the current one does anything when it fires. */
    private static final class Alarm {
        private final long dueNanos;

        Alarm(long dueNanos) {
            this.dueNanos = dueNanos;
        }
    }

    /** While something is watched, the timer fires at least this often. */
    static final long LOOK_NANOS = 1_000 * Deadline.NANOS_PER_MILLI;

    /** The pause after something was thrown. */
    private static final long AFTER_TROUBLE_NANOS = 100 * Deadline.NANOS_PER_MILLI;

    private final EngineRuntime runtime;
    private final TimeSource time;
    private final Logger logger;
    private volatile Keeper keeper = (nowNanos, due) -> {};

    private final Set<StoreGrant> nursery = ConcurrentHashMap.newKeySet();
    private final ConcurrentSkipListSet<Watched.Entry<StoreGrant>> entries = new ConcurrentSkipListSet<>();
    private final AtomicLong sequence = new AtomicLong();
    private final AtomicReference<@Nullable Alarm> alarm = new AtomicReference<>();

    WatchList(EngineRuntime runtime, Logger logger) {
        this.runtime = runtime;
        this.time = runtime.time();
        this.logger = logger;
    }

    void keptBy(Keeper keeper) {
        this.keeper = keeper;
    }

    /** Watches the grant from now on, or looks again at one whose lease changed hands. */
    void watch(StoreGrant grant) {
        if (!grant.replaceEntry(null, YOUNG)) {
            schedule(grant);
            return;
        }
        nursery.add(grant);
        if (grant.entry() != YOUNG) {
            nursery.remove(grant);
        }
        arm(grant.dueNanos());
    }

    /** The grant has ended: it is not watched any more. True the first time. */
    boolean forget(StoreGrant grant) {
        grant.end();
        Watched.Entry<StoreGrant> old = grant.lastEntry(NONE);
        if (old == YOUNG) {
            nursery.remove(grant);
        } else if (old != null) {
            entries.remove(old);
        }
        return old != NONE;
    }

    /** How many grants are watched. */
    int size() {
        return nursery.size() + entries.size();
    }

    void forEach(Consumer<StoreGrant> action) {
        nursery.forEach(action);
        for (Watched.Entry<StoreGrant> entry : entries) {
            if (entry.item != null) {
                action.accept(entry.item);
            }
        }
    }

    /** The grants that have a place in the order, the first one first. */
    Iterable<Watched.Entry<StoreGrant>> inOrder() {
        return entries;
    }

    /** Gives all grants of the nursery their place in the order. */
    void emptyNursery() {
        nursery.forEach(grant -> replace(grant, YOUNG, grant.dueNanos()));
    }

    /** Makes sure that the grant is looked at when it is due. An entry that is early enough stays. */
    void schedule(StoreGrant grant) {
        long dueNanos = grant.dueNanos();
        Watched.Entry<StoreGrant> old = grant.entry();
        while (old != NONE && old != YOUNG && (old == null || dueNanos - old.dueNanos < 0)) {
            if (replace(grant, old, dueNanos)) {
                return;
            }
            old = grant.entry();
        }
        if (old == YOUNG) {
            arm(dueNanos);
        }
    }

    /** Puts a new entry in place of this one, for when the grant is due next. */
    void reschedule(StoreGrant grant, Watched.Entry<StoreGrant> seen) {
        replace(grant, seen, grant.dueNanos());
    }

    /** The grant is in one of the two sets all the time, so that closing finds it. */
    private boolean replace(StoreGrant grant, Watched.@Nullable Entry<StoreGrant> old, long dueNanos) {
        Watched.Entry<StoreGrant> entry = new Watched.Entry<>(dueNanos, sequence.incrementAndGet(), grant);
        if (!grant.replaceEntry(old, entry)) {
            return false;
        }
        entries.add(entry);
        if (old == YOUNG) {
            nursery.remove(grant);
        } else if (old != null) {
            entries.remove(old);
        }
        if (grant.entry() != entry) {
            entries.remove(entry);
        }
        arm(dueNanos);
        return true;
    }

    // ---- the timer

    /** Makes sure that the timer fires by then. When it fires it is armed for the first entry. */
    private void arm(long dueNanos) {
        Alarm current = alarm.get();
        while (current == null || dueNanos - current.dueNanos < 0) {
            Alarm mine = new Alarm(dueNanos);
            if (alarm.compareAndSet(current, mine)) {
                start(mine);
                return;
            }
            current = alarm.get();
        }
    }

    private void start(Alarm mine) {
        long delayNanos = Math.min(mine.dueNanos - time.nanoTime(), LOOK_NANOS);
        boolean started = false;
        try {
            runtime.schedule(() -> fire(mine), Math.max(0, delayNanos));
            started = true;
        } finally {
            if (!started) {
                alarm.compareAndSet(mine, null); // so that the next one tries again
            }
        }
    }

    /** Whatever is thrown on the way, the timer is armed again: nobody else would. */
    private void fire(Alarm mine) {
        long nowNanos = time.nanoTime();
        boolean due = mine.dueNanos - nowNanos <= 0;
        if (due ? !alarm.compareAndSet(mine, null) : alarm.get() != mine) {
            return;
        }
        boolean done = false;
        try {
            keeper.wake(nowNanos, due);
            done = true;
        } catch (Throwable trouble) {
            logger.log(Level.WARNING, "the watchdog stumbled and goes on", trouble);
        } finally {
            if (!due) {
                start(mine);
            } else if (!done) {
                arm(nowNanos + AFTER_TROUBLE_NANOS);
            } else {
                armForFirst();
            }
        }
    }

    private void armForFirst() {
        Iterator<Watched.Entry<StoreGrant>> rest = entries.iterator();
        if (rest.hasNext()) {
            arm(rest.next().dueNanos);
        }
    }
}
