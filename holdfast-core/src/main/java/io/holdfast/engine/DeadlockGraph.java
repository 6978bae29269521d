package io.holdfast.engine;

import io.holdfast.LockKind;
import io.holdfast.spi.ClaimId;
import io.holdfast.spi.Resource;
import io.holdfast.spi.ResourceView;
import io.holdfast.spi.WaitRecord;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Who waits for whom, as one look saw it, and who of them can never go on.
 *
 * <p><b>Reduction.</b> Everybody who is not a suspect can go on, and then gives back what they hold. A wait can be
 * served if the capacity, less what is held by those who cannot go on, is enough for it and for everybody before it in
 * the line. An owner can go on if one of its waits can be served. Repeat; who is left is stuck. This is right for all
 * kinds at once: a mutex, k of n, and a reader behind a writer.
 *
 * <p><b>Unknown.</b> What a look did not see can go on: a holder without a record, a wait whose claim the store does
 * not have.
 *
 * <p><b>Core.</b> Of the stuck, those who are stuck for themselves: a strongly connected part that is stuck even if
 * everybody else goes on. Who merely waits behind it is not in it.
 */
final class DeadlockGraph {

    /** The wait is over, or the store knows nothing of it. */
    private static final int NOT_THERE = -1;

    private record Held(DeadlockNode by, WaitRecord.Hold hold) {}

    private final Map<DeadlockNode.Owner, DeadlockNode> nodes = new LinkedHashMap<>();
    private final Map<ClaimId, List<Held>> held = new HashMap<>();
    private final Map<ClaimId, DeadlockNode> inLine = new HashMap<>();
    private final Map<Resource, ResourceView> views = new HashMap<>();

    /** The name of a resource without the capacity, which is only what somebody believes. */
    static Resource key(Resource resource) {
        return new Resource(resource.kind(), resource.name(), 1);
    }

    void add(ResourceView view) {
        views.put(key(view.resource()), view);
    }

    /** One more wait. The same wait seen twice counts once. */
    void add(WaitRecord.Suspect suspect) {
        DeadlockNode node = nodes.computeIfAbsent(DeadlockNode.Owner.of(suspect), DeadlockNode::new);
        if (node.waits().stream().anyMatch(wait -> wait.serial() == suspect.serial())) {
            return;
        }
        node.waits().add(suspect);
        if (suspect.place() == WaitRecord.Place.LINE) {
            inLine.putIfAbsent(suspect.claim(), node);
        }
        for (WaitRecord.Hold hold : suspect.holds()) {
            if (node.holds().stream()
                    .noneMatch(each -> each.claim().equals(hold.claim()) && each.token() == hold.token())) {
                node.holds().add(hold);
                held.computeIfAbsent(hold.claim(), claim -> new ArrayList<>()).add(new Held(node, hold));
            }
        }
    }

    /** All who can never go on. */
    Set<DeadlockNode> stuck() {
        return stuckAmong(nodes.values());
    }

    /** The same if everybody else can go on. */
    private Set<DeadlockNode> stuckAmong(Collection<DeadlockNode> some) {
        Set<DeadlockNode> stuck = new HashSet<>(some);
        while (stuck.removeIf(node -> node.waits().stream().anyMatch(wait -> isServed(wait, stuck)))) {
            // whoever goes on gives back what others wait for
        }
        return stuck;
    }

    private boolean isServed(WaitRecord.Suspect wait, Set<DeadlockNode> stuck) {
        ResourceView view = views.get(key(wait.resource()));
        int needed = view == null ? NOT_THERE : needed(view, wait);
        return view == null || needed == NOT_THERE || free(view, stuck) >= needed;
    }

    /** The greatest weight that has to be served before the wait or with it. */
    private static int needed(ResourceView view, WaitRecord.Suspect wait) {
        if (wait.resource().kind() == LockKind.LATCH) {
            return NOT_THERE;
        }
        int most = wait.most();
        if (wait.place() == WaitRecord.Place.LOCAL) {
            boolean holds =
                    view.holders().stream().anyMatch(holder -> holder.claim().equals(wait.claim()));
            return holds ? most : NOT_THERE;
        }
        for (ResourceView.Waiting each : view.waiting()) {
            most = Math.max(most, each.weight());
            if (each.claim().equals(wait.claim())) {
                return most;
            }
        }
        return NOT_THERE;
    }

    /** What is not held by those who cannot go on. A claim that several share is given back by the last of them. */
    private long free(ResourceView view, Set<DeadlockNode> stuck) {
        long free = view.resource().capacity();
        for (ResourceView.Holder holder : view.holders()) {
            long kept = 0;
            for (Held each : held.getOrDefault(holder.claim(), List.of())) {
                kept += stuck.contains(each.by) ? each.hold.weight() : 0;
            }
            free -= Math.min(holder.weight(), kept);
        }
        return free;
    }

    // ---- cores

    /** Those who are stuck for themselves. Nobody is in two of them. */
    List<DeadlockCore> cores() {
        List<DeadlockCore> found = new ArrayList<>();
        addCores(stuck(), found);
        return found;
    }

    private void addCores(Set<DeadlockNode> stuck, List<DeadlockCore> found) {
        Map<DeadlockNode, List<DeadlockCore.Edge>> edges = new LinkedHashMap<>();
        stuck.forEach(node -> edges.put(node, edges(node, stuck)));
        for (Set<DeadlockNode> part : Components.of(stuck, node -> targets(edges.getOrDefault(node, List.of())))) {
            if (part.size() < stuck.size()) {
                addCores(stuckAmong(part), found);
            } else if (part.stream()
                    .anyMatch(node -> !edges.getOrDefault(node, List.of()).isEmpty())) {
                found.add(DeadlockCore.of(part, edges.values()));
            }
        }
    }

    private static List<DeadlockNode> targets(List<DeadlockCore.Edge> edges) {
        return edges.stream().map(DeadlockCore.Edge::to).toList();
    }

    /** Whom a stuck owner waits for, of those. */
    private List<DeadlockCore.Edge> edges(DeadlockNode node, Set<DeadlockNode> stuck) {
        List<DeadlockCore.Edge> edges = new ArrayList<>();
        for (WaitRecord.Suspect wait : node.waits()) {
            ResourceView view = views.get(key(wait.resource()));
            if (view == null) {
                continue;
            }
            long free = free(view, stuck);
            if (wait.place() != WaitRecord.Place.LOCAL && wait.weight() <= free) {
                addLine(edges, node, wait, view, free, stuck);
            } else {
                addHolders(edges, node, wait, view, stuck, false);
            }
        }
        return edges;
    }

    private void addHolders(
            List<DeadlockCore.Edge> edges,
            DeadlockNode node,
            WaitRecord.Suspect wait,
            ResourceView view,
            Set<DeadlockNode> stuck,
            boolean soft) {
        for (ResourceView.Holder holder : view.holders()) {
            for (Held each : held.getOrDefault(holder.claim(), List.of())) {
                if (stuck.contains(each.by)) {
                    edges.add(new DeadlockCore.Edge(node, wait, each.by, each.hold, soft));
                }
            }
        }
    }

    /** It would fit itself, but somebody before it does not. One of whom nothing is known waits for the holders. */
    private void addLine(
            List<DeadlockCore.Edge> edges,
            DeadlockNode node,
            WaitRecord.Suspect wait,
            ResourceView view,
            long free,
            Set<DeadlockNode> stuck) {
        boolean unknown = wait.most() > free;
        boolean soft = false;
        for (ResourceView.Waiting each : view.waiting()) {
            if (each.claim().equals(wait.claim())) {
                break;
            }
            DeadlockNode before = each.weight() <= free ? null : inLine.get(each.claim());
            if (before != null && stuck.contains(before)) {
                edges.add(new DeadlockCore.Edge(node, wait, before, null, false));
            } else if (each.weight() > free) {
                unknown = true;
                soft = true;
            }
        }
        if (unknown) {
            addHolders(edges, node, wait, view, stuck, soft);
        }
    }
}
