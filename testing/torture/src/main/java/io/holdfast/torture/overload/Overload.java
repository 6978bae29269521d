package io.holdfast.torture.overload;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;

/** {@code bin/overload}: from one caller to ten thousand, on servers that are near and far. */
public final class Overload {
    private static final String HELP = """
            bin/overload [--stores single,cluster,quorum] [--distances 0,1,20] [--callers 1,16,256,3000,10000] [--keys own,one,none]
                         [--kind threads|virtual|async] [--seconds 5] [--held 100] [--minutes 10] [--out FILE]

            Measures cycles (lock and unlock) per second while leases of 30 s are held, on real Redis servers that are so many milliseconds
            away. --minutes stays with each combination for so long. Fails if a lease was lost or a caller heard of an outage.
            --keys none is the control: two empty calls to the server, no lock.
            virtual and async want a Java that has virtual threads: JAVA=/path/to/java bin/overload --kind virtual
            """;

    private static final long LEAST_SETTLING = 3_000_000_000L;
    private static final long MOST_SETTLING = 30_000_000_000L;

    private record Row(
            String store,
            int distance,
            String keys,
            int callers,
            double perSecond,
            double share,
            double commands,
            long lost,
            long failures) {}

    private final Map<String, String> options = new LinkedHashMap<>(Map.of(
            "stores", "single,cluster,quorum",
            "distances", "0,1,20",
            "callers", "1,16,256,3000,10000",
            "keys", "own,one,none",
            "kind", "threads",
            "seconds", "5",
            "held", "100",
            "minutes", "0",
            "out", ""));
    private final List<Row> rows = new ArrayList<>();

    private Overload(String[] arguments) {
        for (int i = 0; i + 1 < arguments.length; i += 2) {
            String name = arguments[i].replaceFirst("^--", "");
            if (options.replace(name, arguments[i + 1]) == null) {
                throw new IllegalArgumentException("there is no option " + arguments[i] + "; see bin/overload --help");
            }
        }
    }

    /**
     * Measures and reports.
     *
     * @param arguments see the help
     */
    public static void main(String[] arguments) throws Exception {
        if (arguments.length == 1) {
            System.out.print(HELP);
            return;
        }
        Overload overload = new Overload(arguments);
        overload.run();
        overload.report();
        boolean clean = overload.rows.stream().allMatch(row -> row.lost == 0 && row.failures == 0);
        System.exit(clean ? 0 : 1);
    }

    private String option(String name) {
        return Objects.requireNonNull(options.get(name), name);
    }

    private List<String> list(String option) {
        return Arrays.asList(option(option).split(",", -1));
    }

    private int number(String option) {
        return Integer.parseInt(option(option));
    }

    private void run() throws Exception {
        for (String store : list("stores")) {
            for (String distance : list("distances")) {
                try (Ground ground = new Ground(store, Duration.ofMillis(Integer.parseInt(distance)));
                        Crowd.Held held = new Crowd.Held(ground.client(), number("held"))) {
                    for (String keys : list("keys")) {
                        double best = 0;
                        for (String callers : list("callers")) {
                            Row row = measure(
                                    ground,
                                    held,
                                    store,
                                    Integer.parseInt(distance),
                                    keys,
                                    Integer.parseInt(callers),
                                    best);
                            best = Math.max(best, row.perSecond);
                            rows.add(row);
                            System.out.println(line(row));
                        }
                    }
                }
            }
        }
    }

    private Row measure(
            Ground ground, Crowd.Held held, String store, int distance, String keys, int callers, double best)
            throws Exception {
        BareServer bare = keys.equals("none") ? ground.bare() : null;
        Crowd crowd =
                new Crowd(ground.client(), option("kind"), callers, i -> keys.equals("one") ? "one" : "own-" + i, bare);
        crowd.start();
        crowd.awaitBegun();
        settle(crowd, callers);
        long lostBefore = held.lost();
        long cycles = crowd.cycles();
        long commands = ground.commands();
        long began = System.nanoTime();
        Thread.sleep(Math.max(number("seconds") * 1_000L, number("minutes") * 60_000L));
        double made = Math.max(1, crowd.cycles() - cycles);
        double sent = bare == null ? ground.commands() - commands : 2 * made;
        double seconds = (System.nanoTime() - began) / 1e9;
        crowd.end();
        if (!crowd.failure().isEmpty()) {
            System.out.println("  " + crowd.failure());
        }
        double perSecond = made / seconds;
        return new Row(
                store,
                distance,
                keys,
                callers,
                perSecond,
                perSecond / Math.max(best, perSecond),
                sent / made,
                held.lost() - lostBefore,
                crowd.failures());
    }

    /**
     * Lets everybody have a few turns, and the compiler do its work: the first turns of ten thousand threads measure
     * their start.
     */
    private static void settle(Crowd crowd, int callers) throws InterruptedException {
        long began = System.nanoTime();
        long passed = 0;
        while (passed < LEAST_SETTLING || (passed < MOST_SETTLING && crowd.cycles() < 3L * callers)) {
            Thread.sleep(100);
            passed = System.nanoTime() - began;
        }
    }

    private static String line(Row row) {
        return String.format(
                Locale.ROOT,
                "| %s | %d ms | %s | %,d | %,.0f | %.0f %% | %.2f | %d | %d |",
                row.store,
                row.distance,
                row.keys,
                row.callers,
                row.perSecond,
                100 * row.share,
                row.commands,
                row.lost,
                row.failures);
    }

    private void report() throws IOException {
        if (option("out").isEmpty()) {
            return;
        }
        StringBuilder text = new StringBuilder(Files.readString(Path.of(option("out"))));
        text.append(String.format(
                Locale.ROOT,
                "%n## %s, Java %s, %s%n%n| store | away | keys | callers | cycles/s | of the best with fewer | commands per cycle | leases lost | failures |%n|---|---|---|---|---|---|---|---|---|%n",
                option("kind"),
                Runtime.version().feature(),
                number("minutes") > 0 ? number("minutes") + " minutes each" : number("seconds") + " s each"));
        rows.forEach(row -> text.append(line(row)).append('\n'));
        Files.writeString(Path.of(option("out")), text);
    }
}
