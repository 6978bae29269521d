package io.holdfast.torture;

import io.holdfast.Safety;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** The command line: one round after the other until the time is up. */
public final class Torture {
    private static final Duration ROUND = Duration.ofMinutes(2);

    /** A quorum has a lead-in, too, and faults that take long. */
    private static final Duration ROUND_OF_A_QUORUM = Duration.ofMinutes(4);

    private static final Duration PROGRESS = Duration.ofSeconds(10);
    private static final int THREADS = 6;
    private static final Path FOLDER = Path.of(System.getProperty("holdfast.torture", "target/torture"));

    private final Options options;
    private final Tally total = new Tally();
    private final List<String> rounds = new ArrayList<>();
    private final long startNanos = System.nanoTime();
    private long saidNanos = startNanos;

    private Torture(Options options) {
        this.options = options;
    }

    /**
     * Runs the command.
     *
     * @param arguments see {@link Options#USAGE}
     */
    public static void main(String[] arguments) throws IOException {
        Options options;
        try {
            options = Options.parse(arguments);
        } catch (IllegalArgumentException misuse) {
            System.err.println(misuse.getMessage());
            System.err.println(Options.USAGE);
            System.exit(2);
            return;
        }
        if (options.wantsHelp()) {
            System.out.println(Options.USAGE);
        } else if (options.wantsList()) {
            list();
        } else {
            System.exit(new Torture(options).run());
        }
    }

    private static void list() {
        for (Fault fault : Fault.values()) {
            List<String> where = new ArrayList<>();
            if (fault.happensIn(Mode.QUORUM, Safety.STRICT)) {
                where.add(Mode.QUORUM + (fault.mayBreak(Mode.QUORUM, Safety.STRICT) ? " (may break)" : ""));
            }
            for (Mode mode : List.of(Mode.SINGLE, Mode.SENTINEL, Mode.CLUSTER, Mode.JDBC, Mode.ZOOKEEPER)) {
                for (Safety safety : Safety.values()) {
                    if (fault.happensIn(mode, safety)) {
                        where.add(mode + "/" + safety.name().toLowerCase(java.util.Locale.ROOT)
                                + (fault.mayBreak(mode, safety) ? " (may break)" : ""));
                    }
                }
            }
            System.out.printf(
                    "%-4s%-18s%s%n",
                    fault.row(), fault.name().toLowerCase(java.util.Locale.ROOT).replace('_', '-'), fault.title());
            System.out.println("      " + String.join(", ", where));
        }
    }

    private int run() throws IOException {
        System.out.println("seed " + options.seed() + ", Redis " + options.version() + ", " + options.modes() + ", "
                + options.safeties());
        long endNanos = startNanos + options.time().toNanos();
        boolean goesOn = true;
        for (int number = 1;
                goesOn && System.nanoTime() - endNanos < 0 && total.violations().isEmpty();
                number++) {
            goesOn = goThrough(settings(number, Duration.ofNanos(endNanos - System.nanoTime())));
        }
        Report report = new Report(options, total, System.nanoTime() - startNanos, rounds);
        System.out.print(report.text());
        Path file = options.report();
        if (file != null) {
            Files.writeString(file, report.markdown());
        }
        return goesOn && total.violations().isEmpty() ? 0 : 1;
    }

    /** Says whether there can be another round: what the ones before have shown is told in any case. */
    private boolean goThrough(RoundSettings settings) {
        try {
            Tally tally = new Round(settings, this::progress).run();
            total.add(tally);
            String line = settings + ": operations " + tally.operations() + ", faults " + tally.faults()
                    + ", violations " + tally.violations().size() + ", documented " + tally.documented()
                    + tally.remarks().stream().map(remark -> ", " + remark).collect(Collectors.joining());
            rounds.add(line);
            System.out.println(
                    line + (tally.violations().isEmpty() ? "" : "; what the workers saw is in " + settings.folder()));
            return true;
        } catch (RuntimeException e) {
            System.err.println("the run could not go on, seed " + options.seed());
            e.printStackTrace();
            rounds.add(settings + ": could not go on, and counts for nothing: "
                    + String.valueOf(e.getMessage()).lines().findFirst().orElse(""));
            return false;
        }
    }

    private RoundSettings settings(int number, Duration left) {
        int turn = number - 1;
        int inRow = turn % options.modes().size();
        int row = turn / options.modes().size();
        Mode mode = options.modes().get(inRow);
        Duration longest = mode == Mode.QUORUM ? ROUND_OF_A_QUORUM : ROUND;
        Duration time = left.compareTo(longest) < 0 ? left : longest;
        Safety safety =
                options.safeties().get((row + inRow) % options.safeties().size());
        return new RoundSettings(
                number,
                mode,
                options.nodes(),
                safety,
                options.version(),
                Rng.of(options.seed(), number).between(0, Long.MAX_VALUE - 1),
                options.faults(),
                time,
                options.workers(),
                THREADS,
                options.sabotage(),
                FOLDER.resolve("seed-" + options.seed() + "-round-" + number));
    }

    private void progress(long operations, long faults) {
        long nowNanos = System.nanoTime();
        if (nowNanos - saidNanos >= PROGRESS.toNanos()) {
            saidNanos = nowNanos;
            System.out.println(Text.seconds(nowNanos - startNanos) + ": operations "
                    + (total.operations() + operations) + ", faults " + (total.faults() + faults) + ", violations "
                    + total.violations().size());
        }
    }
}
