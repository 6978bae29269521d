package io.holdfast.simulation;

import io.holdfast.DistributedLock;
import io.holdfast.Lease;
import io.holdfast.LockKind;
import io.holdfast.LockLostException;
import io.holdfast.LockOptions;
import io.holdfast.simulation.Stats.View;
import io.holdfast.spi.Resource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.Lock;

/** One thread locks one lock, or several at once, works, maybe locks again meanwhile, and unlocks. */
final class Round {
    private final ViewUser user;
    private final SimClient client;
    private final SimWorld world;
    private final LockOptions options;
    private final Lock view;
    private final List<Part> parts = new ArrayList<>();

    /** Whether the user asks before it unlocks, as many do, or unlocks and lets itself be told. */
    private final boolean asks;

    /** One lock, and what the thread has of it: what it locked last is at the end. */
    private static final class Part {
        final ResourceLedger ledger;
        final DistributedLock lock;
        final int weight;
        final List<SimLease> leases = new ArrayList<>();

        Part(ResourceLedger ledger, DistributedLock lock, int weight) {
            this.ledger = ledger;
            this.lock = lock;
            this.weight = weight;
        }

        SimLease last() {
            return leases.get(leases.size() - 1);
        }
    }

    Round(ViewUser user, List<ResourceLedger> ledgers, LockOptions options) {
        this.user = user;
        this.client = user.client();
        this.world = client.world();
        this.options = options;
        this.asks = user.rng().chance(7_000);
        for (ResourceLedger ledger : ledgers) {
            parts.add(part(ledger));
        }
        this.view = parts.size() == 1
                ? parts.get(0).lock
                : client.locks()
                        .allOf(
                                ledgers.stream()
                                        .map(each -> each.resource().name())
                                        .toList(),
                                options);
    }

    private Part part(ResourceLedger ledger) {
        Resource resource = ledger.resource();
        if (resource.kind() == LockKind.LOCK) {
            return new Part(ledger, client.locks().lock(resource.name(), options), 1);
        }
        var both = client.locks().readWriteLock(resource.name(), options);
        int weight = user.workload().weight(resource, user.rng());
        return new Part(ledger, weight == 1 ? both.readLock() : both.writeLock(), weight);
    }

    void run() {
        try {
            if (!lock(true)) {
                return;
            }
        } catch (LockLostException again) {
            world.violated(Rule.LOSS_IS_TOLD_ONCE, user.name() + " knew, and wanted to lock anew: " + again);
            return;
        }
        long holdNanos = user.workload().holdNanos(user.rng(), options);
        user.thread().pass(holdNanos / 2);
        if (user.rng().chance(3_000)) {
            again(holdNanos / 4);
        }
        user.thread().pass(holdNanos / 4);
        unlock();
        for (Part part : parts) {
            if (part.lock.holdCount() != 0) {
                world.violated(Rule.LOCKED_IS_HELD, user.name() + " has unlocked all, and still counts as holder");
            }
        }
    }

    /**
     * Locks once more inside. A user that lost it meanwhile without knowing is told so; one that knows gets a new
     * lease.
     */
    private void again(long holdNanos) {
        boolean valid = parts.stream().allMatch(part -> part.last().isValidNow());
        try {
            if (lock(false)) {
                user.thread().pass(holdNanos);
                unlock();
            }
        } catch (LockLostException lost) {
            if (valid && parts.stream().allMatch(part -> part.last().isValidNow())) {
                world.violated(Rule.LOSS_IS_TOLD_ONCE, user.name() + " holds it and is told that it lost it: " + lost);
            }
            count(View.LOST_AT_REENTRY);
        }
    }

    private boolean lock(boolean first) {
        if (world.isTraced()) {
            world.trace(client.name(), user.name() + " locks " + view);
        }
        Lease known = user.lost();
        if (known != null && client.sabotage() == Sabotage.LOSS_TOLD_AGAIN) {
            known.ensureValid();
        }
        List<Long> floors = parts.stream()
                .map(part -> part.ledger.floor(part.weight, options.fairness()))
                .toList();
        if (!user.take(locked(), parts.size() == 1 ? parts.get(0).ledger : null)) {
            return false;
        }
        boolean ran = client.process().stoppedUntilNanos() < world.now();
        for (int i = 0; i < parts.size(); i++) {
            took(parts.get(i), floors.get(i), ran);
        }
        count(first ? parts.size() == 1 ? View.LOCKED : View.ALL_LOCKED : View.REENTERED);
        return true;
    }

    /** What is locked: the view, unless somebody does it by hand, one after the other, and does not look back. */
    private Lock locked() {
        return client.sabotage() == Sabotage.ONE_AFTER_THE_OTHER && parts.size() > 1
                ? new ByHand(parts.stream().map(part -> part.lock).toList())
                : view;
    }

    private void took(Part part, long floor, boolean ran) {
        Lease lease = part.lock.lease();
        SimLease before = part.leases.isEmpty() ? null : part.last();
        if (before != null && before.lease() == lease) {
            part.leases.add(before);
            return;
        }
        if (before != null && before.isValidNow()) {
            world.violated(Rule.LOCKED_IS_HELD, user.name() + " holds " + before + " and locked anew");
        } else if (before != null && !before.isListening()) {
            world.violated(Rule.LOSS_IS_TOLD, user.name() + " locked anew and does not know that it lost " + before);
        }
        SimLease fresh = new SimLease(client, user.name(), lease, part.weight, reason -> {});
        if (user.rng().chance(3_000)) {
            fresh.listen();
        }
        part.leases.add(fresh);
        part.ledger.handedOut(fresh, floor);
        if (ran && (parts.size() > 1 || client.isCalm()) && !fresh.isValidNow()) {
            world.violated(Rule.LOCKED_IS_HELD, user.name() + " has locked " + view + " and does not hold " + fresh);
        }
    }

    /** Ends what was locked last. */
    private void unlock() {
        boolean all = true;
        if (asks) {
            for (Part part : parts) {
                all &= isHeld(part);
            }
        }
        if (all) {
            unlock(view, parts);
        } else {
            count(View.LOST_AND_SKIPPED);
            for (Part part : parts) {
                if (isHeld(part)) {
                    unlock(part.lock, List.of(part));
                } else {
                    user.knowsOfLoss(part.last().lease());
                }
            }
        }
        parts.forEach(part -> part.leases.remove(part.leases.size() - 1));
    }

    private boolean isHeld(Part part) {
        boolean held = part.lock.isHeldByCurrentThread();
        boolean ran = client.process().stoppedUntilNanos() < world.now();
        if (ran && held != part.last().isValidNow()) {
            world.violated(
                    Rule.LOCKED_IS_HELD,
                    user.name() + (held ? " is told that it holds " : " is told that it lost ") + part.last());
        }
        return held;
    }

    private void unlock(Lock lock, List<Part> which) {
        for (Part part : which) {
            SimLease last = part.last();
            if (part.leases.indexOf(last) == part.leases.size() - 1) { // the only time that it was locked
                last.closing();
            }
        }
        try {
            lock.unlock();
        } catch (LockLostException lost) {
            count(View.LOST_AT_UNLOCK);
            if (which.stream().noneMatch(part -> part.last().isLost())) {
                world.violated(Rule.NO_SURPRISE, user.name() + " is told of a loss that was none: " + lost);
            }
        }
    }

    private void count(View what) {
        client.stats().viewed(what);
    }
}
