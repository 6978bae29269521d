package io.holdfast.engine;

import io.holdfast.LockKind;
import io.holdfast.OnDeadlock;
import io.holdfast.spi.TimeSource;
import io.holdfast.spi.WaitRecord;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Finds the suspects of one client: owners that hold something and have waited for longer than the delay. Nothing is
 * kept for it while nobody waits: it looks at those who wait, and then once at everything that is held.
 *
 * <p><b>Races.</b> It stops nobody, so what it sees may never have been true together. But no wait, claim or token is
 * ever there twice: what two samples have in common was true all the time between them.
 */
final class DeadlockSampler {

    /** A wait this long counts as one without end. */
    private static final long ENDLESS_NANOS = 3_650L * 24 * 3_600 * 1_000 * Deadline.NANOS_PER_MILLI;

    /** Further away than the end of any lease, and still a time that can be compared. */
    private static final long FAR_NANOS = Long.MAX_VALUE / 2;

    private final String clientId;
    private final TimeSource time;
    private final Waiting waiting;
    private final DeadlockPeers peers;
    private final long delayNanos;

    /** Since when each suspect waits, by the wall clock: a clock that is set later changes nothing. */
    private Map<Long, Long> sinceMillis = new HashMap<>();

    DeadlockSampler(String clientId, TimeSource time, Waiting waiting, DeadlockPeers peers, long delayNanos) {
        this.clientId = clientId;
        this.time = time;
        this.waiting = waiting;
        this.peers = peers;
        this.delayNanos = delayNanos;
    }

    private record Wait(Waiter waiter, Gate gate, Object owner) {}

    /** Only by one thread at a time. */
    DeadlockSample take(long version, long unbroken) {
        List<Wait> old = oldWaits();
        Map<Object, List<WaitRecord.Hold>> holds = old.isEmpty() ? Map.of() : holds(old);
        old.removeIf(wait -> !holds.containsKey(wait.owner));
        Map<Long, Waiter> waiters = new HashMap<>();
        List<WaitRecord.Suspect> suspects = old.isEmpty() ? List.of() : suspects(old, holds, waiters);
        sinceMillis.keySet().retainAll(waiters.keySet());
        peers.found(suspects);
        List<WaitRecord.Suspect> shown = new ArrayList<>(suspects);
        shown.addAll(peers.borrowed());
        return new DeadlockSample(
                new WaitRecord(
                        clientId,
                        version,
                        unbroken,
                        shown.subList(0, Math.min(shown.size(), WaitRecord.MOST_SUSPECTS))),
                waiters);
    }

    /** Those who have waited for longer than the delay, and have an owner; the oldest first. */
    private List<Wait> oldWaits() {
        long nowNanos = time.nanoTime();
        List<Wait> old = new ArrayList<>();
        waiting.forEach((waiter, gate) -> {
            Object owner = waiter.request.owner();
            if (owner != null
                    && nowNanos - waiter.request.startedNanos() >= delayNanos
                    && gate.resource().kind() != LockKind.LATCH
                    && !waiter.isFinished()) {
                old.add(new Wait(waiter, gate, owner));
            }
        });
        old.sort(Comparator.comparingLong(wait -> wait.waiter.serial));
        return old;
    }

    private Map<Object, List<WaitRecord.Hold>> holds(List<Wait> waits) {
        Set<Object> owners = new HashSet<>();
        waits.forEach(wait -> owners.add(wait.owner));
        List<Wait> taking = waits.stream()
                .filter(wait -> wait.waiter.request.taking() != null)
                .toList();
        Map<Object, List<WaitRecord.Hold>> holds = new HashMap<>();
        peers.watched().forEach(grant -> {
            for (CurrentLease lease : grant.leases()) {
                Wait taker = takerOf(lease, taking);
                Object owner = taker == null ? lease.owner() : taker.owner;
                if (owner != null && owners.contains(owner) && isHeld(lease)) {
                    holds.computeIfAbsent(owner, none -> new ArrayList<>())
                            .add(hold(grant, lease, taker != null || lease.isOwned()));
                }
            }
        });
        peers.others()
                .forEach(peer -> peer.watched().forEach(grant -> {
                    for (CurrentLease lease : grant.leases()) {
                        Object owner = lease.owner();
                        if (owner instanceof Thread && owners.contains(owner) && isHeld(lease)) {
                            holds.computeIfAbsent(owner, none -> new ArrayList<>())
                                    .add(hold(grant, lease, lease.isOwned()));
                        }
                    }
                }));
        holds.values().forEach(each -> each.sort(Comparator.comparingLong(WaitRecord.Hold::token)));
        return holds;
    }

    private static boolean isHeld(CurrentLease lease) {
        return !lease.isClosed() && !lease.isLost();
    }

    private static @Nullable Wait takerOf(CurrentLease lease, List<Wait> taking) {
        for (Wait each : taking) {
            Request.Taking taken = each.waiter.request.taking();
            if (taken != null && taken.has(lease)) {
                return each;
            }
        }
        return null;
    }

    private WaitRecord.Hold hold(StoreGrant grant, CurrentLease lease, boolean certain) {
        long nowNanos = time.nanoTime();
        long leftNanos = lease.endNanos(nowNanos + FAR_NANOS) - nowNanos;
        return new WaitRecord.Hold(
                certain,
                grant.claim().resource(),
                grant.claim().id(),
                lease.token(),
                grant.claim().weight(),
                leftNanos == FAR_NANOS ? 0 : wallMillisIn(leftNanos));
    }

    private long wallMillisIn(long nanos) {
        return Math.max(1, time.wallMillis() + nanos / Deadline.NANOS_PER_MILLI);
    }

    private List<WaitRecord.Suspect> suspects(
            List<Wait> waits, Map<Object, List<WaitRecord.Hold>> holds, Map<Long, Waiter> waiters) {
        List<WaitRecord.Suspect> suspects = new ArrayList<>();
        for (Wait wait : waits) {
            List<WaitRecord.Hold> held = holds.get(wait.owner);
            boolean fits = suspects.size() < WaitRecord.MOST_SUSPECTS;
            Gate.Place place = fits && held != null ? wait.gate.place(wait.waiter) : null;
            if (place != null && held != null) {
                suspects.add(suspect(wait, place, held));
                waiters.put(wait.waiter.serial, wait.waiter);
            }
        }
        return suspects;
    }

    private WaitRecord.Suspect suspect(Wait wait, Gate.Place place, List<WaitRecord.Hold> held) {
        Request request = wait.waiter.request;
        long nowNanos = time.nanoTime();
        long since = sinceMillis.computeIfAbsent(
                wait.waiter.serial, none -> wallMillisIn(request.startedNanos() - nowNanos));
        long leftNanos = request.leftNanos(nowNanos);
        return new WaitRecord.Suspect(
                wait.waiter.serial,
                key(wait),
                name(wait),
                request.options().onDeadlock() == OnDeadlock.FAIL,
                wait.gate.resource(),
                request.weight(),
                place.most(),
                place.claim(),
                place.where(),
                since,
                leftNanos > ENDLESS_NANOS ? 0 : wallMillisIn(leftNanos),
                held.subList(0, Math.min(held.size(), WaitRecord.MOST_HOLDS)));
    }

    private static String key(Wait wait) {
        return wait.owner instanceof Thread thread
                ? "thread-" + thread.getId()
                : wait.owner instanceof String name ? "name-" + name : "taking-" + wait.waiter.serial;
    }

    private static String name(Wait wait) {
        return wait.owner instanceof Thread thread
                ? Ownership.nameOf(thread)
                : wait.owner instanceof String name ? name : wait.waiter.request.label();
    }
}
