package io.holdfast.engine;

import io.holdfast.spi.ClaimId;
import io.holdfast.spi.Resource;
import io.holdfast.spi.ResourceView;
import io.holdfast.spi.WaitRecord;
import io.holdfast.spi.WaitText;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * One look around: from suspects of this client to those who hold what they wait for or stand before them, as the store
 * shows it, and on with what those clients have published. Nobody is asked and nothing is scanned. Whatever cannot be
 * seen counts as able to go on.
 */
final class DeadlockLook {

    /** The most records of other clients in one look. */
    private static final int MOST_RECORDS = 256;

    private final StoreCalls store;
    private final Logger logger;
    private final Set<String> complained;
    private final DeadlockGraph graph = new DeadlockGraph();
    private final Map<String, Optional<WaitRecord>> records = new HashMap<>();
    private final Map<Resource, Optional<ResourceView>> views = new HashMap<>();
    private final Set<List<Object>> reached = new HashSet<>();
    private int commands;

    /**
     * @param own what this client has published
     * @param complained clients whose records were said to be unreadable
     */
    DeadlockLook(StoreCalls store, WaitRecord own, Set<String> complained, Logger logger) {
        this.store = store;
        this.logger = logger;
        this.complained = complained;
        records.put(own.client(), Optional.of(own));
    }

    /** How often the store was asked. */
    int commands() {
        return commands;
    }

    /** Adds everybody that can be reached from there. */
    void from(WaitRecord.Suspect start) {
        Deque<WaitRecord.Suspect> next = new ArrayDeque<>();
        reach(start, next);
        while (!next.isEmpty()) {
            WaitRecord.Suspect suspect = next.pop();
            ResourceView view = view(suspect.resource()).orElse(null);
            if (view == null) {
                continue;
            }
            for (ResourceView.Holder holder : view.holders()) {
                suspectsOf(holder.claim()).stream()
                        .filter(each -> each.holds().stream()
                                .anyMatch(hold -> hold.claim().equals(holder.claim())))
                        .forEach(each -> reach(each, next));
            }
            for (ResourceView.Waiting before : view.waiting()) {
                if (before.claim().equals(suspect.claim())) {
                    break;
                }
                if (before.weight() > suspect.weight()) { // nobody else before it can be in its way
                    suspectsOf(before.claim()).stream()
                            .filter(each -> each.claim().equals(before.claim()))
                            .forEach(each -> reach(each, next));
                }
            }
        }
    }

    private void reach(WaitRecord.Suspect suspect, Deque<WaitRecord.Suspect> next) {
        if (reached.add(List.of(suspect.claim().client(), suspect.serial()))) {
            graph.add(suspect);
            next.add(suspect);
        }
    }

    List<DeadlockCore> cores() {
        return graph.cores();
    }

    /** What a client published, if the look came by it. */
    @Nullable
    WaitRecord record(String client) {
        return records.getOrDefault(client, Optional.empty()).orElse(null);
    }

    private List<WaitRecord.Suspect> suspectsOf(ClaimId claim) {
        Optional<WaitRecord> record = records.get(claim.client());
        if (record == null) {
            record = records.size() > MOST_RECORDS ? Optional.empty() : ask(claim.client());
            records.put(claim.client(), record);
        }
        return record.map(WaitRecord::suspects).orElse(List.of());
    }

    private Optional<WaitRecord> ask(String client) {
        commands++;
        Optional<String> text = store.waitsOf(client);
        try {
            return text.map(each -> WaitText.read(client, each));
        } catch (IllegalArgumentException unreadable) {
            if (complained.add(client)) {
                logger.log(Level.DEBUG, "ignoring what client " + client + " published: " + unreadable.getMessage());
            }
            return Optional.empty();
        }
    }

    private Optional<ResourceView> view(Resource resource) {
        Resource key = DeadlockGraph.key(resource);
        Optional<ResourceView> view = views.get(key);
        if (view == null) {
            commands++;
            view = store.inspect(resource);
            view.ifPresent(graph::add);
            views.put(key, view);
        }
        return view;
    }
}
