package io.holdfast.comparison;

import static io.holdfast.comparison.Library.CURATOR;
import static io.holdfast.comparison.Library.HOLDFAST;
import static io.holdfast.comparison.Library.HOLDFAST_FIFO;
import static io.holdfast.comparison.Library.HOLDFAST_JDBC;
import static io.holdfast.comparison.Library.HOLDFAST_ZOOKEEPER;
import static io.holdfast.comparison.Library.HOLDFAST_ZOOKEEPER_FIFO;
import static io.holdfast.comparison.Library.LIMIT;
import static io.holdfast.comparison.Library.REDISSON;
import static io.holdfast.comparison.Library.REDISSON_FAIR;
import static io.holdfast.comparison.Library.SHEDLOCK;
import static io.holdfast.comparison.Library.SHEDLOCK_JDBC;
import static io.holdfast.comparison.Library.SPRING_JDBC;
import static io.holdfast.comparison.Library.SPRING_PUBSUB;
import static io.holdfast.comparison.Library.SPRING_SPIN;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/**
 * What Holdfast sets out to reach against the others, computed from the rows of a run. A row that is missing or failed
 * makes a target "not measured". A Holdfast that let two in reaches nothing, however fast it was.
 */
final class Targets {

    private static final Set<Library> PEERS = peers();
    private static final double SECOND_MICROS = 1_000_000;
    private static final double HELD = 10_000;
    private static final double TRIPS_PER_CYCLE = 2.05;

    /** A cycle of held locks is two leases, each renewed three times. */
    private static final double RENEWALS_PER_CYCLE = 6;

    /** Below this, a cycle sends no command: the rest is the renewal beside it. */
    private static final double NO_COMMANDS = 0.001;

    private final List<Row> rows;
    private final List<Target> targets = new ArrayList<>();

    private Targets(List<Row> rows) {
        this.rows = rows;
    }

    static List<Target> of(List<Row> rows) {
        Targets all = new Targets(rows);
        if (rows.stream().anyMatch(row -> row.library().endsWith("-jdbc"))) {
            all.onDatabase();
            return List.copyOf(all.targets);
        }
        if (rows.stream().anyMatch(row -> row.library().startsWith(HOLDFAST_ZOOKEEPER.label()))) {
            all.onZooKeeper();
            return List.copyOf(all.targets);
        }
        all.uncontended();
        all.oneKey();
        all.crowdCost(HOLDFAST_FIFO);
        all.crowdCost(HOLDFAST);
        all.crowdPatience(Workload.ONE_KEY_256, HOLDFAST_FIFO, 3);
        all.crowdPatience(Workload.ONE_KEY_256, HOLDFAST, 3);
        all.crowdPatience(Workload.ONE_KEY_10000, HOLDFAST_FIFO, 2);
        all.atMostCommands(Workload.ONE_KEY_10000, HOLDFAST_FIFO, TRIPS_PER_CYCLE);
        all.shared();
        all.others();
        return List.copyOf(all.targets);
    }

    private void uncontended() {
        faster(Workload.UNCONTENDED_1, HOLDFAST, 0.85, Set.of(LIMIT), "");
        faster(Workload.UNCONTENDED_1, HOLDFAST, 1.5, Set.of(REDISSON), "");
        cheaper(Workload.UNCONTENDED_1, "client CPU", 0.45, Row::clientCpuMicrosPerCycle);
        faster(Workload.UNCONTENDED_16, HOLDFAST, 0.6, Set.of(LIMIT), "");
        faster(Workload.UNCONTENDED_16, HOLDFAST, 3, Set.of(REDISSON), "");
        faster(Workload.UNCONTENDED_16, HOLDFAST, 1, Set.of(SHEDLOCK), "");
        faster(Workload.UNCONTENDED_16, HOLDFAST, 1.6, Set.of(SPRING_PUBSUB, SPRING_SPIN), "the better of Spring's");
    }

    private void onDatabase() {
        roundTrips();
        faster(Workload.UNCONTENDED_1, HOLDFAST_JDBC, 1.5, Set.of(SPRING_JDBC), "");
        faster(Workload.UNCONTENDED_1, HOLDFAST_JDBC, 1.2, Set.of(SHEDLOCK_JDBC), "");
        faster(Workload.UNCONTENDED_16, HOLDFAST_JDBC, 1.3, Set.of(SPRING_JDBC), "");
        faster(Workload.UNCONTENDED_16, HOLDFAST_JDBC, 1.2, Set.of(SHEDLOCK_JDBC), "");
        faster(Workload.ONE_KEY_16, HOLDFAST_JDBC, 50, Set.of(SPRING_JDBC), "");
        sooner(Workload.ONE_KEY_16, HOLDFAST_JDBC, SPRING_JDBC, 0.02);
        faster(Workload.ONE_KEY_4X4, HOLDFAST_JDBC, 50, Set.of(SPRING_JDBC), "");
        heldCost();
    }

    /** One to take and one to give back; what is done in the background is the rest. */
    private void roundTrips() {
        Optional<Row> ours = row(Workload.UNCONTENDED_1, HOLDFAST_JDBC);
        double trips = value(ours, row -> orNaN(row.commandsPerCycle()));
        String wanted = "≤ " + plain(TRIPS_PER_CYCLE);
        boolean reached = trips <= TRIPS_PER_CYCLE;
        add(Workload.UNCONTENDED_1, "holdfast-jdbc: round trips", wanted, ours, trips, plain(trips), reached);
    }

    /** What the server works for 10,000 locks between two renewals of each: a third of a lease, a sixth of a cycle. */
    private void heldCost() {
        Optional<Row> held = row(Workload.HELD_10000, HOLDFAST_JDBC);
        double micros = value(held, row -> orNaN(row.serverMicrosPerCycle())) * HELD / RENEWALS_PER_CYCLE;
        add(
                Workload.HELD_10000,
                "holdfast-jdbc: server CPU in a third of the lease",
                "≤ 1 s",
                held,
                micros,
                Numbers.time(micros),
                micros <= SECOND_MICROS);
    }

    private void onZooKeeper() {
        Set<Library> curator = Set.of(CURATOR);
        faster(Workload.UNCONTENDED_1, HOLDFAST_ZOOKEEPER, 1.4, curator, "");
        faster(Workload.UNCONTENDED_16, HOLDFAST_ZOOKEEPER, 1.1, curator, "");
        faster(Workload.ONE_KEY_16, HOLDFAST_ZOOKEEPER, 50, curator, "");
        sooner(Workload.ONE_KEY_16, HOLDFAST_ZOOKEEPER, CURATOR, 0.02);
        faster(Workload.ONE_KEY_4X4, HOLDFAST_ZOOKEEPER, 50, curator, "");
        faster(Workload.ONE_KEY_4X4, HOLDFAST_ZOOKEEPER_FIFO, 2, curator, "");
        sooner(Workload.ONE_KEY_4X4, HOLDFAST_ZOOKEEPER_FIFO, CURATOR, 0.5);
        faster(Workload.READ_WRITE, HOLDFAST_ZOOKEEPER, 5, curator, "");
        faster(Workload.SEMAPHORE, HOLDFAST_ZOOKEEPER, 5, curator, "");
        renewal();
    }

    /**
     * All of the held locks, once: processor time of both sides, which is more than it takes where both run at once.
     */
    private void renewal() {
        Optional<Row> ours = row(Workload.HELD_10000, HOLDFAST_ZOOKEEPER);
        double micros = HELD
                / RENEWALS_PER_CYCLE
                * value(ours, row -> row.clientCpuMicrosPerCycle() + orNaN(row.serverMicrosPerCycle()));
        add(
                Workload.HELD_10000,
                HOLDFAST_ZOOKEEPER.label() + ": CPU of both sides to renew all once",
                "≤ 1 s",
                ours,
                micros,
                Numbers.time(micros),
                micros <= SECOND_MICROS);
    }

    /** How long nearly everybody waits. */
    private void sooner(Workload workload, Library library, Library than, double bound) {
        Optional<Row> ours = row(workload, library);
        double one = value(ours, Row::p99Micros);
        double other = value(row(workload, than), Row::p99Micros);
        String values = Numbers.time(one) + " to " + Numbers.time(other);
        atMost(workload, library.label() + ": p99 to " + than.label(), bound, ours, one / other, values);
    }

    private void oneKey() {
        faster(Workload.ONE_KEY_16, HOLDFAST, 15, PEERS, "the best other");
        faster(Workload.ONE_KEY_16, HOLDFAST_FIFO, 2.5, Set.of(REDISSON_FAIR), "");
        faster(Workload.ONE_KEY_4X4, HOLDFAST, 50, redisPeers(), "the best other on Redis");
        faster(Workload.ONE_KEY_4X4, HOLDFAST_FIFO, 5, Set.of(REDISSON), "");
    }

    /** 256 waiters cost no more commands than 16 in as many JVMs. */
    private void crowdCost(Library library) {
        Optional<Row> many = row(Workload.ONE_KEY_256, library);
        double commands = value(many, row -> orNaN(row.commandsPerCycle()));
        double fewCommands = value(row(Workload.ONE_KEY_4X4, library), row -> orNaN(row.commandsPerCycle()));
        String what = library.label() + ": commands/cycle to " + Workload.ONE_KEY_4X4.label();
        atMost(Workload.ONE_KEY_256, what, 1.05, many, commands / fewCommands, against(commands, fewCommands));
    }

    /** And none waits much longer than if all took turns. */
    private void crowdPatience(Workload crowd, Library library, double bound) {
        Optional<Row> many = row(crowd, library);
        int waiters = crowd.jvms() * crowd.threads();
        double p99 = value(many, Row::p99Micros);
        double fair = value(many, row -> waiters * SECOND_MICROS / row.cyclesPerSecond());
        String times = Numbers.time(p99) + " to " + Numbers.time(fair);
        atMost(crowd, library.label() + ": p99 to perfectly fair turns", bound, many, p99 / fair, times);
    }

    private void atMostCommands(Workload workload, Library library, double bound) {
        Optional<Row> ours = row(workload, library);
        double commands = value(ours, row -> orNaN(row.commandsPerCycle()));
        String what = library.label() + ": commands/cycle";
        add(workload, what, "≤ " + plain(bound), ours, commands, Numbers.count(commands), commands <= bound);
    }

    /** What a client holds is shared by its threads. */
    private void shared() {
        for (Workload workload : List.of(Workload.READ_WRITE, Workload.READ_WRITE_4X4)) {
            faster(workload, HOLDFAST, 20, Set.of(REDISSON), "");
            sooner(workload, HOLDFAST, REDISSON, 0.1);
            atMostCommands(workload, HOLDFAST, 0.1);
        }
        faster(Workload.SEMAPHORE, HOLDFAST, 25, Set.of(REDISSON), "");
        faster(Workload.SEMAPHORE_4X4, HOLDFAST, 50, Set.of(REDISSON), "");
    }

    private void others() {
        cheaper(Workload.HANDOVER, "p99", 0.3, Row::p99Micros);
        cheaper(Workload.HELD_10000, "server CPU", 1, row -> orNaN(row.serverMicrosPerCycle()));
        Optional<Row> reentry = row(Workload.REENTRY, HOLDFAST);
        double commands = value(reentry, row -> orNaN(row.commandsPerCycle()));
        add(
                Workload.REENTRY,
                "holdfast: commands/cycle",
                "below " + NO_COMMANDS,
                reentry,
                commands,
                Numbers.count(commands),
                commands < NO_COMMANDS);
        faster(Workload.REENTRY, HOLDFAST, 100, Set.of(REDISSON), "");
    }

    /** Cycles per second against the best of some others; {@code name} may stay empty if it is one. */
    private void faster(Workload workload, Library library, double bound, Set<Library> others, String name) {
        Optional<Row> ours = row(workload, library);
        Optional<Row> best = rows.stream()
                .filter(row -> row.workload().equals(workload.label()) && row.failure() == null)
                .filter(row -> others.stream().anyMatch(each -> each.label().equals(row.library())))
                .max(Comparator.comparingDouble(Row::cyclesPerSecond));
        double one = value(ours, Row::cyclesPerSecond);
        double other = value(best, Row::cyclesPerSecond);
        String to = name.isEmpty() ? others.iterator().next().label() : name;
        String which = name.isEmpty() ? "" : " of " + best.map(Row::library).orElse("");
        String what = library.label() + ": cycles/s to " + to;
        double ratio = one / other;
        String measured = ratio(ratio, against(one, other) + which);
        add(workload, what, "≥ " + plain(bound) + " ×", ours, ratio, measured, ratio >= bound);
    }

    /** Something less of which is better, against Redisson. */
    private void cheaper(Workload workload, String what, double bound, ToDoubleFunction<Row> part) {
        Optional<Row> ours = row(workload, HOLDFAST);
        double one = value(ours, part);
        double other = value(row(workload, REDISSON), part);
        boolean time = what.startsWith("p");
        String values = time ? Numbers.time(one) + " to " + Numbers.time(other) : against(one, other);
        atMost(workload, "holdfast: " + what + " to redisson", bound, ours, one / other, values);
    }

    private void atMost(Workload workload, String what, double bound, Optional<Row> ours, double ratio, String values) {
        add(workload, what, "≤ " + plain(bound) + " ×", ours, ratio, ratio(ratio, values), ratio <= bound);
    }

    private void add(
            Workload workload,
            String what,
            String wanted,
            Optional<Row> ours,
            double value,
            String measured,
            boolean reached) {
        if (!Double.isFinite(value)) {
            targets.add(new Target(workload.label(), what, wanted, Numbers.NONE, Target.Verdict.NOT_MEASURED));
            return;
        }
        boolean violated = ours.filter(row -> row.violations() > 0).isPresent();
        Target.Verdict verdict = reached && !violated ? Target.Verdict.REACHED : Target.Verdict.MISSED;
        targets.add(
                new Target(workload.label(), what, wanted, violated ? measured + ", VIOLATIONS" : measured, verdict));
    }

    private Optional<Row> row(Workload workload, Library library) {
        return rows.stream()
                .filter(row -> row.workload().equals(workload.label()))
                .filter(row -> row.library().equals(library.label()) && row.failure() == null)
                .findFirst();
    }

    private static Set<Library> peers() {
        Set<Library> peers = Library.onRedis();
        peers.removeAll(EnumSet.of(HOLDFAST, HOLDFAST_FIFO, LIMIT));
        return peers;
    }

    private static Set<Library> redisPeers() {
        Set<Library> peers = EnumSet.copyOf(PEERS);
        peers.removeIf(Library::usesZooKeeper);
        return peers;
    }

    private static double value(Optional<Row> row, ToDoubleFunction<Row> part) {
        return row.stream().mapToDouble(part).findFirst().orElse(Double.NaN);
    }

    private static double orNaN(@Nullable Double value) {
        return value == null ? Double.NaN : value;
    }

    private static String ratio(double ratio, String values) {
        return Numbers.count(ratio) + " × (" + values + ")";
    }

    private static String against(double one, double other) {
        return Numbers.count(one) + " to " + Numbers.count(other);
    }

    /** 1.5 or 15, as it was written. */
    private static String plain(double bound) {
        return bound == Math.rint(bound) ? Long.toString((long) bound) : Double.toString(bound);
    }
}
