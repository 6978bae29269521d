package io.holdfast.comparison;

import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/** The rounds of one library in one workload, on their way to a row. */
final class Tally {
    private static final double NANOS_PER_MICRO = 1e3;

    private final Workload workload;
    private final Library library;
    private final List<Round> rounds = new ArrayList<>();
    private @Nullable Double commandsPerCycle;
    private long violations;
    private @Nullable String failure;

    /**
     * @param seconds how long the round was
     * @param perCycle how many cycles what was used is spread over
     */
    private record Round(Measured measured, double seconds, double perCycle, long serverMicros) {}

    Tally(Workload workload, Library library) {
        this.workload = workload;
        this.library = library;
    }

    void add(Measured measured, double seconds, double perCycle, long serverMicros) {
        rounds.add(new Round(measured, seconds, perCycle, serverMicros));
        violations += measured.violations();
    }

    void commandsPerCycle(@Nullable Double commands) {
        commandsPerCycle = commands;
    }

    void violations(long more) {
        violations += more;
    }

    /** There will be no more rounds; the first reason counts. */
    void fail(String why) {
        failure = failure == null ? why : failure;
    }

    boolean hasFailed() {
        return failure != null;
    }

    Row row() {
        if (failure != null || rounds.isEmpty()) {
            return Row.failed(workload, library, failure == null ? "nothing was measured" : failure, violations);
        }
        return new Row(
                workload.label(),
                library.label(),
                library.version(),
                rounds.size(),
                rounds.stream().mapToLong(each -> each.measured.cycles()).sum(),
                workload.hasRate() ? median(each -> each.measured.cyclesInTime() / each.seconds) : Double.NaN,
                percentile(50),
                percentile(99),
                percentile(99.9),
                rounds.stream()
                        .mapToDouble(each -> each.measured.waits().getMaxValue() / NANOS_PER_MICRO)
                        .max()
                        .orElse(0),
                median(each -> each.measured.usage().cpuNanos() / NANOS_PER_MICRO / each.perCycle),
                median(each -> each.serverMicros / each.perCycle),
                commandsPerCycle,
                median(each -> each.measured.usage().allocatedBytes() / each.perCycle),
                violations,
                null);
    }

    private double percentile(double percent) {
        return median(each -> each.measured.waits().getTotalCount() == 0
                ? Double.NaN
                : each.measured.waits().getValueAtPercentile(percent) / NANOS_PER_MICRO);
    }

    private double median(ToDoubleFunction<Round> value) {
        double[] sorted = rounds.stream().mapToDouble(value).sorted().toArray();
        int middle = sorted.length / 2;
        return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
    }
}
