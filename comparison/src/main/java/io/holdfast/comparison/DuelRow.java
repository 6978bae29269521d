package io.holdfast.comparison;

import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What two builds showed in one workload.
 *
 * @param ratio cycles per second, this build to the other one
 * @param cpu processor time for a cycle, clients and server, this build to the other one
 */
record DuelRow(
        String workload,
        String library,
        int pairs,
        double cyclesPerSecond,
        double oldCyclesPerSecond,
        Spread ratio,
        Spread cpu,
        double commands,
        double oldCommands,
        long violations,
        @Nullable String failure) {

    /** As Markdown. */
    static String table(List<DuelRow> rows) {
        return rows.stream().map(DuelRow::line).collect(Collectors.joining("", """
                | workload | library | pairs | cycles/s, new | old | new/old (middle half) | CPU per cycle, new/old | commands per cycle, new | old |
                |---|---|---|---|---|---|---|---|---|
                """, ""));
    }

    private String line() {
        if (failure != null) {
            return String.format("| %s | %s | failed: %s |||||||%n", workload, library, failure);
        }
        return String.format(
                "| %s | %s | %d | %s | %s | %s | %s | %s | %s |%s%n",
                workload,
                library,
                pairs,
                Numbers.count(cyclesPerSecond),
                Numbers.count(oldCyclesPerSecond),
                ratio,
                cpu,
                Numbers.count(commands),
                Numbers.count(oldCommands),
                violations == 0 ? "" : " " + violations + " VIOLATIONS");
    }
}
