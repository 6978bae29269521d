package io.holdfast.comparison;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** What a table shows of a row, for the terminal and for Markdown alike. */
final class Columns {

    /** Explains the last column. */
    static final String LEGEND =
            "× says how many times better Holdfast is in the measure beside it. CPU times are µs per cycle.";

    private Columns() {}

    static List<String> titles(Measure measure) {
        return List.of(
                "library",
                "cycles/s",
                "p50",
                "p99",
                "p99.9",
                "worst",
                "client CPU",
                "server CPU",
                "commands/cycle",
                "bytes/cycle",
                "× " + measure.label());
    }

    /** As many as there are titles; of a row that failed, only the name of the library. */
    static List<String> cells(Block block, Row row) {
        if (row.failure() != null) {
            return List.of(row.library());
        }
        return List.of(
                row.library(),
                Numbers.count(row.cyclesPerSecond()),
                Numbers.time(row.p50Micros()),
                Numbers.time(row.p99Micros()),
                Numbers.time(row.p999Micros()),
                Numbers.time(row.worstMicros()),
                Numbers.count(row.clientCpuMicrosPerCycle()),
                optional(row.serverMicrosPerCycle()),
                optional(row.commandsPerCycle()),
                Numbers.count(row.allocatedBytesPerCycle()),
                Numbers.count(block.timesBetter(row)));
    }

    /** What must not be overlooked in a row, on one line; empty if all went well. */
    static String note(Row row) {
        String violations = row.violations() == 0 ? "" : "VIOLATIONS: " + row.violations();
        String why = row.failure();
        if (why == null) {
            return violations;
        }
        String failed = "failed: " + why.strip().replaceAll("\\s+", " ");
        return violations.isEmpty() ? failed : violations + ", " + failed;
    }

    private static String optional(@Nullable Double value) {
        return value == null ? Numbers.NONE : Numbers.count(value);
    }
}
