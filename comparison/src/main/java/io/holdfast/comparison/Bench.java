package io.holdfast.comparison;

import io.holdfast.testing.databases.Valkey;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Runs the libraries on the same work and prints what they showed. */
public final class Bench {
    private static final int FAILED = 1;
    private static final int WRONG_OPTION = 2;

    /** Measured once: one quick run said 0.13 of the limit where the full one said 0.77. */
    static final String QUICK =
            "--quick only checks that everything runs: its rounds are too short to compare anybody.";

    private final BenchOptions options;
    private final Progress progress;

    Bench(BenchOptions options, Progress progress) {
        this.options = options;
        this.progress = progress;
    }

    /**
     * Runs what the options ask for.
     *
     * @param args options; {@code --help} lists them
     * @throws Exception if a file cannot be written or no server started
     */
    public static void main(String[] args) throws Exception {
        System.exit(run(System.out, System.err, args));
    }

    static int run(PrintStream out, PrintStream err, String... args) throws Exception {
        BenchOptions options;
        try {
            options = BenchOptions.parse(args);
            options.ground()
                    .check(
                            Runtime.getRuntime().availableProcessors(),
                            Runtime.version().feature(),
                            Commands.has("taskset"));
        } catch (IllegalArgumentException wrong) {
            err.println(wrong.getMessage());
            return WRONG_OPTION;
        }
        if (options.help()) {
            out.print(BenchOptions.HELP);
            return 0;
        }
        if (options.valkey()) {
            System.setProperty("holdfast.redis.server", Valkey.program().toString());
        }
        if (options.baseline() != null) {
            return againstBaseline(out, err, options, options.baseline());
        }
        OutputFiles files = new OutputFiles(options);
        try {
            files.check();
        } catch (IOException wrong) {
            err.println(wrong.getMessage());
            return WRONG_OPTION;
        }
        Progress progress = new Progress(
                err,
                Boolean.getBoolean("holdfast.terminal"),
                options.workloads().size());
        if (options.pairs() == 0) {
            err.println("none of these libraries can do any of these workloads; bin/bench --help lists them");
            return WRONG_OPTION;
        }
        try (Contestants contestants = new Contestants(options.redis(), options.database(), options.ground())) {
            List<Row> rows = new Bench(options, progress).measure(contestants);
            out.print(options.ground().text().isEmpty() ? "" : options.ground().text() + "\n\n");
            boolean quick = options.pace().equals(Pace.QUICK);
            out.print(quick ? TextTable.measured(rows) + QUICK + "\n" : TextTable.of(rows));
            files.write(rows);
            return status(rows);
        }
    }

    private static int againstBaseline(PrintStream out, PrintStream err, BenchOptions options, Path folder)
            throws Exception {
        if (options.ratedWorkloads().isEmpty() || options.ownLibraries().isEmpty()) {
            err.println("--baseline compares holdfast and holdfast-fifo in workloads that have a rate; bin/bench --help"
                    + " lists them all");
            return WRONG_OPTION;
        }
        Build other;
        try {
            other = Build.at(folder);
        } catch (IllegalArgumentException wrong) {
            err.println(wrong.getMessage());
            return WRONG_OPTION;
        }
        Progress progress = new Progress(
                err,
                Boolean.getBoolean("holdfast.terminal"),
                options.ratedWorkloads().size());
        DuelPace pace = options.pace().equals(Pace.QUICK) ? DuelPace.QUICK : DuelPace.FULL;
        List<DuelRow> rows = new Baseline(options, pace, progress).measure(other);
        out.print(DuelRow.table(rows));
        return rows.stream().anyMatch(row -> row.failure() != null || row.violations() > 0) ? FAILED : 0;
    }

    static int status(List<Row> rows) {
        return rows.stream().anyMatch(Bench::failsTheRun) ? FAILED : 0;
    }

    /** A peer that could not be measured is told in its row and no more. */
    private static boolean failsTheRun(Row row) {
        return row.violations() > 0 || (row.failure() != null && row.library().startsWith("holdfast"));
    }

    List<Row> measure(Contestants contestants) throws InterruptedException {
        List<Row> rows = new ArrayList<>();
        for (Workload workload : options.workloads()) {
            progress.begin(workload);
            rows.addAll(measure(workload, contestants));
        }
        progress.end();
        return rows;
    }

    private List<Row> measure(Workload workload, Contestants contestants) throws InterruptedException {
        List<Entry> entries = new ArrayList<>();
        List<Row> rows = new ArrayList<>();
        for (Library library : options.libraries()) {
            if (workload.suits(library)) {
                try {
                    entries.add(new Entry(contestants.of(library), new Tally(workload, library)));
                } catch (RuntimeException noStore) {
                    rows.add(Row.failed(workload, library, String.valueOf(noStore.getMessage())));
                }
            }
        }
        course(workload).run(entries);
        entries.forEach(entry -> rows.add(entry.tally().row()));
        return rows;
    }

    private Course course(Workload workload) {
        return switch (workload) {
            case HELD_10000 -> new Holding(workload, options.pace(), progress);
            case RECOVERY -> new Recovering(workload, options.pace(), progress);
            default ->
                new TakingTurns(
                        workload,
                        options.pace(),
                        options.sleepy(),
                        options.ground().inside(),
                        progress);
        };
    }
}
