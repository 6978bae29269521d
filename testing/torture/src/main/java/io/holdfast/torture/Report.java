package io.holdfast.torture;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Says what a run came to, for the terminal and as Markdown. */
final class Report {
    private static final int SHOWN = 20;

    private final Options options;
    private final Tally tally;
    private final long nanos;
    private final List<String> rounds;

    Report(Options options, Tally tally, long nanos, List<String> rounds) {
        this.options = options;
        this.tally = tally;
        this.nanos = nanos;
        this.rounds = rounds;
    }

    private List<String> numbers() {
        List<String> numbers = new ArrayList<>();
        boolean databases = options.modes().equals(List.of(Mode.JDBC));
        boolean ensemble = options.modes().equals(List.of(Mode.ZOOKEEPER));
        String servers = databases ? "PostgreSQL and MariaDB" : ensemble ? "ZooKeeper" : "Redis " + options.version();
        numbers.add(
                "seed " + options.seed() + ", " + servers + ", " + tally.rounds() + " rounds, " + Text.seconds(nanos));
        numbers.add("operations " + tally.operations() + ", not handed out " + tally.failures() + ", leases lost "
                + tally.lostLeases());
        numbers.add("fenced writes " + tally.fencedWrites() + ", refused " + tally.refusedWrites()
                + ", additions lost without a fence " + tally.lostWithoutFence());
        numbers.add("looks into a server " + tally.samples());
        numbers.add("faults " + tally.faults() + ", violations "
                + tally.violations().size() + ", documented " + tally.documented());
        return numbers;
    }

    String text() {
        StringBuilder text = new StringBuilder();
        numbers().forEach(line -> text.append(line).append('\n'));
        text.append(String.format("%-5s%-62s%7s%12s%12s%12s%n", "row", "fault", "times", "documented", "first", "all"));
        sorted().forEach((fault, line) -> text.append(String.format(
                "%-5s%-62s%7d%12d%12s%12s%n",
                fault.row(),
                fault.title(),
                line.count(),
                line.documented(),
                Text.seconds(line.slowestFirstNanos()),
                Text.seconds(line.slowestAllNanos()))));
        tally.violations().stream()
                .limit(SHOWN)
                .forEach(
                        violation -> text.append("VIOLATION ").append(violation).append('\n'));
        return text.toString();
    }

    String markdown() {
        StringBuilder text = new StringBuilder("# Torture, seed " + options.seed() + "\n\n");
        text.append("- `bin/torture ").append(options.line()).append("`\n");
        numbers().forEach(line -> text.append("- ").append(line).append('\n'));
        text.append("\n| row | fault | times | documented breaks | slowest recovery: somebody | everybody |\n");
        text.append("|---|---|---|---|---|---|\n");
        sorted().forEach((fault, line) -> text.append("| ")
                .append(fault.row())
                .append(" | ")
                .append(fault.title())
                .append(" | ")
                .append(line.count())
                .append(" | ")
                .append(line.documented())
                .append(" | ")
                .append(Text.seconds(line.slowestFirstNanos()))
                .append(" | ")
                .append(Text.seconds(line.slowestAllNanos()))
                .append(" |\n"));
        text.append("\n## Rounds\n\n");
        rounds.forEach(round -> text.append("- ").append(round).append('\n'));
        text.append("\n## Violations\n\n");
        if (tally.violations().isEmpty()) {
            text.append("None.\n");
        }
        tally.violations()
                .forEach(violation -> text.append("- ").append(violation).append('\n'));
        return text.toString();
    }

    private Map<Fault, Tally.Line> sorted() {
        return new TreeMap<>(tally.lines());
    }
}
