package io.holdfast.spec;

import io.holdfast.spec.guard.Search;
import io.holdfast.spec.guard.Variant;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Locale;

/**
 * The command line: checks all configurations, or some. Exits with 1 if a safe one broke an invariant or an unsafe one
 * did not, with 2 if it was misused.
 */
public final class CheckSpec {
    private static final String USAGE = """
            usage: check-spec [--workers N] [--trace] [NAME…]

              NAME         only configurations of docs/spec and variants of the guard with NAME in their name
              --workers N  how many threads, as many as there are processors if not said; 1 finds the shortest counterexample
              --trace      how an invariant is broken, state by state""";

    private static final double NANOS_PER_SECOND = 1e9;

    private final Path folder = Path.of("docs", "spec");
    private final Deque<String> names = new ArrayDeque<>();
    private int workers = Runtime.getRuntime().availableProcessors();
    private boolean traced;
    private boolean asked;

    private CheckSpec() {}

    /**
     * Runs the command.
     *
     * @param arguments see the usage
     * @throws IOException if a file cannot be read
     * @throws InterruptedException never by itself
     */
    public static void main(String[] arguments) throws IOException, InterruptedException {
        CheckSpec command = new CheckSpec();
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
            String argument = arguments.remove();
            switch (argument) {
                case "--workers" -> workers = workers(arguments);
                case "--trace" -> traced = true;
                case "--help" -> asked = true;
                default -> names.add(name(argument));
            }
        }
    }

    private static int workers(Deque<String> arguments) {
        String value = arguments.isEmpty() ? "nothing" : arguments.remove();
        if (!value.matches("[1-9]\\d{0,2}")) {
            throw new IllegalArgumentException("--workers wants a number from 1 to 999, not " + value);
        }
        return Integer.parseInt(value);
    }

    private static String name(String argument) {
        if (argument.startsWith("-")) {
            throw new IllegalArgumentException("unknown option " + argument);
        }
        return argument;
    }

    private int run() throws IOException, InterruptedException {
        if (asked) {
            System.out.println(USAGE);
            return 0;
        }
        List<Configuration> chosen = Configuration.in(folder).stream()
                .filter(configuration -> chosen(configuration.name()))
                .toList();
        List<Variant> variants =
                Variant.ALL.stream().filter(variant -> chosen(variant.name())).toList();
        if (chosen.isEmpty() && variants.isEmpty()) {
            throw new IllegalArgumentException(
                    "neither a configuration in " + folder + " nor a variant of the guard has such a name: " + names);
        }
        System.out.printf(
                Locale.ROOT,
                "%-26s %12s %12s %8s  %s%n",
                "configuration",
                "distinct",
                "generated",
                "seconds",
                "verdict");
        int wrong = 0;
        for (Configuration configuration : chosen) {
            Outcome outcome = new Tlc(workers).check(configuration);
            wrong += report(configuration, outcome) ? 0 : 1;
        }
        for (Variant variant : variants) {
            wrong += report(variant) ? 0 : 1;
        }
        System.out.println(wrong == 0 ? "all as expected" : wrong + " not as expected");
        return wrong == 0 ? 0 : 1;
    }

    private boolean chosen(String name) {
        return names.isEmpty() || names.stream().anyMatch(name::contains);
    }

    private boolean report(Variant variant) {
        long startNanos = System.nanoTime();
        Search.Result result = variant.check();
        boolean right = result.safe() == variant.safe();
        String verdict = result.safe()
                ? "safe, complete"
                : "two hold after " + result.steps().size() + " steps" + (right ? ", as it must" : "");
        line(
                variant.name(),
                result.distinct(),
                result.generated(),
                (System.nanoTime() - startNanos) / NANOS_PER_SECOND,
                right ? verdict : "NOT AS EXPECTED: " + verdict);
        if (!result.safe() && (!right || traced)) {
            result.steps().forEach(step -> System.out.println("    " + step));
        }
        return right;
    }

    private static void line(String name, long distinct, long generated, double seconds, String verdict) {
        System.out.printf(Locale.ROOT, "%-26s %12d %12d %8.1f  %s%n", name, distinct, generated, seconds, verdict);
    }

    private boolean report(Configuration configuration, Outcome outcome) {
        boolean right = outcome.verdict().equals(configuration.expected());
        line(
                configuration.name(),
                outcome.distinct(),
                outcome.generated(),
                outcome.seconds(),
                verdict(configuration, outcome, right));
        if (!right || (traced && !configuration.safe())) {
            System.out.println(outcome.output());
        }
        return right;
    }

    private static String verdict(Configuration configuration, Outcome outcome, boolean right) {
        if (!right) {
            return "NOT AS EXPECTED: " + outcome.verdict() + " instead of " + configuration.expected();
        }
        return configuration.safe()
                ? "safe, complete"
                : "breaks " + outcome.verdict() + " after " + outcome.steps().size() + " steps, as it must";
    }
}
