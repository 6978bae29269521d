package io.holdfast.comparison;

import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleBiFunction;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/** The rounds of two builds in one workload, on their way to a row. */
final class Duel {
    private final Workload workload;
    private final Library library;
    private final List<Pair> pairs = new ArrayList<>();
    private double freshCommands = Double.NaN;
    private double oldCommands = Double.NaN;
    private long violations;
    private @Nullable String failure;

    /**
     * One round of one build.
     *
     * @param cpuMicros processor time for a cycle, of the clients and the server
     */
    record Round(double cyclesPerSecond, double cpuMicros) {}

    private record Pair(Round fresh, Round old) {}

    Duel(Workload workload, Library library) {
        this.workload = workload;
        this.library = library;
    }

    Workload workload() {
        return workload;
    }

    Library library() {
        return library;
    }

    void add(Round fresh, Round old) {
        pairs.add(new Pair(fresh, old));
    }

    void commands(double fresh, double old) {
        freshCommands = fresh;
        oldCommands = old;
    }

    void violations(long more) {
        violations += more;
    }

    void fail(String why) {
        failure = why;
    }

    @Nullable
    String failure() {
        return failure;
    }

    DuelRow row() {
        return new DuelRow(
                workload.label(),
                library.label(),
                pairs.size(),
                middle(pair -> pair.fresh.cyclesPerSecond),
                middle(pair -> pair.old.cyclesPerSecond),
                spread((fresh, old) -> fresh.cyclesPerSecond / old.cyclesPerSecond),
                spread((fresh, old) -> fresh.cpuMicros / old.cpuMicros),
                freshCommands,
                oldCommands,
                violations,
                failure);
    }

    private double middle(ToDoubleFunction<Pair> value) {
        return Spread.of(pairs.stream().mapToDouble(value).toArray()).median();
    }

    /** Each pair for itself: what slowed both down is in neither. */
    private Spread spread(ToDoubleBiFunction<Round, Round> ratio) {
        return Spread.of(pairs.stream()
                .mapToDouble(pair -> ratio.applyAsDouble(pair.fresh, pair.old))
                .toArray());
    }
}
