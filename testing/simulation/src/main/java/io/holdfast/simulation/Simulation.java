package io.holdfast.simulation;

import io.holdfast.memory.MemoryStore;
import io.holdfast.spi.LockBackend;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * One run: some clients with real engines on one real store, all on this thread, everything drawn from one seed.
 *
 * <p>First faults and work, then work alone, and at last the {@link Finale}, which looks what is left of it.
 */
final class Simulation {
    private static final long YEAR_2026_MILLIS = 1_767_225_600_000L;
    private static final List<Integer> TIMEOUT_MILLIS = List.of(100, 300, 1_000);

    /** Most stores announce. */
    private static final List<Style> STYLES = List.of(
            Style.ANNOUNCING,
            Style.ANNOUNCING,
            Style.ANNOUNCING,
            Style.ANNOUNCING,
            Style.ANNOUNCING,
            Style.ANNOUNCING,
            Style.SILENT,
            Style.LINELESS);

    /** How long past its deadline a lease may be before its user is told, while the process runs. */
    private static final long TOLD_NANOS = SimWorld.SECOND;

    /** How far clocks are off, in millionths. Together less than the one percent that a lease gives up for it. */
    private static final long CLIENT_DRIFT = 5_000;

    private static final long STORE_DRIFT = 3_000;
    private static final long SABOTAGED_DRIFT = 50_000;

    private final long seed;
    private final Profile profile;
    private final Sabotage sabotage;
    private final Trace trace;
    private final SimWorld world;
    private final Stats stats = new Stats();
    private final Rng rng;
    private final Workload workload;
    private final MemoryStore store;
    private final SimClocks storeClocks;
    private final SimBackend.Setting setting;
    private final List<SimClient> clients = new ArrayList<>();
    private final Nemesis nemesis;
    private final LockBackend observer;
    private final Orphans orphans;

    private Simulation(long seed, Profile profile, Sabotage sabotage, boolean traced) {
        this.seed = seed;
        this.profile = profile;
        this.sabotage = sabotage;
        this.trace = new Trace(traced);
        this.world = new SimWorld(trace);
        this.rng = Rng.of(seed, 1, profile.name().hashCode());
        this.workload = new Workload(world, rng, profile);
        long storePpm = rng.between(-STORE_DRIFT, STORE_DRIFT);
        this.storeClocks = new SimClocks(
                world, rng.nextLong(), YEAR_2026_MILLIS, sabotage == Sabotage.FAST_STORE ? SABOTAGED_DRIFT : storePpm);
        this.store =
                sabotage == Sabotage.NO_GUARD ? MemoryStore.withoutGuard(storeClocks) : new MemoryStore(storeClocks);
        Network network = new Network(world, profile, stats);
        Duration timeout = Duration.ofMillis(rng.pick(TIMEOUT_MILLIS));
        this.setting =
                new SimBackend.Setting(world, network, stats, rng.nextLong(), timeout, rng.pick(STYLES), sabotage);
        this.nemesis = new Nemesis(setting, store, storeClocks, clients, workload.longestLeaseNanos(), this::addClient);
        this.observer = store.connect(storeClocks);
        this.orphans = new Orphans(setting, observer, clients, workload.longestLeaseNanos());
    }

    static Outcome run(long seed, Profile profile, boolean traced) {
        return run(seed, profile, Sabotage.NONE, traced);
    }

    static Outcome run(long seed, Profile profile, Sabotage sabotage, boolean traced) {
        return new Simulation(seed, profile, sabotage, traced).run();
    }

    private Outcome run() {
        observer.start("observer", new DeafListener());
        world.afterEach(() -> workload.ledgers().forEach(ResourceLedger::check));
        int count = 2 + rng.below(3);
        for (int i = 0; i < count; i++) {
            addClient();
        }
        long faultsEndNanos = rng.between(2 * SimWorld.SECOND, 10 * SimWorld.SECOND);
        nemesis.plan(profile, faultsEndNanos);
        work(faultsEndNanos);
        stats.heal();
        setting.network().heal();
        world.trace("world", "nothing goes wrong from here");
        work(lastPauseEndsNanos() + SimWorld.SECOND);
        new Finale(setting, observer, workload, clients, nemesis, orphans).run();
        stats.ran(world.happened(), world.now());
        Outcome outcome = new Outcome(seed, profile, sabotage, stats, world.violation(), trace.text());
        clients.forEach(SimClient::endThreads);
        return outcome;
    }

    private void addClient() {
        int index = clients.size();
        // Only differences of a monotonic clock mean anything, so it may begin anywhere, even shortly before it
        // overflows.
        long originNanos = rng.chance(500) ? Long.MAX_VALUE - rng.below(10 * SimWorld.SECOND) : rng.nextLong();
        long ppm = rng.between(-CLIENT_DRIFT, CLIENT_DRIFT);
        SimClocks clocks = new SimClocks(world, originNanos, YEAR_2026_MILLIS + rng.below(1_000_000), ppm);
        SimProcess.Stalls stalls = new SimProcess.Stalls(
                Rng.of(setting.seed(), 51, index), profile.machine().stalls(), workload.longestLeaseNanos() * 8 / 5);
        SimProcess process = new SimProcess(world, index, clocks, stats, stalls);
        SimClient client = new SimClient(setting, process, store.connect(clocks), workload, profile);
        clients.add(client);
        world.trace(client.name(), "begins");
        int users = profile.hasCrowds() ? 4 + rng.below(9) : 1 + rng.below(rng.chance(2_000) ? 8 : 3);
        client.begin(users, 3 + rng.below(12));
        if (profile.hasViews()) {
            client.beginViews(1 + rng.below(3), 3 + rng.below(12));
        }
    }

    private long lastPauseEndsNanos() {
        return clients.stream()
                .mapToLong(client -> client.process().pausedUntilNanos())
                .reduce(world.now(), Math::max);
    }

    /** Lets everybody work, and looks now and then whether all losses were told. */
    private void work(long untilNanos) {
        while (world.now() < untilNanos && world.violation() == null) {
            world.runUntil(Math.min(untilNanos, world.now() + Finale.TICK_NANOS));
            workload.ledgers().forEach(ledger -> ledger.checkTold(TOLD_NANOS));
            orphans.check();
        }
    }
}
