package io.holdfast.engine;

import io.holdfast.LockStoreException;
import io.holdfast.LostReason;
import io.holdfast.spi.RenewResult;
import io.holdfast.spi.Renewal;
import io.holdfast.spi.Resource;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Keeps holds alive and tells when one cannot be: renews at a third of what is left, says "at risk" at the first failure and "lost" at the
 * deadline. A hold that was granted for much less than was asked, as a hand-over is, is renewed after a thirtieth.
 *
 * <p><b>How.</b> Most holds are short: they are born into a nursery, an unordered set, and never leave it. Those that are there when
 * the timer fires get an entry in a set ordered by when they must be looked at next: their renewal, or their end while a renewal is
 * under way or not wanted. One timer is armed for the first entry. When it fires, what is due is looked at; if something must be
 * renewed, whatever would be due soon goes along, so that holds end up sharing one round. The round's call to the store runs
 * elsewhere: the timer never blocks, and a store that hangs cannot keep a deadline from being told.
 *
 * <p><b>Races.</b> {@link #forget} against a re-scheduling: the entry field decides. Whoever replaces an entry removes the old one from the set;
 * whoever adds one looks again whether it is still the current one.
 */
final class Watchdog {

    /** A hold's place in the order; replaced, never changed. */
    static final class Entry implements Comparable<Entry> {
        /** Stands for the entry of a hold that is watched no more. */
        static final Entry NONE = new Entry(0, 0, null);

        /** Stands for the entry of a hold that is still in the nursery. */
        static final Entry YOUNG = new Entry(0, 0, null);

        private final long dueNanos;
        private final long sequence;
        private final @Nullable StoreGrant hold;

        Entry(long dueNanos, long sequence, @Nullable StoreGrant hold) {
            this.dueNanos = dueNanos;
            this.sequence = sequence;
            this.hold = hold;
        }

        @Override
        public int compareTo(Entry other) {
            long byTime = dueNanos - other.dueNanos;
            return byTime == 0 ? Long.compare(sequence, other.sequence) : byTime < 0 ? -1 : 1;
        }
    }

    /** What the timer is armed for; only the current one does anything when it fires. */
    private static final class Alarm {
        private final long dueNanos;

        Alarm(long dueNanos) {
            this.dueNanos = dueNanos;
        }
    }

    /** A round is sent in parts of this size, so that the first are safe before the last have been looked at. */
    private static final int MOST_PER_CALL = 1_000;

    /** Shorter than what is left of a hold, so that nothing is renewed. */
    private static final Duration A_LOOK = Duration.ofMillis(1);

    /** While something is held, the two clocks are compared this often. */
    private static final long LOOK_NANOS = 1_000 * Deadline.NANOS_PER_MILLI;

    /** The pause after something was thrown. */
    private static final long AFTER_TROUBLE_NANOS = 100 * Deadline.NANOS_PER_MILLI;

    /** How far the wall clock may run ahead between two looks before it matters. */
    private static final long CLOCK_STEP_MILLIS = 10;

    private final EngineContext context;

    /** A look at the clocks that later ones are compared with, for about a second; only the timer touches it. */
    private long lastNanos;

    private long lastWallMillis;

    private final Set<StoreGrant> nursery = ConcurrentHashMap.newKeySet();
    private final ConcurrentSkipListSet<Entry> entries = new ConcurrentSkipListSet<>();
    private final AtomicLong sequence = new AtomicLong();
    private final AtomicReference<@Nullable Alarm> alarm = new AtomicReference<>();

    Watchdog(EngineContext context) {
        this.context = context;
    }

    /** Looks after the hold from now on, or looks again at one whose lease changed hands. */
    void watch(StoreGrant hold) {
        if (!hold.replaceEntry(null, Entry.YOUNG)) {
            schedule(hold);
            return;
        }
        nursery.add(hold);
        if (hold.entry() != Entry.YOUNG) {
            nursery.remove(hold);
        }
        arm(dueNanos(hold));
    }

    /** Does nothing more for this hold. */
    void forget(StoreGrant hold) {
        hold.end();
        Entry old = hold.lastEntry(Entry.NONE);
        if (old == Entry.YOUNG) {
            nursery.remove(hold);
        } else if (old != null) {
            entries.remove(old);
        }
    }

    /** How many holds are watched. */
    int size() {
        return nursery.size() + entries.size();
    }

    void forEach(Consumer<StoreGrant> action) {
        nursery.forEach(action);
        for (Entry entry : entries) {
            if (entry.hold != null) {
                action.accept(entry.hold);
            }
        }
    }

    /** When the hold must be looked at: for its renewal, or at its end. */
    private static long dueNanos(StoreGrant hold) {
        boolean renews = !hold.isRenewing() && !hold.renewal().isZero();
        long endNanos = hold.endNanos();
        return renews && hold.renewAtNanos() - endNanos < 0 ? hold.renewAtNanos() : endNanos;
    }

    /** Makes sure that the hold is looked at when it is due. An entry that is early enough stays. */
    private void schedule(StoreGrant hold) {
        long dueNanos = dueNanos(hold);
        Entry old = hold.entry();
        while (old != Entry.NONE && old != Entry.YOUNG && (old == null || dueNanos - old.dueNanos < 0)) {
            if (replace(hold, old, dueNanos)) {
                return;
            }
            old = hold.entry();
        }
        if (old == Entry.YOUNG) {
            arm(dueNanos);
        }
    }

    /** Puts a new entry in place of the old one; the hold is in one of the sets all the time, so that closing finds it. */
    private boolean replace(StoreGrant hold, @Nullable Entry old, long dueNanos) {
        Entry entry = new Entry(dueNanos, sequence.incrementAndGet(), hold);
        if (!hold.replaceEntry(old, entry)) {
            return false;
        }
        entries.add(entry);
        if (old == Entry.YOUNG) {
            nursery.remove(hold);
        } else if (old != null) {
            entries.remove(old);
        }
        if (hold.entry() != entry) {
            entries.remove(entry);
        }
        arm(dueNanos);
        return true;
    }

    /** Makes sure that the timer fires by then. When it fires it arms itself for what is first. */
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
        long delayNanos = Math.min(mine.dueNanos - context.time().nanoTime(), LOOK_NANOS);
        boolean started = false;
        try {
            context.runtime().schedule(() -> fire(mine), Math.max(0, delayNanos));
            started = true;
        } finally {
            if (!started) {
                alarm.compareAndSet(mine, null); // so that the next one tries again
            }
        }
    }

    /** Whatever is thrown on the way, the timer is armed again: nobody else would. */
    private void fire(Alarm mine) {
        long nowNanos = context.time().nanoTime();
        boolean due = mine.dueNanos - nowNanos <= 0;
        if (due ? !alarm.compareAndSet(mine, null) : alarm.get() != mine) {
            return;
        }
        boolean done = false;
        try {
            compareClocks(nowNanos);
            if (due) {
                emptyNursery();
                collect(nowNanos);
            }
            done = true;
        } catch (Throwable trouble) {
            context.logger().log(Level.WARNING, "the watchdog stumbled and goes on", trouble);
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
        Iterator<Entry> rest = entries.iterator();
        if (rest.hasNext()) {
            arm(rest.next().dueNanos);
        }
    }

    /** A machine that slept, or a wall clock that was set: some leases may be over that the monotonic clock says are not. */
    private void compareClocks(long nowNanos) {
        long wallMillis = context.time().wallMillis();
        long aheadMillis = wallMillis - lastWallMillis - (nowNanos - lastNanos) / Deadline.NANOS_PER_MILLI;
        if (Math.abs(aheadMillis) > CLOCK_STEP_MILLIS || nowNanos - lastNanos >= LOOK_NANOS) {
            lastNanos = nowNanos;
            lastWallMillis = wallMillis;
        }
        if (aheadMillis > CLOCK_STEP_MILLIS) {
            forEach(StoreGrant::loseIfPast);
        }
    }

    /** Whatever has lived until the timer fired gets its place in the order. */
    private void emptyNursery() {
        nursery.forEach(hold -> replace(hold, Entry.YOUNG, dueNanos(hold)));
    }

    /** Looks at everything that is due, and sends off what must be renewed and what may as well be renewed with it. */
    private void collect(long nowNanos) {
        List<StoreGrant> round = new ArrayList<>();
        long alongNanos = nowNanos;
        for (Entry entry : entries) {
            StoreGrant hold = entry.hold;
            if (hold == null || entry.dueNanos - alongNanos > 0) {
                break;
            }
            boolean due = entry.dueNanos - nowNanos <= 0;
            if (due && hold.loseIfPast()) {
                continue;
            }
            boolean renewing = wantsRenewal(hold, alongNanos);
            if (renewing) {
                hold.renewing(true);
                if (round.size() == MOST_PER_CALL) {
                    send(round);
                    round = new ArrayList<>();
                }
                round.add(hold);
                alongNanos = Math.max(alongNanos, nowNanos + hold.leewayNanos());
            }
            if (due || renewing) {
                replace(hold, entry, dueNanos(hold));
            }
        }
        send(round);
    }

    private void send(List<StoreGrant> part) {
        if (part.isEmpty()) {
            return;
        }
        try {
            context.runtime().renewals().execute(() -> renew(part));
        } catch (Throwable noThread) {
            RuntimeException cause = new IllegalStateException("no thread could be had for a renewal", noThread);
            answer(part, Moment.now(context.time()), hold -> new RenewResult.Failed(cause));
        }
    }

    private boolean wantsRenewal(StoreGrant hold, long byNanos) {
        return !hold.isRenewing()
                && hold.renewAtNanos() - byNanos <= 0
                && !hold.renewal().isZero();
    }

    private void renew(List<StoreGrant> round) {
        List<StoreGrant> holds = new ArrayList<>(round.size());
        List<Renewal> renewals = new ArrayList<>(round.size());
        for (StoreGrant hold : round) {
            Duration lease = hold.renewal();
            if (hold.hasEnded() || lease.isZero()) {
                hold.renewing(false);
                schedule(hold);
            } else {
                hold.asksFor(lease);
                holds.add(hold);
                renewals.add(new Renewal(hold.claim(), lease));
            }
        }
        Moment sent = Moment.now(context.time());
        List<RenewResult> results = call(renewals);
        Iterator<RenewResult> each = results.iterator();
        answer(holds, sent, hold -> each.next());
    }

    private void answer(List<StoreGrant> holds, Moment sent, Function<StoreGrant, RenewResult> results) {
        for (StoreGrant hold : holds) {
            RenewResult result = results.apply(hold);
            hold.renewing(false);
            context.guarded("the watchdog", () -> apply(hold, sent, result));
            schedule(hold);
        }
    }

    /** One renewal for a caller who needs the answer. False when the hold is lost. */
    boolean renewNow(StoreGrant hold, Duration lease) {
        hold.asksFor(lease);
        Moment sent = Moment.now(context.time());
        RenewResult result = call(List.of(new Renewal(hold.claim(), lease))).get(0);
        apply(hold, sent, result);
        if (result instanceof RenewResult.Failed failed) {
            Resource resource = hold.claim().resource();
            String name = resource.name();
            throw new LockStoreException(
                    resource.kind(),
                    name,
                    "could not extend the lease of '" + name + "': "
                            + failed.cause().getMessage() + "; it lasts as long as before",
                    failed.cause());
        }
        if (!hold.hasEnded()) {
            schedule(hold);
        }
        return !hold.hasEnded();
    }

    /** Somebody says that the store has ended the hold: looks whether that is so, and makes it no longer than it is. */
    void look(StoreGrant hold) {
        RenewResult result = call(List.of(new Renewal(hold.claim(), A_LOOK))).get(0);
        if (result instanceof RenewResult.Gone) {
            apply(hold, Moment.now(context.time()), result);
        }
    }

    private List<RenewResult> call(List<Renewal> renewals) {
        if (renewals.isEmpty()) {
            return List.of();
        }
        try {
            List<RenewResult> results = context.backend().renew(renewals);
            if (results.size() != renewals.size()) {
                throw new IllegalStateException(
                        "the backend answered " + results.size() + " of " + renewals.size() + " renewals");
            }
            return results;
        } catch (Throwable thrown) {
            RuntimeException trouble = thrown instanceof RuntimeException known
                    ? known
                    : new IllegalStateException("the backend threw", thrown);
            List<RenewResult> failed = new ArrayList<>(renewals.size());
            renewals.forEach(renewal -> failed.add(new RenewResult.Failed(trouble)));
            return failed;
        }
    }

    private void apply(StoreGrant hold, Moment sent, RenewResult result) {
        if (result instanceof RenewResult.Renewed renewed) {
            if (hold.renewed(Deadline.of(sent, renewed.left()))) {
                EngineLease lease = hold.lease();
                if (lease != null && !lease.isClosed()) {
                    context.events().renewed(lease);
                }
            } else {
                hold.loseIfPast();
                context.end(hold.claim(), hold.unsettledUntilNanos(), hold.longest());
            }
        } else if (result instanceof RenewResult.Gone) {
            if (!hold.hasEnded() && !hold.loseIfPast()) {
                hold.lose(LostReason.FORGOTTEN);
            }
        } else if (result instanceof RenewResult.Failed failed) {
            hold.unsettledUntil(
                    sent.nanos() + context.backend().requestTimeout().toNanos());
            EngineLease lease = hold.lease();
            if (hold.hasEnded()) {
                context.settle(hold.claim(), hold.unsettledUntilNanos(), hold.longest());
            } else if (hold.renewalFailed() && lease != null && !lease.isClosed()) {
                lease.atRisk(failed.cause());
            }
        }
    }
}
