package io.holdfast.simulation;

import io.holdfast.memory.MemoryStore;
import io.holdfast.spi.Claim;
import io.holdfast.spi.ClaimId;
import io.holdfast.spi.LockBackend;
import io.holdfast.spi.Resource;
import io.holdfast.spi.ResourceView;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;

/**
 * The end of a run, in which nothing goes wrong and nobody begins anything: every waiter must be served; when nobody
 * holds anything the engines must forget, and so must the store; closed clients must leave nothing behind.
 */
final class Finale {
    static final long TICK_NANOS = 200 * SimWorld.MILLI;

    /** How long a free lock may stay free while somebody waits: twice the longest poll, and a second. */
    private static final long FREE_NANOS = 3_400 * SimWorld.MILLI;

    /** How long an engine may take to forget what has ended: the longest time-out, one more round, and some. */
    private static final long SETTLED_NANOS = 5 * SimWorld.SECOND;

    /** Longer than any wait and any close may take, whatever was before. */
    private static final long AT_LAST_NANOS = 180 * SimWorld.SECOND;

    private final SimWorld world;
    private final Network network;
    private final Stats stats;
    private final Sabotage sabotage;
    private final LockBackend observer;
    private final Workload workload;
    private final List<SimClient> clients;
    private final Orphans orphans;
    private final long longestLeaseNanos;
    private final long guardedUntilNanos;
    private final Map<ResourceLedger, Long> freeSinceNanos = new HashMap<>();

    Finale(
            SimBackend.Setting setting,
            LockBackend observer,
            Workload workload,
            List<SimClient> clients,
            Nemesis nemesis,
            Orphans orphans) {
        this.world = setting.world();
        this.network = setting.network();
        this.stats = setting.stats();
        this.sabotage = setting.sabotage();
        this.observer = observer;
        this.workload = workload;
        this.clients = clients;
        this.orphans = orphans;
        this.longestLeaseNanos = workload.longestLeaseNanos() + workload.longestLeaseNanos() / 100;
        // Whoever was refused may have read that only when the last pause was over, and counts it on a clock that
        // slept.
        this.guardedUntilNanos = nemesis.hasForgotten() ? world.now() + longestLeaseNanos + nemesis.sleptNanos() : 0;
    }

    void run() {
        workload.drain();
        clients.forEach(SimClient::drain);
        world.trace("world", "nobody begins anything from here");
        until(this::isIdle, AT_LAST_NANOS, this::checkProgress);
        whoIsLate();
        until(this::isSettled, SETTLED_NANOS, () -> {});
        whatIsLeft();
        lookForOrphans();
        if (sabotage == Sabotage.SQUATTER) {
            squat();
        }
        pass(longestLeaseNanos + MemoryStore.PLACE_LEASE.toNanos() + SimWorld.SECOND);
        whatTheStoreKnows();
        pass(MemoryStore.RETENTION.toNanos() / 2);
        encore();
        closeAll();
        if (clients.get(0).isCalm() && stats.endings(Stats.Ending.LEASED) == 0) {
            world.violated(Rule.AVAILABILITY, "nobody got anything");
        }
    }

    private void pass(long nanos) {
        if (world.violation() == null) {
            world.runUntil(world.now() + nanos);
        }
    }

    private void until(BooleanSupplier done, long mostNanos, Runnable check) {
        long endNanos = world.now() + mostNanos;
        while (!done.getAsBoolean() && world.now() < endNanos && world.violation() == null) {
            world.runUntil(world.now() + TICK_NANOS);
            check.run();
        }
    }

    private Stream<SimClient> alive() {
        return clients.stream().filter(SimClient::isAlive);
    }

    // ---- every waiter is served

    private boolean isIdle() {
        return clients.stream().allMatch(client -> client.isKilled() || client.isIdle());
    }

    private void checkProgress() {
        for (ResourceLedger ledger : workload.ledgers()) {
            if (ledger.waiting() == 0 || world.now() < guardedUntilNanos || !isFree(ledger.resource())) {
                freeSinceNanos.remove(ledger);
            } else {
                long sinceNanos = freeSinceNanos.computeIfAbsent(ledger, fresh -> world.now());
                if (world.now() - sinceNanos > FREE_NANOS) {
                    world.violated(
                            Rule.NOBODY_IS_STUCK, ledger.resource().name() + " is free and these wait: " + whoWaits());
                }
            }
            long stillNanos = world.now() - Math.max(guardedUntilNanos, ledger.progressNanos());
            if (ledger.waiting() > 0
                    && stillNanos > longestLeaseNanos + MemoryStore.PLACE_LEASE.toNanos() + FREE_NANOS) {
                world.violated(
                        Rule.NOBODY_IS_STUCK,
                        "nothing moves on " + ledger.resource().name() + " and these wait: " + whoWaits());
            }
        }
    }

    private boolean isFree(Resource resource) {
        return observer.inspect(resource).map(view -> view.holders().isEmpty()).orElse(true);
    }

    private List<String> whoWaits() {
        return clients.stream()
                .filter(client -> !client.isKilled())
                .flatMap(client -> client.waiting().stream())
                .toList();
    }

    private void whoIsLate() {
        if (world.violation() == null && !isIdle()) {
            world.violated(Rule.NOBODY_IS_STUCK, "these wait or hold at the very end: " + whoWaits());
        }
    }

    // ---- what is over is forgotten

    private boolean isSettled() {
        return network.isQuiet() && alive().allMatch(client -> client.leftovers() == 0);
    }

    private void whatIsLeft() {
        alive().filter(client -> client.leftovers() > 0)
                .forEach(client -> world.violated(
                        Rule.NOTHING_IS_LEFT,
                        client.name() + " is idle and its engine still knows of " + client.leftovers() + " things"));
    }

    private void lookForOrphans() {
        long untilNanos = world.now() + longestLeaseNanos / 20 + SimWorld.SECOND;
        until(() -> world.now() >= untilNanos, AT_LAST_NANOS, orphans::check);
    }

    private void squat() {
        Resource resource = workload.ledgers().get(0).resource();
        ClaimId id = new ClaimId("observer", 1);
        observer.attempt(
                Claim.builder(id, resource, Duration.ofHours(1))
                        .label("squatter")
                        .build(),
                observer.requestTimeout());
    }

    private void whatTheStoreKnows() {
        if (world.violation() == null) {
            try (Stream<ResourceView> views = observer.list("")) {
                views.forEach(view -> world.violated(Rule.NOTHING_IS_LEFT, "the store still knows " + view));
            }
        }
    }

    // ---- and after all that it still works

    private void encore() {
        if (world.violation() != null) {
            return;
        }
        world.trace("world", "everybody asks once more");
        long before = stats.endings(Stats.Ending.LEASED);
        long wishes = alive().count() * workload.ledgers().size();
        alive().forEach(client -> workload.ledgers().forEach(client::encore));
        until(this::isIdle, AT_LAST_NANOS, this::checkProgress);
        whoIsLate();
        if (world.violation() == null && stats.endings(Stats.Ending.LEASED) - before < wishes) {
            world.violated(Rule.AVAILABILITY, "at the very end not everybody was served");
        }
    }

    // ---- clients end

    private void closeAll() {
        alive().toList().forEach(client -> world.post(client.process(), world.now(), 0, true, client::close));
        until(
                () -> clients.stream().allMatch(client -> client.isKilled() || client.isClosed()),
                AT_LAST_NANOS,
                () -> {});
        clients.stream()
                .filter(client -> !client.isKilled() && !client.isClosed())
                .forEach(client -> world.violated(Rule.NOBODY_IS_STUCK, client.name() + " cannot be closed"));
    }
}
