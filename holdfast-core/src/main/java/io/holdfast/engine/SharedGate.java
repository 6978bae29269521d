package io.holdfast.engine;

import io.holdfast.spi.ClientLine;
import io.holdfast.spi.Resource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The client's own line for one lock with {@link io.holdfast.Fairness#THROUGHPUT}, whose threads pass the lock among
 * themselves.
 *
 * <p><b>States.</b> At any time the gate has a line of waiters and at most one of
 * <ul>
 *   <li>nothing: the first waiter starts an attempt;
 *   <li>an <em>attempt</em>: one claim stands in the store for the whole line; the first waiter drives it. An attempt
 *       with a grant in hand only has to be handed out;
 *   <li>a <em>holder</em>: a grant with a lease that a user has, or that is on its way back to the store. Nobody
 *       drives. A holder whose lease was lost counts as none, whether or not anybody has acted on the loss.
 * </ul>
 *
 * <p><b>Invariants.</b> The mutex is never held during a store call, a callback or an event. Only the first waiter's
 * own step touches the attempt, and a waiter leaves the line only in its own step (or when everybody fails), so there
 * is one driver and at most one attempt under way. Whoever makes a new waiter first, or frees the gate, signals the
 * first. An acquisition without contention takes the mutex twice: to come and to have the lease.
 *
 * <p>One exception: a grant that another thread of this client <em>passed on</em>, and that the first waiter has not
 * come for yet, may be taken by whoever enters, under the mutex; see {@link Line}. A first waiter that was overtaken
 * meanwhile finds another attempt, or none, in its place. That is why {@link Waiter#driven} is never such an attempt.
 */
final class SharedGate extends Gate {

    /** How long after the grant such passing may begin. */
    private static final long COHORT_NANOS = 50 * Deadline.NANOS_PER_MILLI;

    private final ReentrantLock mutex;
    private final Line line = new Line();
    private final Cohort cohort = new Cohort();
    private @Nullable ClaimAttempt attempt;
    private @Nullable StoreGrant holder;

    /** @param mutex a new one; a test counts how often it is taken */
    SharedGate(GateServices services, Resource resource, @Nullable Object kept, ReentrantLock mutex) {
        super(services, resource, kept);
        this.mutex = mutex;
    }

    private boolean isHeld() {
        return holder != null && !holder.isLost();
    }

    @Override
    int weight() {
        return resource().capacity();
    }

    // ---- waiters

    /**
     * Joins the line, or takes what its first has not come for yet. One try on a gate that is in use ends at once,
     * empty.
     */
    @Override
    void enter(Waiter waiter) {
        boolean busy;
        ClaimAttempt offered;
        EngineLease lease = null;
        mutex.lock();
        try {
            busy = isHeld() || line.first() != null;
            offered = attempt;
            if (offered != null && offered.isPassedOn() && !waiter.request.once()) {
                lease = overtake(waiter, offered);
            }
            if (lease != null) {
                attempt = null;
            } else if (busy && waiter.request.once()) {
                unserved(waiter, offered);
            } else {
                line.append(waiter);
                attemptFor(waiter);
            }
        } finally {
            mutex.unlock();
        }
        if (lease != null && offered != null) {
            taken(waiter, offered, lease);
        } else if (busy) {
            tellWhy(waiter, offered == null ? null : offered.obstacle());
        }
    }

    /**
     * Takes what was passed on to the first of the line, and what it has not come for yet, if this waiter may; under
     * the mutex. What was not passed on is its driver's.
     */
    private @Nullable EngineLease overtake(Waiter waiter, ClaimAttempt passedOn) {
        long nowNanos = services.time().nanoTime();
        StoreGrant grant = passedOn.grant();
        if (grant == null
                || grant.isAtRisk()
                || !line.mayBeOvertaken(nowNanos)
                || Leases.wantsMore(waiter.request.options(), grant)) {
            return null;
        }
        EngineLease lease = hold(waiter, grant);
        if (lease != null) {
            line.overtaken(nowNanos);
        }
        return lease;
    }

    @Override
    @Nullable
    ClaimAttempt lead(Waiter waiter) {
        mutex.lock();
        try {
            return attemptFor(waiter);
        } finally {
            mutex.unlock();
        }
    }

    /** The attempt that this waiter is to drive, started if there is none; or null. Under the mutex. */
    private @Nullable ClaimAttempt attemptFor(Waiter waiter) {
        if (line.first() != waiter || isHeld()) {
            return null;
        }
        if (attempt == null) {
            Resource all = resource();
            attempt = services.attempts().start(this, all, all.capacity(), cohort.size(), waiter.request);
        }
        waiter.driven = attempt.isPassedOn() ? null : attempt;
        return attempt;
    }

    @Override
    boolean conclude(Waiter waiter, ClaimAttempt driven, @Nullable StoreGrant grant) {
        mutex.lock();
        try {
            if (attempt != driven) {
                return false; // somebody was faster
            }
            attempt = null;
            waiter.driven = null;
            if (hold(waiter, grant) != null) {
                line.remove(waiter);
            }
            return true;
        } finally {
            mutex.unlock();
        }
    }

    /** Makes the waiter the holder, if the grant is still good; under the mutex. */
    private @Nullable EngineLease hold(Waiter waiter, @Nullable StoreGrant grant) {
        EngineLease lease = take(waiter, grant);
        if (lease != null) {
            holder = grant;
        }
        return lease;
    }

    @Override
    void timeIsUp(Waiter waiter) {
        mutex.lock();
        try {
            unserved(waiter, attempt);
        } finally {
            mutex.unlock();
        }
    }

    /** Leaves the line, if the waiter is in it. The claim stays for the next waiter, or ends with the last one. */
    @Override
    void leave(Waiter waiter) {
        ClaimAttempt orphan = null;
        Waiter heir = null;
        if (waiter.inLine) { // only the waiter itself joins, so that a no is final
            mutex.lock();
            try {
                boolean led = line.first() == waiter && waiter.inLine;
                if (waiter.inLine) {
                    line.remove(waiter);
                }
                if (led
                        && attempt != null
                        && (line.first() == null || !attempt.claim().waits() || attempt.isUnfit())) {
                    orphan = attempt;
                    attempt = null;
                }
                heir = led ? line.first() : null;
            } finally {
                mutex.unlock();
            }
        }
        left(waiter, orphan);
        if (heir != null) {
            heir.signal();
        }
    }

    @Override
    List<Waiter> giveUp(Waiter driver, ClaimAttempt driven) {
        List<Waiter> out = new ArrayList<>();
        mutex.lock();
        try {
            for (Waiter each = line.first(); each != null; each = each.next) {
                if (each != driver && driven.isGivenUp(each.request)) {
                    out.add(each);
                }
            }
            out.forEach(line::remove);
        } finally {
            mutex.unlock();
        }
        return out;
    }

    @Override
    public void signalDriver() {
        Waiter first;
        mutex.lock();
        try {
            first = line.first();
        } finally {
            mutex.unlock();
        }
        if (first != null) {
            first.signal();
        }
    }

    // ---- grants

    /** Takes back a grant whose lease was closed: for the next thread here if it may have it, else for the store. */
    @Override
    public void returned(StoreGrant grant, long heldNanos) {
        Waiter heir;
        mutex.lock();
        try {
            line.turnTook(heldNanos);
            heir = grant.mayPass(COHORT_NANOS) ? line.first() : null;
            if (heir != null) {
                holder = null;
                attempt = services.attempts().over(grant);
            } else {
                cohort.learnFrom(grant, line.size());
            }
        } finally {
            mutex.unlock();
        }
        if (heir != null) {
            heir.signal();
            return;
        }
        long startNanos = services.time().nanoTime();
        try {
            services.endings().giveBack(grant);
        } finally {
            free(grant, services.time().nanoTime() - startNanos);
        }
    }

    @Override
    public void lost(StoreGrant grant) {
        free(grant, 0);
    }

    /** The gate is no longer held by this grant: it went back to the store in so long, or was lost. */
    private void free(StoreGrant grant, long wentBackNanos) {
        Waiter heir = null;
        mutex.lock();
        try {
            cohort.wentBackIn(wentBackNanos);
            if (holder == grant) {
                holder = null;
                heir = line.first();
            }
        } finally {
            mutex.unlock();
        }
        if (heir != null) {
            heir.signal();
        }
    }

    // ---- what others see

    /** Who has it and who waits here, as of now. */
    GateView view() {
        mutex.lock();
        try {
            List<String> waiting = new ArrayList<>();
            for (Waiter each = line.first(); each != null; each = each.next) {
                waiting.add(each.request.label());
            }
            boolean asked = attempt != null && !attempt.isPassedOn();
            return new GateView(
                    holder == null ? null : holder.claim().id(),
                    holder == null ? "" : label(holder),
                    asked && attempt != null ? attempt.claim().id() : null,
                    waiting);
        } finally {
            mutex.unlock();
        }
    }

    @Override
    public @Nullable ClientLine unseen() {
        mutex.lock();
        try {
            StoreGrant held = holder;
            String name = resource().name();
            if (held == null) {
                return line.size() < 2 ? null : new ClientLine(name, 0, "", line.size() - 1);
            }
            return line.size() == 0 && !held.isPassedOn()
                    ? null
                    : new ClientLine(name, held.claim().id().sequence(), label(held), line.size());
        } finally {
            mutex.unlock();
        }
    }

    private static String label(StoreGrant held) {
        CurrentLease lease = held.lease();
        return lease == null ? "" : lease.label();
    }
}
