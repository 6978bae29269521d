package io.holdfast.benchmarks;

import io.holdfast.benchmarks.ContendedBenchmark.Sort;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

/**
 * Runs a short set of the benchmarks on the store in memory and holds the results against their targets. Ends with
 * status 1 when one is missed. With {@code --quick} it measures less and less long.
 *
 * <p>Targets are ratios to a local lock, bytes and counts, never plain times: those would say more about the machine. A
 * ratio is one of processor times, taken inside one round in which everything runs once, and the median of the rounds
 * counts; a neighbour that disturbs one round does not decide.
 */
public final class MemoryReport {
    private static final int LEASES = 100_000;

    private static final double MOST_PAIR_RATIO = 15;
    private static final double PAIR_GRACE_NANOS = 1_000;
    private static final double MOST_PAIR_BYTES = 600;
    private static final double MOST_REENTRY_RATIO = 3;
    private static final double MOST_LEASE_BYTES = 1_024;

    /** One timer and four renewers. */
    private static final double MOST_THREADS = 5;

    private static final double MOST_P50_RATIO = 3;
    private static final double MOST_P99_RATIO = 10;

    private final boolean quick;
    private final List<String> missed = new ArrayList<>();

    private MemoryReport(boolean quick) {
        this.quick = quick;
    }

    /** What one round measured of one benchmark: processor time and memory for each operation. */
    private record Score(double nanos, double bytes) {}

    /**
     * Measures and prints.
     *
     * @param args nothing, or {@code --quick}
     * @throws Exception if a benchmark failed
     */
    public static void main(String[] args) throws Exception {
        boolean quick = List.of(args).equals(List.of("--quick"));
        if (!quick && args.length > 0) {
            System.err.println("expected nothing or --quick, got " + String.join(" ", args));
            System.exit(2);
        }
        MemoryReport report = new MemoryReport(quick);
        report.run();
        if (!report.missed.isEmpty()) {
            System.out.println("\nmissed: " + String.join(", ", report.missed));
            System.exit(1);
        }
    }

    private void run() throws RunnerException, InterruptedException {
        print("%-34s %14s   %-26s%n", "what", "measured", "target");
        held();
        uncontended();
        if (!quick) {
            contended();
        }
    }

    private void held() throws InterruptedException {
        HeldLeases.Seen seen = HeldLeases.measure(LEASES, Duration.ofSeconds(quick ? 6 : 20));
        print("%n%,d leases held by one client%n", LEASES);
        row("memory of a lease", seen.bytesPerLease(), "B", MOST_LEASE_BYTES);
        note("  the store's part of it", seen.storeBytesPerLease(), "B");
        row("threads", seen.threads(), "", MOST_THREADS);
        note("rounds of renewals", seen.rounds(), "");
        note("renewals in each", (double) seen.renewed() / Math.max(1, seen.rounds()), "");
        row("leases lost", seen.lost(), "", 0);
        row("leases left after close", seen.left(), "", 0);
        Latencies during = seen.duringRounds();
        Latencies between = seen.betweenRounds();
        row(
                "acquire + close in a round, p50",
                ratio(during, between, each -> each.quantileNanos(0.5)),
                "×",
                MOST_P50_RATIO);
        row(
                "acquire + close in a round, p99",
                ratio(during, between, each -> each.quantileNanos(0.99)),
                "×",
                MOST_P99_RATIO);
        note("acquire + close in a round, max", ratio(during, between, Latencies::longestNanos), "×");
        note("  between rounds, p50", between.quantileNanos(0.5) / 1e3, "µs");
        note("  between rounds, p99", between.quantileNanos(0.99) / 1e3, "µs");
        note("  between rounds, max", between.longestNanos() / 1e3, "µs");
    }

    private static double ratio(Latencies one, Latencies other, ToDoubleFunction<Latencies> what) {
        return what.applyAsDouble(one) / what.applyAsDouble(other);
    }

    private void uncontended() throws RunnerException {
        List<Map<String, Score>> rounds = new ArrayList<>();
        for (int i = 0; i < (quick ? 1 : 3); i++) {
            Map<String, Score> round = new HashMap<>();
            ChainedOptionsBuilder options = options(UncontendedBenchmark.class).addProfiler(GCProfiler.class);
            for (RunResult result : new Runner(options.build()).run()) {
                Result<?> primary = result.getPrimaryResult();
                double share = secondary(result, "cpuNanos") / secondary(result, "wallNanos");
                double bytes = secondary(result, "gc.alloc.rate.norm");
                round.put(primary.getLabel(), new Score(primary.getScore() * share, bytes));
            }
            rounds.add(round);
        }
        print("%nnobody else wants the lock; processor time%n");
        note("ReentrantLock, a pair", nanos(rounds, "reentrantLock"), "ns");
        note("acquire + close", nanos(rounds, "lease"), "ns");
        row("  of the budget (15 pairs + 1 µs)", budgetPart(rounds), "×", 1);
        row("  allocated", median(rounds, round -> score(round, "lease").bytes()), "B", MOST_PAIR_BYTES);
        note("open + acquire + close", nanos(rounds, "openedLease"), "ns");
        note("lock + unlock", nanos(rounds, "lockView"), "ns");
        note("ReentrantLock, re-entry", nanos(rounds, "reentrantLockReentry"), "ns");
        note("re-entry", nanos(rounds, "reentry"), "ns");
        row("  of ReentrantLock's", reentryRatio(rounds), "×", MOST_REENTRY_RATIO);
    }

    private static double secondary(RunResult result, String name) {
        return Objects.requireNonNull(result.getSecondaryResults().get(name), name)
                .getScore();
    }

    private static double budgetPart(List<Map<String, Score>> rounds) {
        return median(
                rounds,
                round -> score(round, "lease").nanos()
                        / (MOST_PAIR_RATIO * score(round, "reentrantLock").nanos() + PAIR_GRACE_NANOS));
    }

    private static double reentryRatio(List<Map<String, Score>> rounds) {
        return median(
                rounds,
                round -> score(round, "reentry").nanos()
                        / score(round, "reentrantLockReentry").nanos());
    }

    private static double nanos(List<Map<String, Score>> rounds, String benchmark) {
        return median(rounds, round -> score(round, benchmark).nanos());
    }

    private static Score score(Map<String, Score> round, String benchmark) {
        Score score = round.get(benchmark);
        if (score == null) {
            throw new IllegalStateException("no result for " + benchmark + " among " + round.keySet());
        }
        return score;
    }

    private static double median(List<Map<String, Score>> rounds, ToDoubleFunction<Map<String, Score>> value) {
        double[] sorted = rounds.stream().mapToDouble(value).sorted().toArray();
        return sorted[sorted.length / 2];
    }

    private void contended() throws RunnerException {
        print("%npairs in a millisecond, all threads on one name%n");
        for (int threads : new int[] {2, 16}) {
            for (RunResult result : new Runner(
                            options(ContendedBenchmark.class).threads(threads).build())
                    .run()) {
                Sort sort = Sort.valueOf(result.getParams().getParam("sort"));
                note(
                        sort + ", " + threads + " threads",
                        result.getPrimaryResult().getScore(),
                        "");
            }
        }
    }

    /**
     * Compiling in the foreground takes as many calls on a busy machine as on an idle one, and memory that was touched
     * before costs nobody a page fault.
     */
    private ChainedOptionsBuilder options(Class<?> benchmark) {
        TimeValue iteration = TimeValue.milliseconds(quick ? 400 : 700);
        return new OptionsBuilder()
                .include(benchmark.getSimpleName())
                .forks(1)
                .jvmArgsAppend("-Xbatch", "-Xms512m", "-Xmx512m", "-XX:+AlwaysPreTouch")
                .warmupIterations(4)
                .warmupTime(iteration)
                .measurementIterations(3)
                .measurementTime(iteration)
                .shouldFailOnError(true)
                .verbosity(VerboseMode.SILENT);
    }

    /** A line with a target: the value may be as great as {@code most}, but not greater. */
    private void row(String what, Number value, String unit, double most) {
        boolean met = value.doubleValue() <= most;
        print(
                "%-34s %14s   at most %-10s %s%n",
                what, with(value.doubleValue(), unit), with(most, unit), met ? "ok" : "MISSED");
        if (!met) {
            missed.add(what);
        }
    }

    /** A line without a target, for orientation. */
    private static void note(String what, Number value, String unit) {
        print("%-34s %14s%n", what, with(value.doubleValue(), unit));
    }

    private static String with(double value, String unit) {
        boolean whole = value == Math.rint(value) || value >= 100;
        String number = String.format(Locale.ROOT, whole ? "%,.0f" : "%,.2f", value);
        return Stream.of(number, unit)
                .filter(part -> !part.isEmpty())
                .reduce((a, b) -> a + " " + b)
                .orElseThrow();
    }

    private static void print(String format, Object... values) {
        System.out.printf(Locale.ROOT, format, values);
    }
}
