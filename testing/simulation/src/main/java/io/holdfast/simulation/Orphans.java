package io.holdfast.simulation;

import io.holdfast.engine.EnginePeek;
import io.holdfast.spi.ClaimId;
import io.holdfast.spi.LockBackend;
import io.holdfast.spi.ResourceView;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Looks for claims that the store keeps for a client which has forgotten them: a lock that nobody holds and nobody can
 * get until its lease is over. To be asked while no call is under way on the stack.
 *
 * <p>A lease that ran out at its own deadline is in the store for the margin longer, so a claim is an orphan only after
 * some time. A request that was duplicated may arrive after everything else about its claim, and nobody can know; such
 * orphans are counted.
 */
final class Orphans {
    private final SimWorld world;
    private final Network network;
    private final Stats stats;
    private final LockBackend observer;
    private final List<SimClient> clients;
    private final long toleratedNanos;
    private final Map<ClaimId, Long> sinceNanos = new HashMap<>();
    private final Set<ClaimId> excused = new HashSet<>();

    Orphans(SimBackend.Setting setting, LockBackend observer, List<SimClient> clients, long longestLeaseNanos) {
        this.world = setting.world();
        this.network = setting.network();
        this.stats = setting.stats();
        this.observer = observer;
        this.clients = clients;
        this.toleratedNanos = longestLeaseNanos / 40 + 200 * SimWorld.MILLI;
    }

    void check() {
        Set<ClaimId> present = new LinkedHashSet<>();
        try (Stream<ResourceView> views = observer.list("")) {
            views.flatMap(Orphans::claims).forEach(present::add);
        }
        sinceNanos.keySet().retainAll(present);
        for (ClaimId claim : present) {
            if (!isForgotten(claim)) {
                sinceNanos.remove(claim);
            } else if (world.now() - sinceNanos.computeIfAbsent(claim, fresh -> world.now()) > toleratedNanos) {
                found(claim);
            }
        }
    }

    private static Stream<ClaimId> claims(ResourceView view) {
        return Stream.concat(
                view.holders().stream().map(ResourceView.Holder::claim),
                view.waiting().stream().map(ResourceView.Waiting::claim));
    }

    /** Nobody says so of a client that does not run, or whose requests are still on their way. */
    private boolean isForgotten(ClaimId claim) {
        for (SimClient client : clients) {
            if (client.name().equals(claim.client())) {
                return client.isAlive()
                        && !client.process().isPaused()
                        && !network.isUnderWay(claim)
                        && !EnginePeek.knows(client.locks(), claim);
            }
        }
        return false;
    }

    private void found(ClaimId claim) {
        if (!network.isDuplicated(claim)) {
            world.violated(Rule.NO_ORPHAN, "the store keeps " + claim + ", and its client knows nothing of it");
        } else if (excused.add(claim)) {
            stats.orphaned();
        }
    }
}
