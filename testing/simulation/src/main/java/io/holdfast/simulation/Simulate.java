package io.holdfast.simulation;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The command line: runs any number of seeds, or one with its trace. Exits with 1 if a rule was broken, with 2 if it
 * was misused.
 */
public final class Simulate {
    private static final String USAGE = """
            usage: simulate [--seeds N] [--from SEED] [--profile NAME] [--jobs N]
                   simulate --seed S [--profile NAME] [--trace]

              --seeds N       how many seeds of each profile, 1000 if not said
              --from SEED     the first seed, 1 if not said
              --profile NAME  calm, lossy, pauses, restarts, everything, storm, views or sharing; all if not said
              --jobs N        how many threads, 1 if not said
              --seed S        one seed only, and what came of it
              --trace         with --seed: everything that happened

            The same seed and profile give the same run, on every machine.""";
    private static final int SHOWN = 10;
    private static final long PROGRESS_NANOS = 1_000_000_000;

    private long seeds = 1_000;
    private long from = 1;
    private int jobs = 1;
    private List<Profile> profiles = Arrays.asList(Profile.values());
    private boolean single;
    private boolean traced;
    private boolean asked;

    private Simulate() {}

    /**
     * Runs the command.
     *
     * @param arguments see the usage
     */
    public static void main(String[] arguments) {
        Campaign.hush();
        Simulate command = new Simulate();
        int exit;
        try {
            command.read(new ArrayDeque<>(Arrays.asList(arguments)));
            exit = command.run();
        } catch (IllegalArgumentException misuse) {
            System.err.println(misuse.getMessage());
            System.err.println(USAGE);
            exit = 2;
        }
        System.exit(exit);
    }

    private void read(Deque<String> arguments) {
        while (!arguments.isEmpty()) {
            String option = arguments.remove();
            switch (option) {
                case "--seeds" -> seeds = number(option, arguments);
                case "--from" -> from = number(option, arguments);
                case "--jobs" -> jobs = (int) Math.max(1, number(option, arguments));
                case "--profile" -> profiles = List.of(profile(value(option, arguments)));
                case "--seed" -> {
                    from = number(option, arguments);
                    single = true;
                }
                case "--trace" -> traced = true;
                case "--help" -> asked = true;
                default -> throw new IllegalArgumentException("unknown option " + option);
            }
        }
        if (traced && !single) {
            throw new IllegalArgumentException("--trace needs --seed");
        }
    }

    private static String value(String option, Deque<String> arguments) {
        if (arguments.isEmpty()) {
            throw new IllegalArgumentException(option + " needs a value");
        }
        return arguments.remove();
    }

    private static long number(String option, Deque<String> arguments) {
        String value = value(option, arguments);
        try {
            return Long.parseLong(value);
        } catch (NumberFormatException notANumber) {
            throw new IllegalArgumentException(option + " is " + value + ", expected a number", notANumber);
        }
    }

    private static Profile profile(String name) {
        return Arrays.stream(Profile.values())
                .filter(each -> each.name().equalsIgnoreCase(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("there is no profile " + name));
    }

    private int run() {
        if (asked) {
            System.out.println(USAGE);
            return 0;
        }
        return single ? runOne() : runMany();
    }

    private int runOne() {
        boolean good = true;
        for (Profile profile : profiles) {
            Outcome outcome = Simulation.run(from, profile, traced);
            System.out.print(outcome.trace());
            System.out.println(outcome.report());
            System.out.println(outcome.stats());
            good &= outcome.violation() == null;
        }
        return good ? 0 : 1;
    }

    private int runMany() {
        Stats total = new Stats();
        List<Outcome> bad = new ArrayList<>();
        long startNanos = System.nanoTime();
        for (Profile profile : profiles) {
            Campaign campaign = new Campaign(profile);
            runInParallel(campaign);
            total.add(campaign.total());
            bad.addAll(campaign.bad());
        }
        double seconds = (System.nanoTime() - startNanos) / 1e9;
        long runs = seeds * profiles.size();
        System.err.print("\r" + " ".repeat(70) + "\r");
        System.out.println(String.format(
                Locale.ROOT, "%d runs in %.1f s (%.0f per second)", runs, seconds, runs / Math.max(0.001, seconds)));
        System.out.println(total);
        report(bad);
        return bad.isEmpty() ? 0 : 1;
    }

    private void runInParallel(Campaign campaign) {
        AtomicLong shownNanos = new AtomicLong(System.nanoTime());
        List<Thread> threads = new ArrayList<>();
        for (int job = 0; job < jobs; job++) {
            long first = from + seeds * job / jobs;
            long end = from + seeds * (job + 1) / jobs;
            Thread thread = new Thread(() -> campaign.run(first, end, seed -> progress(campaign, shownNanos)));
            threads.add(thread);
            thread.start();
        }
        for (Thread thread : threads) {
            try {
                thread.join();
            } catch (InterruptedException stop) {
                Thread.currentThread().interrupt();
                throw new IllegalStateException("interrupted", stop);
            }
        }
    }

    private void progress(Campaign campaign, AtomicLong shownNanos) {
        long shown = shownNanos.get();
        long nowNanos = System.nanoTime();
        if (nowNanos - shown > PROGRESS_NANOS && shownNanos.compareAndSet(shown, nowNanos)) {
            System.err.print("\r" + campaign.profile() + ": " + campaign.seeds() + " of " + seeds + " seeds, "
                    + campaign.bad().size() + " violations   ");
        }
    }

    private static void report(List<Outcome> bad) {
        Map<Rule, Long> byRule = new EnumMap<>(Rule.class);
        for (Outcome outcome : bad) {
            Violation violation = outcome.violation();
            if (violation != null) {
                byRule.merge(violation.rule(), 1L, Long::sum);
            }
        }
        System.out.println("violations " + bad.size() + " " + byRule);
        bad.stream().limit(SHOWN).forEach(outcome -> System.out.println(outcome.report()));
        if (!bad.isEmpty()) {
            Outcome first = bad.get(0);
            Outcome again = Simulation.run(first.seed(), first.profile(), true);
            System.out.println();
            System.out.print(again.trace());
            System.out.println(again.report());
            System.out.println("again: bin/simulate --seed " + first.seed() + " --profile "
                    + first.profile().name().toLowerCase(Locale.ROOT) + " --trace");
        }
    }
}
