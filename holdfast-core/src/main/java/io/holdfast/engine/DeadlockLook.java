package io.holdfast.engine;

import io.holdfast.spi.Resource;
import io.holdfast.spi.ResourceView;
import io.holdfast.spi.WaitRecord;
import io.holdfast.spi.WaitText;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
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
    private final int mostRecords;
    private final Logger logger;
    private final Set<String> complained;
    private final DeadlockGraph graph = new DeadlockGraph();
    private final Map<String, Optional<WaitRecord>> records = new HashMap<>();
    private final Map<Resource, Optional<ResourceView>> views = new HashMap<>();
    private final Set<List<Object>> reached = new HashSet<>();
    private int commands;

    /**
     * A look of a client that has suspects.
     *
     * @param own what this client has published
     * @param complained clients whose records were said to be unreadable
     */
    DeadlockLook(StoreCalls store, WaitRecord own, Set<String> complained, Logger logger) {
        this(store, MOST_RECORDS, complained, logger);
        records.put(own.client(), Optional.of(own));
    }

    /** A look of somebody who looks at all clients. */
    DeadlockLook(StoreCalls store, Set<String> complained, Logger logger) {
        this(store, Integer.MAX_VALUE, complained, logger);
    }

    private DeadlockLook(StoreCalls store, int mostRecords, Set<String> complained, Logger logger) {
        this.store = store;
        this.mostRecords = mostRecords;
        this.logger = logger;
        this.complained = complained;
    }

    /** How often the store was asked. */
    int commands() {
        return commands;
    }

    /** Adds everybody that can be reached from what a client has published. */
    void fromAllOf(String client) {
        suspectsOf(client).forEach(this::from);
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
                suspectsOf(holder.claim().client()).stream()
                        .filter(each -> each.holds().stream()
                                .anyMatch(hold -> hold.claim().equals(holder.claim())))
                        .forEach(each -> reach(each, next));
            }
            for (ResourceView.Waiting before : view.waiting()) {
                if (before.claim().equals(suspect.claim())) {
                    break;
                }
                if (before.weight() > suspect.weight()) { // nobody else before it can be in its way
                    suspectsOf(before.claim().client()).stream()
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

    /** What it found, by what must be the same in each look. */
    Map<Set<String>, DeadlockCore> coresBySignature() {
        Map<Set<String>, DeadlockCore> found = new LinkedHashMap<>();
        cores().forEach(core -> found.put(core.signature(), core));
        return found;
    }

    /** What a client published, if the look came by it. */
    @Nullable
    WaitRecord record(String client) {
        return records.getOrDefault(client, Optional.empty()).orElse(null);
    }

    /** The suspects that a client shows. Those that wait with another client of its process are read there. */
    private List<WaitRecord.Suspect> suspectsOf(String client) {
        List<WaitRecord.Suspect> suspects = new ArrayList<>();
        for (WaitRecord.Suspect shown : shownBy(client)) {
            String home = shown.claim().client();
            if (home.equals(client)) {
                suspects.add(shown);
            } else {
                shownBy(home).stream()
                        .filter(each -> each.serial() == shown.serial()
                                && each.claim().client().equals(home))
                        .forEach(suspects::add);
            }
        }
        return suspects;
    }

    private List<WaitRecord.Suspect> shownBy(String client) {
        Optional<WaitRecord> record = records.get(client);
        if (record == null) {
            record = records.size() > mostRecords ? Optional.empty() : ask(client);
            records.put(client, record);
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
