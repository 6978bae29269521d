package io.holdfast.torture;

import io.holdfast.Safety;
import io.holdfast.testing.redis.RedisVersion;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** What was said on the command line. */
final class Options {
    static final String USAGE = """
            usage: torture [--minutes M] [--seed N] [--mode LIST|all] [--safety available|strict|both]
                           [--redis 7.0|6.2] [--faults LIST] [--workers N] [--nodes 3|5] [--report FILE]
                           [--control | --sabotage apart|one-vote|no-guard]
                   torture --list | --help

              --minutes M     how long, 5 if not said; the last round is finished, so it may take two minutes more
              --seed N        what the faults and the work are drawn from; the time if not said
              --mode LIST     how the servers are set up: single, sentinel, cluster, quorum, jdbc, zookeeper;
                              single if not said.
                              Several, with commas, or all of them take turns
              --safety WHICH  what clients promise after a server forgot, both in turns if not said
              --redis VERSION 7.0 if not said; 6.2 has no strict
              --faults LIST   rows or names from --list, with commas; all that fit if not said; none for no faults
              --workers N     client processes, 3 if not said
              --nodes N       servers of a quorum, 3 if not said
              --report FILE   writes what came of it, as Markdown
              --control       gives each worker locks of its own: a run that must fail
              --sabotage WHAT the same with apart; with one-vote, or no-guard, a quorum that is none
              --list          shows the faults, and ends
              --help          shows this, and ends

            Exits with 0 if every promise was kept, with 1 if one was broken, with 2 if it was misused.
            The same seed gives the same faults in the same order; when they hit, the machine decides.""";

    private static final int MOST_WORKERS = 16;

    private String line = "";
    private Duration time = Duration.ofMinutes(5);
    private long seed = System.currentTimeMillis() % 1_000_000;
    private List<Mode> modes = List.of(Mode.SINGLE);
    private List<Safety> safeties = List.of(Safety.AVAILABLE, Safety.STRICT);
    private RedisVersion version = RedisVersion.V7_0;
    private List<Fault> faults = List.of(Fault.values());
    private int workers = 3;
    private @Nullable Path report;
    private int nodes = 3;
    private Sabotage sabotage = Sabotage.NONE;
    private boolean list;
    private boolean help;

    private Options() {}

    /** @throws IllegalArgumentException for what is not understood, with what would be */
    static Options parse(String... arguments) {
        Options options = new Options();
        options.line = String.join(" ", arguments);
        Deque<String> left = new ArrayDeque<>(Arrays.asList(arguments));
        while (!left.isEmpty()) {
            options.read(left.remove(), left);
        }
        boolean quorum = options.modes.contains(Mode.QUORUM);
        if (!quorum && (options.sabotage == Sabotage.ONE_VOTE || options.sabotage == Sabotage.NO_GUARD)) {
            throw new IllegalArgumentException("--sabotage " + options.sabotage + " needs --mode quorum");
        }
        if (options.version == RedisVersion.V6_2) {
            if (options.modes.equals(List.of(Mode.QUORUM))) {
                throw new IllegalArgumentException("--mode quorum needs --redis 7.0");
            }
            options.modes =
                    options.modes.stream().filter(mode -> mode != Mode.QUORUM).toList();
            if (options.safeties.equals(List.of(Safety.STRICT))) {
                throw new IllegalArgumentException("--safety strict needs --redis 7.0");
            }
            options.safeties = List.of(Safety.AVAILABLE);
        }
        return options;
    }

    private void read(String option, Deque<String> left) {
        switch (option) {
            case "--minutes" -> time = minutes(value(option, left));
            case "--seed" -> seed = number(option, value(option, left), Long.MIN_VALUE, Long.MAX_VALUE);
            case "--mode" -> modes = modes(value(option, left));
            case "--safety" -> safeties = safeties(value(option, left));
            case "--redis" -> version = version(value(option, left));
            case "--faults" -> faults = faults(value(option, left));
            case "--workers" -> workers = (int) number(option, value(option, left), 1, MOST_WORKERS);
            case "--report" -> report = Path.of(value(option, left));
            case "--nodes" -> nodes = nodes(value(option, left));
            case "--control" -> sabotage = Sabotage.APART;
            case "--sabotage" -> sabotage = sabotage(value(option, left));
            case "--list" -> list = true;
            case "--help" -> help = true;
            default -> throw new IllegalArgumentException("unknown option " + option);
        }
    }

    private static String value(String option, Deque<String> left) {
        if (left.isEmpty()) {
            throw new IllegalArgumentException(option + " needs a value");
        }
        return left.remove();
    }

    private static Duration minutes(String value) {
        try {
            double minutes = Double.parseDouble(value);
            if (minutes > 0 && minutes <= 100_000) {
                return Duration.ofMillis(Math.round(minutes * 60_000));
            }
        } catch (NumberFormatException e) {
            // As wrong as a number that makes no sense.
        }
        throw new IllegalArgumentException("--minutes is " + value + ", expected a number above 0");
    }

    private static long number(String option, String value, long least, long most) {
        try {
            long number = Long.parseLong(value);
            if (number >= least && number <= most) {
                return number;
            }
        } catch (NumberFormatException e) {
            // As wrong as a number out of range.
        }
        throw new IllegalArgumentException(option + " is " + value + ", expected a number"
                + (most == Long.MAX_VALUE ? "" : " from " + least + " to " + most));
    }

    private static List<Mode> modes(String value) {
        if (value.equals("all")) {
            return List.of(Mode.values());
        }
        return Arrays.stream(value.split(",", -1)).map(Options::mode).toList();
    }

    private static Mode mode(String word) {
        return Arrays.stream(Mode.values())
                .filter(mode -> mode.toString().equals(word.strip()))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException(
                        "--mode has " + word + ", expected single, sentinel, cluster, quorum, jdbc, zookeeper or all"));
    }

    private static int nodes(String value) {
        int nodes = (int) number("--nodes", value, 3, 9);
        if (nodes % 2 == 0) {
            throw new IllegalArgumentException("--nodes is " + value + ", expected an odd number");
        }
        return nodes;
    }

    private static Sabotage sabotage(String value) {
        return Arrays.stream(Sabotage.values())
                .filter(sabotage ->
                        sabotage != Sabotage.NONE && sabotage.toString().equals(value))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException(
                        "--sabotage is " + value + ", expected apart, one-vote or no-guard"));
    }

    private static List<Safety> safeties(String value) {
        return switch (value.toLowerCase(Locale.ROOT)) {
            case "available" -> List.of(Safety.AVAILABLE);
            case "strict" -> List.of(Safety.STRICT);
            case "both" -> List.of(Safety.AVAILABLE, Safety.STRICT);
            default ->
                throw new IllegalArgumentException("--safety is " + value + ", expected available, strict or both");
        };
    }

    private static RedisVersion version(String value) {
        return Arrays.stream(RedisVersion.values())
                .filter(version -> version.version().equals(value))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("--redis is " + value + ", expected 7.0 or 6.2"));
    }

    private static List<Fault> faults(String value) {
        List<Fault> chosen = new ArrayList<>();
        if (value.equals("none")) {
            return chosen;
        }
        for (String word : value.split(",", -1)) {
            List<Fault> called = Arrays.stream(Fault.values())
                    .filter(fault -> fault.isCalled(word.strip()))
                    .toList();
            if (called.isEmpty()) {
                throw new IllegalArgumentException("--faults has " + word + ", expected rows or names from --list");
            }
            chosen.addAll(called);
        }
        return chosen;
    }

    /** As it was said. */
    String line() {
        return line;
    }

    Duration time() {
        return time;
    }

    long seed() {
        return seed;
    }

    List<Mode> modes() {
        return modes;
    }

    List<Safety> safeties() {
        return safeties;
    }

    RedisVersion version() {
        return version;
    }

    List<Fault> faults() {
        return faults;
    }

    int workers() {
        return workers;
    }

    @Nullable
    Path report() {
        return report;
    }

    int nodes() {
        return nodes;
    }

    Sabotage sabotage() {
        return sabotage;
    }

    boolean wantsList() {
        return list;
    }

    boolean wantsHelp() {
        return help;
    }
}
