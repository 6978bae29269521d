package io.holdfast.torture;

import io.holdfast.testing.redis.FaultProxy;
import io.holdfast.testing.redis.RedisConsoleException;
import io.holdfast.testing.redis.RedisServer;
import io.holdfast.testing.redis.RedisUnreachableException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/**
 * The faults of a quorum, one at a time or several at once. Whatever it does, no more nodes than a minority forget at a
 * time; that all of them together are out for somebody happens, and is an outage.
 */
final class QuorumNemesis implements Striker {
    /** A client that was cut off from most nodes has nothing left by then, and all its threads have noticed. */
    static final Duration CUT_OFF_NOTICED = Subject.LONGEST_LEASE.plusMillis(1_500);

    private static final Set<Fault> CLOCKS =
            EnumSet.of(Fault.CLOCK_FORWARD, Fault.CLOCK_LEAP, Fault.CLOCK_BACK, Fault.CLOCK_DRIFT);
    private static final Set<Fault> CLIENTS =
            EnumSet.of(Fault.CLIENT_PAUSE, Fault.CLIENT_KILL, Fault.CLIENT_CLOCK, Fault.CUT_OFF_MAJORITY);

    /** Healing a wire takes all back that was done to it. */
    private static final Set<Fault> WIRES = EnumSet.of(
            Fault.REPLY_LOST,
            Fault.REQUEST_LATE,
            Fault.REQUEST_TWICE,
            Fault.WIRE_CUT,
            Fault.CUT_OFF_MINORITY,
            Fault.CUT_OFF_MAJORITY,
            Fault.BRIDGE);

    private final QuorumSite site;
    private final Crew crew;
    private final Harms harms;
    private final QuorumWatch watch;
    private final Amnesia amnesia;
    private final ClockFaults clocks;
    private final WireFaults wireFaults = new WireFaults(this::onWires);
    private final List<Fault> parts;

    QuorumNemesis(QuorumSite site, Crew crew, Harms harms, QuorumWatch watch, List<Fault> choices) {
        this.site = site;
        this.crew = crew;
        this.harms = harms;
        this.watch = watch;
        this.amnesia = new Amnesia(site, harms, watch);
        this.clocks = new ClockFaults(site, crew, harms, amnesia);
        this.parts = choices.stream()
                .filter(fault -> fault != Fault.MIX && fault != Fault.ROLLING_RESTART)
                .toList();
    }

    @Override
    public List<Blow> strike(Fault fault, Rng rng) {
        if (fault != Fault.MIX) {
            return List.of(one(fault, rng, true));
        }
        long startNanos = System.nanoTime();
        List<CompletableFuture<Blow>> begun = new ArrayList<>();
        for (Fault part : someParts(rng)) {
            Rng own = Rng.of(rng.between(0, Long.MAX_VALUE - 1));
            begun.add(CompletableFuture.supplyAsync(
                    () -> {
                        Threads.sleep(own.between(0, 800));
                        return one(part, own, false);
                    },
                    task -> Threads.start("nemesis-" + part, task)));
        }
        List<Blow> blows = new ArrayList<>();
        begun.forEach(part -> blows.add(part.join()));
        site.awaitHealthy();
        long healedNanos = System.nanoTime();
        blows.add(0, new Blow(fault, blows.size() + " at once", startNanos, healedNanos, false));
        return blows;
    }

    /**
     * Two to four that do not get into each other's way: one clock, one client, one kind of wire, and all on nodes that
     * nobody else has.
     */
    private List<Fault> someParts(Rng rng) {
        List<Fault> left = new ArrayList<>(parts);
        List<Fault> chosen = new ArrayList<>();
        int count = (int) rng.between(2, 4);
        while (chosen.size() < count && !left.isEmpty()) {
            Fault part = left.remove(rng.below(left.size()));
            chosen.add(part);
            for (Set<Fault> alike : List.of(CLOCKS, CLIENTS, WIRES)) {
                if (alike.contains(part)) {
                    left.removeAll(alike);
                }
            }
        }
        return chosen;
    }

    private Blow one(Fault fault, Rng rng, boolean alone) {
        long startNanos = System.nanoTime();
        Deed deed = inject(fault, rng, alone);
        if (alone) {
            site.awaitHealthy();
        }
        boolean documented = deed.mayBreak() || fault == Fault.CLOCK_LEAP;
        return new Blow(fault, deed.detail(), startNanos, System.nanoTime(), documented);
    }

    private Deed inject(Fault fault, Rng rng, boolean alone) {
        return switch (fault) {
            case KILL -> Deed.safe(amnesia.kill(rng));
            case KILL_EMPTY -> Deed.safe(amnesia.killEmpty(rng));
            case KILL_ROLLED_BACK -> Deed.safe(amnesia.rollBack(rng));
            case SERVER_PAUSE -> Deed.safe(pauseNodes(rng));
            case CLIENT_PAUSE -> Deed.safe(pauseClients(rng));
            case CLIENT_KILL -> Deed.safe(killClient(rng));
            case REPLY_LOST -> Deed.safe(wireFaults.loseReplies(rng));
            case REQUEST_LATE -> Deed.safe(wireFaults.delayRequests(rng));
            case REQUEST_TWICE -> Deed.safe(repeatRequests(rng));
            case WIRE_CUT -> Deed.safe(wireFaults.cut(rng));
            case CUT_OFF_MINORITY -> Deed.safe(cutOffMinority(rng));
            case CUT_OFF_MAJORITY -> Deed.safe(cutOffMajority(rng));
            case BRIDGE -> Deed.safe(bridge(rng));
            case CLOCK_FORWARD -> Deed.safe(clocks.stepWithinMargin(rng));
            case CLOCK_LEAP -> Deed.safe(clocks.leap(rng));
            case CLOCK_BACK -> clocks.stepBack(rng, alone);
            case CLOCK_DRIFT -> Deed.safe(clocks.drift(rng));
            case CLIENT_CLOCK -> Deed.safe(stepClient(rng));
            case FLUSH -> Deed.safe(amnesia.flush(rng));
            case DELETION_ON_NODE -> delete(rng);
            case ROLLING_RESTART -> Deed.safe(amnesia.restartAll(rng));
            case FAILOVER,
                    LOSSY_FAILOVER,
                    GUARDED_FAILOVER,
                    DEMOTION,
                    DELETION,
                    SCRIPTS,
                    CONNECTIONS,
                    MEMORY,
                    SLOT_MIGRATION,
                    PERMISSIONS,
                    PARTITION,
                    SILENT_DEATH,
                    GUARD_MIGRATION,
                    GUARD_CLOCK,
                    ROLLED_BACK_CLOCK,
                    CROWD,
                    BROKEN_LOCKS,
                    MIX,
                    TABLE_LOCKED,
                    SERVER_CUT_OFF,
                    SESSION_CLOSED,
                    SESSION_OVER,
                    ROW_LOCKED,
                    STATEMENT_LIMIT,
                    CONNECTIONS_TAKEN,
                    BACKUP,
                    WATCHES_LOST,
                    SESSION_SLEPT -> throw Site.impossible(fault.title());
        };
    }

    // ---- nodes and clients that stand still

    private String pauseNodes(Rng rng) {
        long millis = Nemesis.shortOrLong(rng);
        Harms.Harm harm = harms.take(site.some(rng), false, rng);
        harm.nodes().forEach(node -> site.server(node).pause());
        Threads.sleep(millis);
        harm.nodes().forEach(node -> site.server(node).resume());
        harms.giveBack(harm);
        harms.end(harm);
        return "nodes " + harm.nodes() + " stood still for " + millis + " ms";
    }

    private String pauseClients(Rng rng) {
        long millis = Nemesis.shortOrLong(rng);
        List<Integer> some = someWorkers(rng);
        Harms.Harm harm = harms.begin(harms.allNodes(), some);
        List<Thread> pauses = some.stream()
                .map(worker -> crew.workers().get(worker))
                .map(worker -> Threads.start("pause-" + worker, () -> worker.pauseFor(millis)))
                .toList();
        pauses.forEach(Nemesis::join);
        harms.end(harm);
        return "workers " + some + " stood still for " + millis + " ms";
    }

    private String killClient(Rng rng) {
        int worker = rng.below(crew.size());
        Harms.Harm harm = harms.begin(harms.allNodes(), List.of(worker));
        long startNanos = System.nanoTime();
        crew.replace(worker);
        watch.awaitLease(worker, startNanos);
        harms.end(harm);
        return "worker " + worker + " killed and replaced";
    }

    private String stepClient(Rng rng) {
        int worker = rng.below(crew.size());
        Duration step = Duration.ofMillis(rng.between(20, 30_000)).multipliedBy(rng.chance(50) ? 1 : -1);
        WorkerProcess process = crew.workers().get(worker);
        process.clock().step(step);
        Threads.sleep(rng.between(300, 3_000));
        process.clock().reset();
        return "clock of worker " + worker + " set by " + step;
    }

    /** One worker, two, or all of them. */
    private List<Integer> someWorkers(Rng rng) {
        List<Integer> all = new ArrayList<>(harms.allWorkers());
        while (all.size() > 1 && rng.chance(60)) {
            all.remove(rng.below(all.size()));
        }
        return all;
    }

    // ---- wires

    private List<FaultProxy> wires(Collection<Integer> workers, Collection<Integer> nodes) {
        List<FaultProxy> wires = new ArrayList<>();
        for (int worker : workers) {
            for (int node : nodes) {
                wires.add(crew.proxy(worker, site.server(node)));
            }
        }
        return wires;
    }

    private void during(
            long millis, Collection<Integer> workers, Collection<Integer> nodes, Consumer<FaultProxy> fault) {
        Harms.Harm harm = harms.begin(nodes, workers);
        List<FaultProxy> wires = wires(workers, nodes);
        wires.forEach(fault);
        Threads.sleep(millis);
        wires.forEach(FaultProxy::heal);
        harms.end(harm);
    }

    /** Mostly the wires to few nodes, now and then to all. */
    private String onWires(Rng rng, String what, long millis, Consumer<FaultProxy> fault) {
        List<Integer> workers = someWorkers(rng);
        List<Integer> nodes = rng.chance(85) ? harms.someNodes(rng, site.some(rng)) : harms.allNodes();
        during(millis, workers, nodes, fault);
        return what + " between workers " + workers + " and nodes " + nodes + ", " + millis + " ms";
    }

    private String repeatRequests(Rng rng) {
        List<Integer> workers = someWorkers(rng);
        return WireFaults.repeatRequests(rng, workers, wires(workers, harms.allNodes()));
    }

    private static Consumer<FaultProxy> cut(Rng rng) {
        return rng.chance(50) ? FaultProxy::halfOpen : WireFaults::refuse;
    }

    private String cutOffMinority(Rng rng) {
        long millis = rng.between(500, 6_000);
        List<Integer> workers = someWorkers(rng);
        List<Integer> nodes = harms.someNodes(rng, site.some(rng));
        long startNanos = System.nanoTime();
        during(millis, workers, nodes, cut(rng));
        watch.mustGoOn(
                harms.allWorkers(),
                new Period(startNanos, System.nanoTime()),
                "workers " + workers + " cut off from nodes " + nodes);
        return "workers " + workers + " cut off from nodes " + nodes + ", " + millis + " ms";
    }

    private String cutOffMajority(Rng rng) {
        long millis = rng.between(5_500, 7_500);
        int worker = rng.below(crew.size());
        List<Integer> nodes = harms.someNodes(rng, (int) rng.between(site.spare() + 1, site.size()));
        String name = crew.workers().get(worker).name();
        long startNanos = System.nanoTime();
        during(millis, List.of(worker), nodes, cut(rng));
        Period noticed = new Period(startNanos + CUT_OFF_NOTICED.toNanos(), startNanos + millis * 1_000_000);
        watch.mustNotBeBusy(name, noticed);
        List<Integer> others = new ArrayList<>(harms.allWorkers());
        others.remove(Integer.valueOf(worker));
        watch.mustGoOn(others, noticed, "worker " + worker + " cut off from nodes " + nodes);
        return "worker " + worker + " cut off from nodes " + nodes + ", " + millis + " ms";
    }

    /** One sees all but the last nodes, the next all but the first; the others see all. */
    private String bridge(Rng rng) {
        long millis = rng.between(1_000, 6_000);
        int first = rng.below(crew.size());
        int second = (first + 1) % crew.size();
        List<Integer> lower = harms.allNodes().subList(0, site.spare());
        List<Integer> upper = harms.allNodes().subList(site.size() - site.spare(), site.size());
        Consumer<FaultProxy> cut = cut(rng);
        long startNanos = System.nanoTime();
        Harms.Harm harm = harms.begin(lower, List.of(first));
        wires(List.of(first), lower).forEach(cut);
        during(millis, List.of(second), upper, cut);
        wires(List.of(first), lower).forEach(FaultProxy::heal);
        harms.end(harm);
        watch.mustGoOn(harms.allWorkers(), new Period(startNanos, System.nanoTime()), "a bridge");
        return "worker " + first + " without nodes " + lower + ", worker " + second + " without " + upper + ", "
                + millis + " ms";
    }

    // ---- one lock on one node

    /** A holder on all nodes keeps it. Whoever has only a majority may lose it, as documented. */
    private Deed delete(Rng rng) {
        Subject subject = rng.pick(List.of(Subject.values()));
        String key = Nemesis.key(subject);
        int node = rng.below(site.size());
        Set<String> before = holders(key);
        try {
            site.server(node).command("DEL", key);
        } catch (RedisConsoleException | RedisUnreachableException down) {
            return Deed.safe("node " + node + " was down");
        }
        boolean sure = subject.kind() == Subject.Kind.LOCK && before.size() == 1 && before.equals(holders(key));
        return new Deed(key + " deleted on node " + node, !sure);
    }

    /** Who holds the mutex, by the word of each node that has it; and "nobody" if one does not. */
    private Set<String> holders(String key) {
        Set<String> holders = new HashSet<>();
        for (RedisServer server : site.servers()) {
            try {
                String[] hold =
                        String.valueOf(server.command("HGET", key, "hold")).split("[ :]", -1);
                holders.add(hold.length > 2 ? hold[2] : "nobody");
            } catch (RedisConsoleException | RedisUnreachableException down) {
                holders.add("nobody");
            }
        }
        return holders;
    }
}
