package io.holdfast.memory;

import io.holdfast.LockKind;
import io.holdfast.spi.AttemptResult;
import io.holdfast.spi.Claim;
import io.holdfast.spi.ClaimId;
import io.holdfast.spi.RenewResult;
import io.holdfast.spi.Resource;
import io.holdfast.spi.ResourceView;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * All that the store knows of one resource: who holds it, who waits, and the last token.
 *
 * <p><b>States of a claim.</b> Unknown → waiting → held → unknown, or unknown → held when nobody stands before it. It
 * goes back to unknown by a release, by the end of its lease, or by losing its place. Expiry is noticed by the next
 * attempt or release of anybody.
 *
 * <p><b>States of this object.</b> In use (somebody holds or waits) ⇄ idle → forgotten. Forgotten is final: every call
 * then acts as if the resource were unknown, and the store makes a new object for the next attempt.
 *
 * <p><b>Invariants</b>, whenever the lock is free:
 * <ul>
 *   <li>No claim both holds and waits.
 *   <li>The holders use at most {@code capacity}.
 *   <li>{@code lastToken} is not less than any token ever given for this name, by whichever object.
 *   <li>The first in line did not fit when somebody last asked or released.
 *   <li>{@code served} is empty.
 * </ul>
 *
 * <p><b>Races.</b> One lock guards every field but {@code nextSweepNanos}. No other lock is taken while it is held, and
 * the only foreign code that runs under it is the clock of a client that is served. Listeners are called after it is
 * given up, so a message can be overtaken by whatever happens next to its claim. Forgetting (by the sweep or a restart)
 * races with attempts: they see {@code forgotten} under the lock and begin anew.
 */
final class ResourceState {
    static final RenewResult GONE = new RenewResult.Gone();

    /** Up to here a place in the line is counted exactly; further back it may count those who left. */
    private static final int EXACT_PLACES = 64;

    /** How long a claim keeps its place in the line without asking again. */
    static final Duration PLACE_LEASE = Duration.ofSeconds(3);

    /** The lease of a claim that is served while it waits, unless its own is shorter. */
    static final Duration GRANT_LEASE = Duration.ofSeconds(3);

    private static final long PLACE_LEASE_NANOS = PLACE_LEASE.toNanos();

    /** When the store next looks whether this is idle. Written only by the one who has taken this out of the queue. */
    volatile long nextSweepNanos;

    private final LockKind kind;
    private final String name;
    private final StoreClock clock;
    private final Guard guard;

    private final ReentrantLock lock = new ReentrantLock();
    private final Holders holders = new Holders();
    private final LinkedHashMap<ClaimId, Place> line = new LinkedHashMap<>();
    private List<Notice> served = List.of();
    private int capacity;
    private long lastToken;
    private long lastTicket;
    private long lastUsedNanos;
    private boolean forgotten;

    /** Begins idle, with a token that is not less than any given before. */
    ResourceState(Resource resource, long lastToken, StoreClock clock, Guard guard) {
        this.kind = resource.kind();
        this.name = resource.name();
        this.capacity = kind == LockKind.READ_WRITE ? Resource.ALL_READERS : resource.capacity();
        this.lastToken = lastToken;
        this.clock = clock;
        this.guard = guard;
        this.lastUsedNanos = clock.nowNanos();
    }

    LockKind kind() {
        return kind;
    }

    String name() {
        return name;
    }

    /** Answers an attempt, or null when this is forgotten. */
    @Nullable
    AttemptResult attempt(Claim claim, StoreClient client) {
        AttemptResult result;
        List<Notice> notices;
        lock.lock();
        try {
            if (forgotten) {
                return null;
            }
            long nowNanos = clock.nowNanos();
            lastUsedNanos = nowNanos;
            holders.reap(nowNanos);
            result = answer(claim, client, nowNanos);
            notices = takeServed();
        } finally {
            lock.unlock();
        }
        tell(notices);
        return result;
    }

    /** Ends a claim that holds or waits. A lease that has ended is still known until somebody else notices. */
    boolean release(ClaimId id) {
        List<Notice> notices;
        lock.lock();
        try {
            Holder holder = holders.get(id);
            if (holder != null) {
                holders.remove(holder);
            } else if (line.remove(id) == null) {
                return false;
            }
            long nowNanos = clock.nowNanos();
            lastUsedNanos = nowNanos;
            holders.reap(nowNanos);
            serveLine(null, nowNanos);
            notices = takeServed();
        } finally {
            lock.unlock();
        }
        tell(notices);
        return true;
    }

    RenewResult renew(ClaimId id, Duration lease) {
        lock.lock();
        try {
            Holder holder = holders.get(id);
            long nowNanos = clock.nowNanos();
            if (holder == null || holder.isExpired(nowNanos)) {
                return GONE;
            }
            extend(holder, StoreClock.nanos(lease), nowNanos);
            return new RenewResult.Renewed(holder.left(nowNanos));
        } finally {
            lock.unlock();
        }
    }

    /** Empty when nobody holds and nobody waits. */
    Optional<ResourceView> view() {
        lock.lock();
        try {
            long nowNanos = clock.nowNanos();
            List<ResourceView.Holder> holding = holders.alive(nowNanos)
                    .map(holder -> view(holder, nowNanos))
                    .toList();
            List<ResourceView.Waiting> waiting = line.values().stream()
                    .filter(place -> place.isAlive(nowNanos))
                    .map(place -> view(place.claim()))
                    .toList();
            return holding.isEmpty() && waiting.isEmpty()
                    ? Optional.empty()
                    : Optional.of(new ResourceView(new Resource(kind, name, capacity), holding, waiting));
        } finally {
            lock.unlock();
        }
    }

    /**
     * Forgets a resource that nobody has used for some time. Does not wait for whoever uses it now. There is no need to
     * look at the line: a place was last renewed by a use, and ends long before a retention has passed.
     */
    boolean forgetIfIdle(long sinceNanos, AtomicLong highestForgottenToken) {
        if (!lock.tryLock()) {
            return false;
        }
        try {
            boolean idle = lastUsedNanos <= sinceNanos && holders.allExpired(sinceNanos);
            if (idle) {
                forget(highestForgottenToken);
            }
            return idle;
        } finally {
            lock.unlock();
        }
    }

    /** Forgets everything. The token is handed over first, so that whoever sees this forgotten finds it there. */
    void forget(AtomicLong highestForgottenToken) {
        lock.lock();
        try {
            highestForgottenToken.accumulateAndGet(lastToken, Math::max);
            forgotten = true;
            holders.clear();
            line.clear();
        } finally {
            lock.unlock();
        }
    }

    private AttemptResult answer(Claim claim, StoreClient client, long nowNanos) {
        if (claim.resource().capacity() != capacity && !adopt(claim.resource().capacity(), nowNanos)) {
            return new AttemptResult.Mismatched(capacity);
        }
        long shutForNanos = guard.shutForNanos(nowNanos);
        if (shutForNanos > 0) {
            return new AttemptResult.Refused(
                    "the memory store restarted empty and waits until leases from before have ended",
                    Duration.ofNanos(shutForNanos));
        }
        Holder mine = holders.get(claim.id());
        if (mine != null) {
            extend(mine, StoreClock.nanos(claim.lease()), nowNanos);
            raise(mine, claim.leastToken());
            serveLine(null, nowNanos);
            return new AttemptResult.Granted(mine.firstToken, mine.left(nowNanos));
        }
        return compete(claim, client, nowNanos);
    }

    private AttemptResult compete(Claim claim, StoreClient client, long nowNanos) {
        Place place = line.get(claim.id());
        if (place != null) {
            place.renew(claim, client, nowNanos + PLACE_LEASE_NANOS);
        }
        serveLine(place, nowNanos);
        Holder mine = place == null ? null : holders.get(claim.id());
        boolean arrival = kind == LockKind.LATCH && claim.weight() > 0;
        if (mine == null && fits(claim) && (line.isEmpty() || arrival)) {
            long token = grant(claim, claim.lease(), nowNanos).firstToken;
            serveLine(null, nowNanos); // an arrival may have filled the latch
            return new AttemptResult.Granted(token, claim.lease());
        }
        if (mine != null) {
            return new AttemptResult.Granted(mine.firstToken, mine.left(nowNanos));
        }
        if (!claim.waits() || arrival) {
            return turnAway(claim, nowNanos);
        }
        if (place == null) {
            place = new Place(++lastTicket, claim, client, nowNanos + PLACE_LEASE_NANOS);
            line.put(claim.id(), place);
        }
        return new AttemptResult.Queued(count(place), soonestEnd(nowNanos), true);
    }

    /** The capacity belongs to the name as long as somebody holds it or waits. */
    private boolean adopt(int wanted, long nowNanos) {
        line.values().removeIf(place -> !place.isAlive(nowNanos));
        serveLine(null, nowNanos);
        if (kind == LockKind.READ_WRITE || !holders.isEmpty() || !line.isEmpty()) {
            return false;
        }
        capacity = wanted;
        return true;
    }

    /** A claim that does not wait loses the place that it may have had, which can let in those behind it. */
    private AttemptResult turnAway(Claim claim, long nowNanos) {
        if (line.remove(claim.id()) != null) {
            serveLine(null, nowNanos);
        }
        return new AttemptResult.Busy(soonestEnd(nowNanos));
    }

    /**
     * Serves the line in order and stops at the first that is alive and does not fit: nobody overtakes, so a writer is
     * not starved. Each place that is dropped or served was paid for when it was taken.
     *
     * @param asking the place of the claim that asks right now, which gets its whole lease in the answer
     */
    private void serveLine(@Nullable Place asking, long nowNanos) {
        if (line.isEmpty()) {
            return;
        }
        Iterator<Place> places = line.values().iterator();
        while (places.hasNext()) {
            Place place = places.next();
            Claim claim = place.claim();
            if (!place.isAlive(nowNanos)) {
                places.remove();
            } else if (!fits(claim)) {
                return;
            } else {
                places.remove();
                if (place == asking) {
                    grant(claim, claim.lease(), nowNanos);
                } else {
                    handOver(place);
                }
            }
        }
    }

    /**
     * Grants to a claim whose client is not asking just now. The lease is short, because its client may be dead.
     *
     * <p>The client's clock is read first and the store's after it. The other way round, a pause in between would let
     * the client count from a later instant than the store.
     */
    private void handOver(Place place) {
        Claim claim = place.claim();
        Duration lease = claim.lease().compareTo(GRANT_LEASE) < 0 ? claim.lease() : GRANT_LEASE;
        long startNanos = place.client().clientNanos();
        Holder holder = grant(claim, lease, clock.nowNanos());
        if (served.isEmpty()) {
            served = new ArrayList<>(1);
        }
        served.add(new Notice(place.client(), claim.id(), holder.firstToken, lease, startNanos));
    }

    private Holder grant(Claim claim, Duration lease, long fromNanos) {
        long leaseNanos = StoreClock.nanos(lease);
        long least = Math.max(claim.leastToken(), clock.wallMicros());
        Holder holder = new Holder(claim, Math.max(lastToken + 1, least), fromNanos + leaseNanos);
        lastToken = holder.lastToken();
        holders.add(holder);
        guard.leased(leaseNanos);
        return holder;
    }

    private void raise(Holder holder, long leastToken) {
        if (holder.firstToken < leastToken) {
            boolean wasLast = lastToken == holder.lastToken();
            holder.firstToken = wasLast ? leastToken : Math.max(lastToken + 1, leastToken);
            lastToken = holder.lastToken();
        }
    }

    private void extend(Holder holder, long leaseNanos, long nowNanos) {
        if (nowNanos + leaseNanos > holder.untilNanos) {
            holders.extend(holder, nowNanos + leaseNanos);
            guard.leased(leaseNanos);
        }
    }

    /** A claim of weight zero waits for a full resource, any other for enough of what is left. */
    private boolean fits(Claim claim) {
        int free = capacity - holders.used();
        return claim.weight() == 0 ? free == 0 : claim.weight() <= free;
    }

    /** How many stand before a place, itself included; never too few. A long line is not counted on every question. */
    private int count(Place place) {
        int counted = 0;
        long firstTicket = place.ticket;
        for (Place other : line.values()) {
            firstTicket = Math.min(firstTicket, other.ticket);
            counted++;
            if (other == place) {
                return counted;
            }
            if (counted == EXACT_PLACES) {
                break;
            }
        }
        return (int) Math.min(Integer.MAX_VALUE, place.ticket - firstTicket + 1);
    }

    /**
     * Nobody may hold a latch that is waited for; then there is nothing to expect before the place has to be renewed.
     */
    private Duration soonestEnd(long nowNanos) {
        return holders.isEmpty() ? PLACE_LEASE : Duration.ofNanos(holders.soonestEndNanos() - nowNanos);
    }

    private List<Notice> takeServed() {
        List<Notice> taken = served;
        served = List.of();
        return taken;
    }

    private static void tell(List<Notice> notices) {
        for (Notice notice : notices) {
            notice.tell();
        }
    }

    private static ResourceView.Holder view(Holder holder, long nowNanos) {
        Claim claim = holder.claim;
        return new ResourceView.Holder(
                claim.id(), claim.weight(), holder.lastToken(), holder.left(nowNanos), claim.label());
    }

    private static ResourceView.Waiting view(Claim claim) {
        return new ResourceView.Waiting(claim.id(), claim.weight(), claim.label());
    }
}
