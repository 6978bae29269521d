package io.holdfast.engine;

import io.holdfast.LockKind;
import io.holdfast.spi.ClientLine;
import io.holdfast.spi.Resource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The client's own line for one resource with {@link io.holdfast.Fairness#THROUGHPUT}, whose threads share what the
 * client holds and pass it on among themselves: a lock, the readers and writers of one, or permits of one weight.
 *
 * <p><b>States.</b> At any time the gate has a line of waiters, at most one <em>attempt</em>, and any number of
 * <em>holds</em>.
 * <ul>
 *   <li>The attempt is a claim on its way to a grant. It stands in the store for the whole line, and asks for what the
 *       first waiter needs; the first waiter drives it. There is none while this client has all of the resource.
 *   <li>A hold is a grant that is <em>used</em>, by one lease or by several that share it, <em>idle</em> while those
 *       who may have it next wake up, or on its way back. Idle holds have as many waiters that were <em>called</em>,
 *       the first ones of the line; for readers it is all of them up to the next writer. What nobody here may have
 *       goes back at once.
 *   <li>A hold that only has lost leases counts as none, whether or not anybody has acted on the loss.
 * </ul>
 *
 * <p>Readers take one of the resource, or are let in by a hold of all of it between two writers. A reader joins a hold
 * that readers use; nobody else joins anything. One try that finds neither a hold nor an empty line has an attempt of
 * its own if the store may say yes; what becomes of that says nothing to the line.
 *
 * <p><b>Invariants.</b> The mutex is never held during a store call, a callback or an event. Only the first waiter's
 * own step touches the attempt, and a waiter leaves the line only in its own step (or when everybody fails), so there
 * is one driver and at most one attempt under way. Leases of a hold are made under the mutex, after a look at whether
 * the hold {@link StoreGrant#mayPass may have another}. While somebody waits who wants a hold for itself, nobody joins
 * one, but for the next paragraph. Whoever makes a new waiter first, frees the gate, or leaves something behind that
 * others may have, signals those. An acquisition without contention takes the mutex twice: to come and to have the
 * lease.
 *
 * <p>An idle hold may be taken by whoever enters while the first waiter, which was called for it, wakes up ({@link
 * Line}). That one finds nothing then, and waits to be called again.
 *
 * <p><b>Races.</b> A hold that ends while somebody takes it: {@link Leases#take} looks once more. A lease that ends by
 * its own time against others that join or close: the mutex decides who was the last. A renewal that fails against one
 * that joins: that too. A called waiter that gives up: it leaves its call to the next, or sends the hold back.
 */
final class SharedGate extends Gate {
    private final ReentrantLock mutex;
    private final boolean single;
    private final Line line = new Line();
    private final Cohort cohort = new Cohort();
    private final Holds holds;
    private @Nullable ClaimAttempt attempt;

    /**
     * @param single whether each who comes here wants all of the resource
     * @param mutex a new one; a test counts how often it is taken
     */
    SharedGate(GateServices services, Resource resource, boolean single, @Nullable Object kept, ReentrantLock mutex) {
        super(services, resource, kept);
        this.single = single;
        this.mutex = mutex;
        this.holds = new Holds(services.time());
    }

    // ---- waiters

    /** Takes a hold of this client, or joins the line. One try that could not be served ends at once, empty. */
    @Override
    void enter(Waiter waiter) {
        waiter.shares = resource().kind() == LockKind.READ_WRITE
                && waiter.request.weight() < resource().capacity();
        boolean busy;
        ClaimAttempt before;
        EngineLease lease;
        mutex.lock();
        try {
            boolean all = holds.hasAll();
            before = attempt;
            busy = all || line.first() != null;
            lease = holds.isAnyFree() ? comeIn(waiter) : null;
            boolean triesOnce = lease == null && waiter.request.once() && !waiter.called;
            if (triesOnce && (single ? busy : all)) {
                unserved(waiter, before);
            } else if (triesOnce && !single) {
                waiter.driven = start(waiter);
                busy = false;
            } else if (lease == null) {
                line.append(waiter);
                attemptFor(waiter);
                busy &= !waiter.called;
            }
        } finally {
            mutex.unlock();
        }
        if (lease != null) {
            taken(waiter, lease);
        } else if (busy) {
            tellWhy(waiter, before == null ? null : before.obstacle());
        }
    }

    /**
     * Takes a hold of this client if the waiter may have one before those in the line; under the mutex. It may if
     * nobody waits, if all share, or while the first of the line wakes up.
     */
    private @Nullable EngineLease comeIn(Waiter waiter) {
        StoreGrant hold = holds.usableBy(waiter);
        if (hold == null) {
            return null;
        }
        boolean free = line.first() == null || (waiter.shares && line.allShare());
        long nowNanos = free ? 0 : services.time().nanoTime();
        if (!free && (waiter.request.once() || !line.mayBeOvertaken(nowNanos))) {
            return null;
        }
        if (Leases.wantsMore(waiter.request.options(), hold)) {
            waiter.called = line.first() == null; // its own step has it made longer first
            return null;
        }
        EngineLease lease = use(waiter, hold);
        if (lease != null && !free) {
            line.overtaken(nowNanos);
        }
        return lease;
    }

    /** Makes a lease of a hold, if that is still good; under the mutex. */
    private @Nullable EngineLease use(Waiter waiter, StoreGrant hold) {
        EngineLease lease = take(waiter, hold);
        if (lease != null) {
            holds.used(hold, waiter.shares);
        }
        return lease;
    }

    @Override
    @Nullable
    ClaimAttempt lead(Waiter waiter) {
        Aftermath after = new Aftermath();
        EngineLease lease = null;
        ClaimAttempt driven = null;
        mutex.lock();
        try {
            boolean asked = waiter.inLine && (waiter.called || line.first() == waiter);
            StoreGrant hold = asked ? holds.usableBy(waiter) : null;
            waiter.called = false;
            if (hold != null && hold != waiter.confirmed && Leases.wantsMore(waiter.request.options(), hold)) {
                waiter.tooShort = hold;
                waiter.called = true; // it will look once more
                return null;
            }
            lease = hold == null ? null : use(waiter, hold);
            if (lease != null) {
                depart(waiter, after);
            } else {
                settle(after);
                driven = attemptFor(waiter);
            }
        } finally {
            mutex.unlock();
        }
        finish(after);
        if (lease == null) {
            return after.isNothing() ? driven : lead(waiter); // that may have used up a signal
        }
        taken(waiter, lease);
        if (after.orphan != null) {
            services.attempts().abandon(after.orphan, true);
        }
        return null;
    }

    /** The attempt that this waiter is to drive, started if there is none; or null. Under the mutex. */
    private @Nullable ClaimAttempt attemptFor(Waiter waiter) {
        if (line.first() != waiter || holds.hasAll()) {
            return null;
        }
        if (attempt == null) {
            attempt = start(waiter);
        }
        waiter.driven = attempt;
        return attempt;
    }

    /** All holds of permits together have as many turns as one of a lock. */
    private ClaimAttempt start(Waiter waiter) {
        int parts = waiter.shares ? 1 : 1 + holds.all().size();
        return services.attempts().start(this, resource(), Math.max(1, cohort.size() / parts), waiter.request);
    }

    @Override
    void conclude(Waiter waiter, ClaimAttempt driven, StoreGrant grant) {
        Aftermath after = new Aftermath();
        mutex.lock();
        try {
            attempt = attempt == driven ? null : attempt;
            waiter.driven = null;
            if (use(waiter, grant) != null) {
                holds.add(grant);
                if (waiter.inLine) {
                    depart(waiter, after);
                } else {
                    settle(after);
                }
            }
        } finally {
            mutex.unlock();
        }
        finish(after);
    }

    @Override
    void timeIsUp(Waiter waiter) {
        locked(() -> {
            unserved(waiter, waiter.driven != null ? waiter.driven : attempt);
            return waiter;
        });
    }

    /** Leaves the line, if the waiter is in it. The claim stays for the next waiter, or ends with the last one. */
    @Override
    void leave(Waiter waiter) {
        if (!waiter.inLine) { // only the waiter itself joins, so that a no is final
            left(waiter, waiter.driven);
            return;
        }
        Aftermath after = locked(() -> {
            Aftermath following = new Aftermath();
            if (waiter.inLine) {
                depart(waiter, following);
            }
            return following;
        });
        left(waiter, after.orphan);
        finish(after);
    }

    /** Takes a waiter out of the line, and sees to those behind it; under the mutex. */
    private void depart(Waiter waiter, Aftermath after) {
        boolean led = line.first() == waiter;
        line.remove(waiter);
        waiter.driven = null;
        Waiter heir = led && !holds.hasAll() ? line.first() : null;
        if (led && attempt != null && (heir == null || !attempt.isFor(heir.request))) {
            after.orphan = attempt;
            attempt = null;
        }
        if (heir != null) {
            after.signal(heir);
        }
        settle(after);
    }

    /** Calls those who may have what is idle here, or shared. What nobody may have goes back. Under the mutex. */
    private void settle(Aftermath after) {
        if (!holds.isAnyFree()) {
            return;
        }
        Waiter first = line.first();
        after.spent = holds.takeSpent(first, line.size());
        after.spent.forEach(hold -> cohort.learnFrom(hold, line.size()));
        StoreGrant next = first == null ? null : holds.usableBy(first);
        if (first != null && next != null) {
            int most = first.shares ? next.tokensLeft() : holds.idle();
            line.call(first, most, services.time().nanoTime(), after);
        }
    }

    @Override
    List<Waiter> giveUp(Waiter driver, ClaimAttempt driven) {
        List<Waiter> out = new ArrayList<>();
        Aftermath after = new Aftermath();
        mutex.lock();
        try {
            for (Waiter each = line.first(); each != null && attempt == driven; each = each.next) {
                if (each != driver && driven.isGivenUp(each.request)) {
                    out.add(each);
                }
            }
            out.forEach(line::remove);
            settle(after);
        } finally {
            mutex.unlock();
        }
        finish(after);
        return out;
    }

    @Override
    public void signalDriver() {
        Waiter first = locked(line::first);
        if (first != null) {
            first.signal();
        }
    }

    private <T extends @Nullable Object> T locked(Supplier<T> action) {
        mutex.lock();
        try {
            return action.get();
        } finally {
            mutex.unlock();
        }
    }

    // ---- grants

    /** What follows on a change, without the mutex. */
    private void finish(Aftermath after) {
        after.signalAll();
        for (StoreGrant hold : after.spent) {
            long startNanos = services.time().nanoTime();
            try {
                services.endings().giveBack(hold);
            } finally {
                free(hold, services.time().nanoTime() - startNanos);
            }
        }
    }

    /** Takes back what one lease had. The last one leaves it to those here who may have it next, or to the store. */
    @Override
    public void returned(StoreGrant grant, CurrentLease lease, long heldNanos) {
        Aftermath after = new Aftermath();
        mutex.lock();
        try {
            grant.remove(lease);
            holds.sectionTook(heldNanos);
            if (grant.isIdle()) {
                line.turnTook(heldNanos);
                holds.unused(grant);
                settle(after);
            }
        } finally {
            mutex.unlock();
        }
        finish(after);
    }

    @Override
    public boolean ended(StoreGrant grant, CurrentLease lease) {
        return locked(() -> {
            if (grant.hasOnly(lease)) {
                holds.closed(grant);
                return false;
            }
            grant.remove(lease);
            return true;
        });
    }

    @Override
    public CurrentLease[] troubled(StoreGrant grant) {
        return locked(() -> toldOfTrouble(grant));
    }

    @Override
    public void lost(StoreGrant grant) {
        free(grant, 0);
    }

    /** The client has this grant no more: it went back to the store in so long, or was lost. */
    private void free(StoreGrant grant, long wentBackNanos) {
        Waiter heir = locked(() -> {
            cohort.wentBackIn(wentBackNanos);
            return holds.remove(grant) ? line.first() : null;
        });
        if (heir != null) {
            heir.signal();
        }
    }

    // ---- what others see

    /** Who has something and who waits here, as of now. */
    GateView view() {
        return locked(() -> new GateView(
                holds.labels(), attempt == null ? null : attempt.claim().id(), line.labels()));
    }

    /** Other clients are told of locks only. */
    @Override
    public @Nullable ClientLine unseen() {
        return resource().kind() == LockKind.LOCK
                ? locked(() -> holds.unseen(resource().name(), line.size()))
                : null;
    }

    @Override
    @Nullable
    Place place(Waiter waiter) {
        return locked(() -> line.place(waiter, attempt, holds.whole()));
    }
}
