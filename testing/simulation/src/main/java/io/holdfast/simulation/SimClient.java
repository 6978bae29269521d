package io.holdfast.simulation;

import io.holdfast.LockClient;
import io.holdfast.LockEvent;
import io.holdfast.LockOptions;
import io.holdfast.engine.EnginePeek;
import io.holdfast.spi.LockBackend;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;

/** A process with a real engine in it and some users, each with one wish after another. */
final class SimClient implements SimBackend.Answers {
    /** How many of ten thousand events meet a listener that is slow, and how slow. */
    private static final int SLOW_LISTENER = 100;

    private static final long SLOWEST_LISTENER_NANOS = 300 * SimWorld.MILLI;
    private static final long PATIENT_CLOSE_NANOS = 4 * SimWorld.SECOND;

    private final SimWorld world;
    private final Stats stats;
    private final SimProcess process;
    private final Workload workload;
    private final Rng users;
    private final Profile profile;
    private final Sabotage sabotage;
    private final SimRuntime runtime;
    private final SimBackend backend;
    private final LockClient locks;
    private final EventLedger events;
    private final Map<String, Operation> operations = new LinkedHashMap<>();
    private final List<ViewUser> views = new ArrayList<>();
    private int asked;
    private boolean closing;
    private boolean closed;

    SimClient(
            SimBackend.Setting setting,
            SimProcess process,
            LockBackend connection,
            Workload workload,
            Profile profile) {
        this.world = setting.world();
        this.stats = setting.stats();
        this.sabotage = setting.sabotage();
        this.process = process;
        this.workload = workload;
        this.profile = profile;
        this.users = Rng.of(setting.seed(), 31, process.index());
        this.runtime = new SimRuntime(setting, process, profile.isCalm());
        this.backend = new SimBackend(setting, process, connection, this);
        this.events = new EventLedger(world, stats, process.name());
        this.locks = EnginePeek.start(process.name(), backend, LockOptions.defaults(), runtime);
        locks.addListener(this::hear);
    }

    private void hear(LockEvent event) {
        if (process.isKilled()) {
            return;
        }
        if (!profile.isCalm() && stats.isFaulty() && users.chance(SLOW_LISTENER) && world.canSleep()) {
            world.sleep(process, users.below(SLOWEST_LISTENER_NANOS));
        }
        boolean end = event instanceof LockEvent.Released || event instanceof LockEvent.Lost;
        if (end && sabotage == Sabotage.NOT_TOLD && users.chance(500)) {
            return;
        }
        events.on(event);
        if (end && sabotage == Sabotage.TOLD_TWICE) {
            events.on(event);
        }
    }

    /** Lets some users begin, each with so many wishes. */
    void begin(int userCount, int wishes) {
        for (int user = 0; user < userCount; user++) {
            next(wishes);
        }
    }

    /** Lets some threads begin that lock and unlock, each with so many wishes. */
    void beginViews(int count, int wishes) {
        for (int i = 0; i < count; i++) {
            ViewUser user =
                    new ViewUser(this, workload, process.name() + "-thread" + i, new Rng(users.nextLong()), wishes);
            views.add(user);
            user.begin();
        }
    }

    /** The run is over. */
    void endThreads() {
        views.forEach(user -> user.thread().abort());
    }

    private void next(int wishes) {
        if (wishes > 0) {
            world.post(process, world.now() + workload.thinkNanos(users), () -> ask(wishes));
        }
    }

    private void ask(int wishes) {
        if (closing || workload.isDraining()) {
            return;
        }
        ResourceLedger ledger = workload.ledger(users);
        String label = process.name() + "-" + ++asked;
        Operation operation = new Operation(this, workload, ledger, label, () -> next(wishes - 1));
        operations.values().removeIf(Operation::isOver);
        for (Operation other : operations.values()) {
            if (other.ledger() == ledger) {
                other.notAlone();
                operation.notAlone();
            }
        }
        operations.put(label, operation);
        operation.start();
    }

    /** One more wish for one resource, for which there is time. */
    void encore(ResourceLedger ledger) {
        String label = process.name() + "-" + ++asked;
        Operation operation = new Operation(this, workload, ledger, label, () -> {}).forEver();
        operations.put(label, operation);
        world.post(process, world.now() + users.below(SimWorld.MILLI), operation::start);
    }

    @Override
    public void answered(String label) {
        Operation operation = operations.get(label);
        if (operation != null) {
            operation.answered();
        }
    }

    @Override
    public void failed(String label) {
        Operation operation = operations.get(label);
        if (operation != null) {
            operation.failed();
        }
    }

    // ---- ends

    /** The process is gone without a word, and the store notices sooner or later. */
    void kill() {
        process.kill();
        operations.values().forEach(Operation::died);
        views.forEach(ViewUser::died);
        backend.disconnect();
    }

    /** The client is closed in the middle of everything. */
    void close() {
        if (closing) {
            return;
        }
        closing = true;
        long startNanos = world.now();
        world.trace(process.name(), "closes its client");
        locks.close();
        closed = true;
        world.trace(process.name(), "has closed its client");
        checkClosed(world.now() - startNanos);
    }

    private void checkClosed(long tookNanos) {
        if (world.violation() != null) {
            return;
        }
        for (Operation operation : operations.values()) {
            if (operation.isWaiting()) {
                world.violated(Rule.NOBODY_IS_STUCK, operation.label() + " waits for ever: " + name() + " was closed");
            }
        }
        views.stream()
                .filter(ViewUser::isWaiting)
                .forEach(user -> world.violated(
                        Rule.NOBODY_IS_STUCK, user.name() + " waits for ever: " + name() + " was closed"));
        if (runtime.pending() > 0) {
            world.violated(Rule.NOTHING_IS_LEFT, name() + " was closed and has " + runtime.pending() + " tasks left");
        }
        if (tookNanos < PATIENT_CLOSE_NANOS) {
            checkCleanlyClosed();
        }
    }

    /**
     * Closing gives others a few seconds; if the process is paused meanwhile that may be over before they could do
     * anything.
     */
    private void checkCleanlyClosed() {
        if (leftovers() > 0) {
            world.violated(
                    Rule.NOTHING_IS_LEFT,
                    name() + " was closed and its engine still knows of " + leftovers() + " things");
        }
        events.checkEnds();
    }

    void drain() {
        operations.values().forEach(Operation::drain);
    }

    /** Nobody waits and nobody holds. */
    boolean isIdle() {
        return operations.values().stream().allMatch(Operation::isOver)
                && views.stream().allMatch(user -> user.thread().isEnded());
    }

    /** Who waits, by label. */
    List<String> waiting() {
        return Stream.concat(
                        operations.values().stream()
                                .filter(Operation::isWaiting)
                                .map(Operation::label),
                        views.stream().filter(ViewUser::isWaiting).map(ViewUser::name))
                .toList();
    }

    int leftovers() {
        return EnginePeek.leftovers(locks);
    }

    // ---- looks

    boolean isKilled() {
        return process.isKilled();
    }

    boolean isClosing() {
        return closing;
    }

    boolean isClosed() {
        return closed;
    }

    /** Neither dead nor on its way out. */
    boolean isAlive() {
        return !isKilled() && !closing;
    }

    boolean isCalm() {
        return profile.isCalm();
    }

    Sabotage sabotage() {
        return sabotage;
    }

    boolean hasSoundMachine() {
        return profile.hasSoundMachines();
    }

    String name() {
        return process.name();
    }

    SimProcess process() {
        return process;
    }

    SimWorld world() {
        return world;
    }

    Stats stats() {
        return stats;
    }

    Rng users() {
        return users;
    }

    LockClient locks() {
        return Objects.requireNonNull(locks);
    }
}
