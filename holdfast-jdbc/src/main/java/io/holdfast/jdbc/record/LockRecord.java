package io.holdfast.jdbc.record;

import io.holdfast.LockKind;
import io.holdfast.spi.AttemptResult;
import io.holdfast.spi.Claim;
import io.holdfast.spi.ClaimId;
import io.holdfast.spi.Resource;
import io.holdfast.spi.ResourceView;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The rules of one resource: who holds it, who waits, and the last token. It knows neither a clock nor a database. A
 * call reads the row, lets this class decide, and writes the row back if nobody else has changed it meanwhile.
 *
 * <p><b>Invariants</b> after each call: no claim both holds and waits; the weights of the holders fit into the
 * capacity; no token was ever greater than {@code lastToken}; the first in line did not fit.
 *
 * <p><b>Threads.</b> For one thread.
 */
public final class LockRecord {
    /** The first lease of a claim that is served while it waits: its client may be dead. */
    static final long GRANT_MICROS = 3_000_000;
    /** Clocks are set back by more; statements of H2 that wait for each other see less. */
    private static final long STEP_MICROS = 2_000_000;
    /** More do not wait for one name: the row would become too large. They are told to ask again. */
    static final int MOST_PLACES = 5_000;

    /** How many places always have room, whatever their labels are. */
    private static final int FEW_PLACES = 1_500;

    /** The same for their bytes. A record may have more, because those who are served stay in it. */
    static final int MOST_LINE_BYTES = 750_000;

    /**
     * A claim that was served while it waited.
     *
     * @param id which claim
     * @param token the first of its block
     * @param leaseMicros how long it was given
     */
    public record Served(ClaimId id, long token, long leaseMicros) {}

    private final LockKind kind;
    private int capacity;
    private long lastToken;
    private final List<Holder> holders;
    private final List<Place> line;

    private final List<Served> served = new ArrayList<>();
    private boolean changed;
    private boolean shut;

    public LockRecord(LockKind kind, int capacity, long lastToken, List<Holder> holders, List<Place> line) {
        this.kind = kind;
        this.capacity = capacity;
        this.lastToken = lastToken;
        this.holders = new ArrayList<>(holders);
        this.line = new ArrayList<>(line);
    }

    /**
     * From now on nothing new is granted: the database may have forgotten who holds what. Whoever holds keeps it, and
     * may be put back.
     */
    public void shut() {
        shut = true;
    }

    /**
     * Nothing has more left than it was given, unless the clock was set back since. Then it is cut to that: nobody
     * waits for a dead holder until the clock has caught up.
     */
    public void cut(long nowMicros) {
        holders.replaceAll(holder -> {
            if (holder.untilMicros() - nowMicros <= holder.leaseMicros() + STEP_MICROS) {
                return holder;
            }
            changed = true;
            return holder.from(nowMicros, holder.leaseMicros());
        });
        line.replaceAll(place -> {
            if (place.untilMicros() - nowMicros <= Place.LIFE_MICROS + STEP_MICROS) {
                return place;
            }
            changed = true;
            return place.until(nowMicros + Place.LIFE_MICROS);
        });
    }

    /** Whether the claim is a holder whose lease has not ended. */
    public boolean isHeldBy(ClaimId id, long nowMicros) {
        Holder mine = holder(id);
        return mine != null && !mine.isExpired(nowMicros);
    }

    /**
     * Puts back what a client knows that it holds. Returns what is left of it, or null if somebody else is in the way.
     * Whoever has a smaller token than a claim that holds everything was gone when that was granted: the database has
     * forgotten the release, too.
     */
    public @Nullable Duration putBack(Holder holder, long nowMicros) {
        reap(nowMicros);
        if (holder(holder.id()) == null) {
            if (holder.weight() == capacity) {
                holders.removeIf(former -> former.lastToken() < holder.firstToken());
            }
            if (!fits(holder.weight())) {
                return null;
            }
            removePlace(holder.id());
            holders.add(holder);
            lastToken = Math.max(lastToken, holder.lastToken());
            changed = true;
        }
        return renew(holder.id(), holder.untilMicros() - nowMicros, nowMicros);
    }

    /** Answers an attempt. */
    public AttemptResult attempt(Claim claim, long nowMicros) {
        return attempt(claim, nowMicros, id -> false);
    }

    /** The same; the places of others that are known to be alive are renewed when that of the claim has to be. */
    public AttemptResult attempt(Claim claim, long nowMicros, Predicate<ClaimId> alive) {
        reap(nowMicros);
        int wanted = claim.resource().capacity();
        if (wanted != capacity && !adopt(wanted, nowMicros)) {
            return new AttemptResult.Mismatched(capacity);
        }
        Holder mine = holder(claim.id());
        if (mine != null) {
            Holder raised = raise(mine, claim.leastToken());
            Holder longer = extend(raised, Micros.of(claim.lease()), nowMicros);
            serveLine(null, nowMicros);
            return new AttemptResult.Granted(longer.firstToken(), longer.left(nowMicros));
        }
        return compete(claim, nowMicros, alive);
    }

    private AttemptResult compete(Claim claim, long nowMicros, Predicate<ClaimId> alive) {
        boolean waiting = refreshPlace(claim, nowMicros, alive);
        serveLine(claim, nowMicros);
        Holder mine = waiting ? holder(claim.id()) : null;
        if (mine != null) {
            return new AttemptResult.Granted(mine.firstToken(), mine.left(nowMicros));
        }
        boolean arrival = kind == LockKind.LATCH && claim.weight() > 0;
        if (fits(claim.weight()) && (line.isEmpty() || arrival)) {
            Holder granted = grant(
                    Holder.of(claim, firstToken(claim.leastToken(), nowMicros), nowMicros, Micros.of(claim.lease())));
            serveLine(null, nowMicros); // an arrival may have filled the latch
            return new AttemptResult.Granted(granted.firstToken(), claim.lease());
        }
        boolean mayWait = claim.waits() && !arrival && (waiting || hasRoom());
        if (!mayWait) {
            if (removePlace(claim.id())) {
                serveLine(null, nowMicros);
            }
            return new AttemptResult.Busy(soonestEnd(nowMicros));
        }
        if (!waiting) {
            line.add(Place.of(claim, nowMicros, nowMicros + Place.LIFE_MICROS));
            changed = true;
        }
        return new AttemptResult.Queued(placeOf(claim.id()), soonestEnd(nowMicros), true);
    }

    private boolean hasRoom() {
        return line.size() < FEW_PLACES
                || (line.size() < MOST_PLACES
                        && line.stream().mapToInt(Place::bytes).sum() < MOST_LINE_BYTES);
    }

    /** What the claim says now counts. Returns whether it has a place. */
    private boolean refreshPlace(Claim claim, long nowMicros, Predicate<ClaimId> alive) {
        int at = placeOf(claim.id()) - 1;
        if (at == line.size()) {
            return false;
        }
        Place place = line.get(at);
        long until = nowMicros + Place.LIFE_MICROS;
        if (place.isStale(nowMicros)) {
            line.replaceAll(each -> alive.test(each.id()) ? each.until(until) : each);
        }
        if (place.isStale(nowMicros) || !place.wants(claim)) {
            line.set(at, Place.of(claim, place.sinceMicros(), until));
            changed = true;
        }
        return true;
    }

    /** The capacity belongs to the name as long as somebody holds it or waits. */
    private boolean adopt(int wanted, long nowMicros) {
        line.removeIf(place -> !place.isAlive(nowMicros));
        serveLine(null, nowMicros);
        if (kind == LockKind.READ_WRITE || !holders.isEmpty() || !line.isEmpty()) {
            return false;
        }
        capacity = wanted;
        changed = true;
        return true;
    }

    /** Ends a claim that holds or waits. Returns whether there was one. */
    public boolean release(ClaimId id, long nowMicros) {
        boolean known = holders.removeIf(holder -> holder.id().equals(id)) || removePlace(id);
        if (known) {
            changed = true;
            reap(nowMicros);
            serveLine(null, nowMicros);
        }
        return known;
    }

    /** Makes a lease last longer, never shorter. Returns what is left of it, or null when the claim does not hold. */
    public @Nullable Duration renew(ClaimId id, long leaseMicros, long nowMicros) {
        Holder mine = holder(id);
        return mine == null || mine.isExpired(nowMicros)
                ? null
                : extend(mine, leaseMicros, nowMicros).left(nowMicros);
    }

    private @Nullable Holder holder(ClaimId id) {
        return holders.stream()
                .filter(holder -> holder.id().equals(id))
                .findFirst()
                .orElse(null);
    }

    private boolean removePlace(ClaimId id) {
        boolean removed = line.removeIf(place -> place.id().equals(id));
        changed |= removed;
        return removed;
    }

    /**
     * Serves the line in order, and stops at the first that is alive and does not fit: nobody overtakes, so a writer is
     * not starved.
     *
     * @param asking the claim that asks right now, which gets its whole lease in the answer; null if none does
     */
    private void serveLine(@Nullable Claim asking, long nowMicros) {
        if (shut) {
            return;
        }
        Iterator<Place> places = line.iterator();
        while (places.hasNext()) {
            Place place = places.next();
            if (place.isAlive(nowMicros)) {
                if (!fits(place.weight())) {
                    return;
                }
                boolean asks = asking != null && place.id().equals(asking.id());
                long lease = asks ? place.leaseMicros() : Math.min(place.leaseMicros(), GRANT_MICROS);
                long token = firstToken(place.leastToken(), nowMicros);
                grant(new Holder(
                        place.id(),
                        place.weight(),
                        place.tokens(),
                        token,
                        nowMicros,
                        nowMicros + lease,
                        lease,
                        place.label()));
                if (!asks) {
                    served.add(new Served(place.id(), token, lease));
                }
            }
            places.remove();
            changed = true;
        }
    }

    private long firstToken(long least, long nowMicros) {
        return Math.max(lastToken + 1, Math.max(least, nowMicros));
    }

    private Holder grant(Holder holder) {
        holders.add(holder);
        lastToken = holder.lastToken();
        changed = true;
        return holder;
    }

    private Holder raise(Holder holder, long leastToken) {
        if (holder.firstToken() >= leastToken) {
            return holder;
        }
        boolean wasLast = lastToken == holder.lastToken();
        Holder raised = holder.withTokensFrom(wasLast ? leastToken : Math.max(lastToken + 1, leastToken));
        lastToken = raised.lastToken();
        return replace(holder, raised);
    }

    private Holder extend(Holder holder, long leaseMicros, long nowMicros) {
        long until = nowMicros + leaseMicros;
        return until <= holder.untilMicros() ? holder : replace(holder, holder.from(nowMicros, leaseMicros));
    }

    private Holder replace(Holder old, Holder fresh) {
        holders.set(holders.indexOf(old), fresh);
        changed = true;
        return fresh;
    }

    /** Expired leases are forgotten. That alone is no reason to write: whoever reads the row next sees the same. */
    private void reap(long nowMicros) {
        holders.removeIf(holder -> holder.isExpired(nowMicros));
    }

    /** A claim of weight zero waits for a full resource, any other for enough of what is left. */
    private boolean fits(int weight) {
        int used = holders.stream().mapToInt(Holder::weight).sum();
        return weight == 0 ? used == capacity : weight <= capacity - used;
    }

    /** From one on; beyond the end of the line if it has none. */
    private int placeOf(ClaimId id) {
        int at = 0;
        while (at < line.size() && !line.get(at).id().equals(id)) {
            at++;
        }
        return at + 1;
    }

    /**
     * Nobody may hold a latch that is waited for; then there is nothing to expect before the place has to be renewed.
     */
    private Duration soonestEnd(long nowMicros) {
        return Micros.duration(holders.stream()
                .mapToLong(holder -> holder.untilMicros() - nowMicros)
                .min()
                .orElse(Place.LIFE_MICROS));
    }

    /** Whether the row has to be written. */
    public boolean isChanged() {
        return changed;
    }

    /** Who was served by the last call and does not know it yet. */
    public List<Served> served() {
        return served;
    }

    public int capacity() {
        return capacity;
    }

    public long lastToken() {
        return lastToken;
    }

    public List<Holder> holders() {
        return holders;
    }

    public List<Place> line() {
        return line;
    }

    /** Nobody holds and nobody waits after this instant; zero when nobody does now. */
    public long freeAtMicros() {
        long last = 0;
        for (Holder holder : holders) {
            last = Math.max(last, holder.untilMicros());
        }
        for (Place place : line) {
            last = Math.max(last, place.untilMicros());
        }
        return last;
    }

    /** What people see of it; empty when nobody holds and nobody waits. */
    public Optional<ResourceView> view(String name, long nowMicros) {
        List<ResourceView.Holder> holding = holders.stream()
                .filter(holder -> !holder.isExpired(nowMicros))
                .map(holder -> new ResourceView.Holder(
                        holder.id(),
                        holder.weight(),
                        holder.lastToken(),
                        holder.left(nowMicros),
                        holder.label(),
                        Optional.of(Micros.instant(holder.sinceMicros()))))
                .toList();
        List<ResourceView.Waiting> waiting = line.stream()
                .filter(place -> place.isAlive(nowMicros))
                .map(Place::view)
                .toList();
        return holding.isEmpty() && waiting.isEmpty()
                ? Optional.empty()
                : Optional.of(new ResourceView(new Resource(kind, name, capacity), holding, waiting));
    }
}
