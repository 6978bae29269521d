package io.holdfast.engine;

import io.holdfast.Deadlock;
import io.holdfast.DeadlockDetected;
import io.holdfast.LockDeadlockException;
import io.holdfast.spi.ClientView;
import io.holdfast.spi.TimeSource;
import io.holdfast.spi.WaitRecord;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Says what was found: in the log, to listeners, and to a caller that would rather fail. */
final class DeadlockReport {
    private final StoreCalls store;
    private final TimeSource time;
    private final Events events;
    private final Callbacks callbacks;
    private final Logger logger;

    DeadlockReport(StoreCalls store, TimeSource time, Events events, Callbacks callbacks, Logger logger) {
        this.store = store;
        this.time = time;
        this.events = events;
        this.callbacks = callbacks;
        this.logger = logger;
    }

    /** Tells of a core in which at least this wait is of this client. */
    void tell(DeadlockCore core, WaitRecord.Suspect own) {
        Deadlock deadlock = deadlock(core);
        boolean lasts = deadlock.endsBy().isEmpty();
        String message = (core.nodes().size() == 1 ? alone(core) : "deadlock: these wait for each other")
                + deadlock.endsBy()
                        .map(end -> ", until " + end + " at the latest")
                        .orElse("") + "\n" + deadlock;
        callbacks.execute(() -> {
            logger.log(lasts ? Level.WARNING : Level.INFO, message);
            events.tell(
                    DeadlockDetected.of(own.resource().kind(), own.resource().name(), deadlock));
        });
    }

    private static String alone(DeadlockCore core) {
        return "deadlock: this one waits for what it holds itself; leases are not re-entrant, lock() is ("
                + core.nodes().get(0).owner().key() + ")";
    }

    /** What the caller gets that gives up, so that the others can go on. */
    LockDeadlockException failure(DeadlockCore core, WaitRecord.Suspect victim) {
        Deadlock deadlock = deadlock(core);
        String name = victim.resource().name();
        return new LockDeadlockException(
                victim.resource().kind(),
                name,
                "gave up waiting for '" + name + "', because it is part of a deadlock and said that it would rather"
                        + " fail; give back what you hold, and take locks in one order\n" + deadlock,
                deadlock);
    }

    Deadlock deadlock(DeadlockCore core) {
        Map<String, String> clients = new HashMap<>();
        long nowMillis = time.wallMillis();
        List<Deadlock.Member> members = core.nodes().stream()
                .map(node ->
                        member(core, node, clients.computeIfAbsent(node.owner().client(), this::clientName), nowMillis))
                .toList();
        Optional<Instant> endsBy = core.endMillis().map(Instant::ofEpochMilli);
        return Deadlock.of(members, core.isCertain(), endsBy);
    }

    private static Deadlock.Member member(DeadlockCore core, DeadlockNode node, String client, long nowMillis) {
        WaitRecord.Suspect wait = node.waits().get(0);
        List<WaitRecord.Hold> holds = core.wanted(node);
        return Deadlock.Member.of(
                client,
                wait.owner(),
                holds.stream().allMatch(WaitRecord.Hold::certain),
                wait.resource().kind(),
                wait.resource().name(),
                Duration.ofMillis(Math.max(0, nowMillis - wait.sinceMillis())),
                holds.stream()
                        .map(hold -> new Deadlock.Hold(
                                hold.resource().kind(), hold.resource().name(), hold.token()))
                        .toList());
    }

    private String clientName(String id) {
        ClientView view = ClientView.UNKNOWN;
        try {
            view = store.client(id).orElse(ClientView.UNKNOWN);
        } catch (RuntimeException unknown) {
            logger.log(Level.DEBUG, "client " + id + " is told by its id", unknown);
        }
        return new StatusValues.Client(id, view.host(), view.pid(), view.name()).toString();
    }
}
