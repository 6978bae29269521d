package io.holdfast.engine;

import io.holdfast.Deadlock;
import io.holdfast.spi.TimeSource;
import java.lang.System.Logger;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Looks for deadlocks from every client that the store knows of, for operators. What it finds is looked at until it is
 * {@link DeadlockCandidate sure}, as the clients in it do themselves; if nothing is found, it is done at once.
 */
final class DeadlockSurvey {

    /** From one look to the next, while something is not sure. */
    private static final long PAUSE_NANOS = 250 * Deadline.NANOS_PER_MILLI;

    /** Longer than three beats of any client: what is not sure by then rests on one that does not count on. */
    private static final long PATIENCE_NANOS = 10_000 * Deadline.NANOS_PER_MILLI;

    private final EngineRuntime runtime;
    private final TimeSource time;
    private final StoreCalls store;
    private final DeadlockReport report;
    private final Logger logger;

    DeadlockSurvey(EngineRuntime runtime, StoreCalls store, DeadlockReport report, Logger logger) {
        this.runtime = runtime;
        this.time = runtime.time();
        this.store = store;
        this.report = report;
        this.logger = logger;
    }

    /** What there is now. An interrupt ends it early, with what is sure by then. */
    List<Deadlock> take() {
        Set<String> complained = new HashSet<>();
        List<String> clients = store.clients();
        Map<Set<String>, DeadlockCore> first = look(clients, complained).coresBySignature();
        if (first.isEmpty()) {
            return List.of();
        }
        long seenNanos = time.nanoTime();
        Set<String> involved = new LinkedHashSet<>();
        first.values().forEach(core -> involved.addAll(core.clients()));
        DeadlockLook again = look(involved, complained);
        Map<Set<String>, DeadlockCandidate> candidates = new HashMap<>();
        again.coresBySignature().forEach((signature, core) -> {
            if (first.containsKey(signature)) {
                candidates.put(signature, new DeadlockCandidate(core, again, seenNanos));
            }
        });
        return confirmed(candidates, involved, complained).stream()
                .map(report::deadlock)
                .toList();
    }

    private Collection<DeadlockCore> confirmed(
            Map<Set<String>, DeadlockCandidate> candidates, Set<String> clients, Set<String> complained) {
        Map<Set<String>, DeadlockCore> sure = new LinkedHashMap<>();
        long startNanos = time.nanoTime();
        while (!candidates.isEmpty()
                && time.nanoTime() - startNanos < PATIENCE_NANOS
                && !Thread.currentThread().isInterrupted()) {
            runtime.park(this, PAUSE_NANOS);
            DeadlockLook look = look(clients, complained);
            Map<Set<String>, DeadlockCore> seen = look.coresBySignature();
            candidates.keySet().retainAll(seen.keySet());
            seen.forEach((signature, core) -> {
                DeadlockCandidate candidate = candidates.get(signature);
                if (candidate != null && candidate.isSure(core, look, time.nanoTime())) {
                    sure.put(signature, core);
                }
            });
            candidates.keySet().removeAll(sure.keySet());
        }
        return sure.values();
    }

    private DeadlockLook look(Collection<String> clients, Set<String> complained) {
        DeadlockLook look = new DeadlockLook(store, complained, logger);
        clients.forEach(look::fromAllOf);
        return look;
    }
}
