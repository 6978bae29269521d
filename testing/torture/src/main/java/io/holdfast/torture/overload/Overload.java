package io.holdfast.torture.overload;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** {@code bin/overload}: from one caller to ten thousand, on servers that are near and far. */
public final class Overload {
    private static final String HELP = """
            bin/overload [--stores single,cluster,quorum] [--distances 0,1,20] [--callers 1,16,256,3000,10000] [--keys own,one,none]
                         [--kind threads|virtual|async] [--seconds 5] [--held 100] [--lease 30] [--minutes 10]
                         [--under nice,-n,10] [--out FILE]

            Measures cycles (lock and unlock) per second while leases are held, of 30 s or as --lease says, on real Redis servers that are so
            many milliseconds away. --minutes stays with each combination for so long. Fails if a lease was lost or a caller heard of an outage.
            --keys none is the control: two empty calls to the server, no lock.
            The client and its callers are a process of their own, started by the command that --under says; servers and the way to them are not.
            virtual and async want a Java that has virtual threads: JAVA=/path/to/java bin/overload --kind virtual
            """;

    /** G1 answers ten thousand stacks with a tiny young space, and then does nothing but collect. */
    private static final List<String> FLAGS = List.of("-Xmx2g", "-Xmn1g", "-XX:+UseParallelGC");

    private static final String HEAD =
            "| store | away | keys | callers | cycles/s | of the best with fewer | commands per cycle | leases lost |"
                    + " failures | shortest lease | latest thread | latest ping |";

    private record Row(
            String store,
            String distance,
            String keys,
            int callers,
            double perSecond,
            double share,
            double commands,
            long lost,
            long failures,
            double shortestSeconds,
            double latestSeconds,
            double latestPingSeconds) {}

    private final OverloadOptions options;
    private final List<Row> rows = new ArrayList<>();

    private Overload(OverloadOptions options) {
        this.options = options;
    }

    /**
     * Measures and reports.
     *
     * @param arguments see the help
     */
    public static void main(String[] arguments) throws Exception {
        if (List.of("--help", "-h").contains(arguments.length == 0 ? "" : arguments[0])) {
            System.out.print(HELP);
            return;
        }
        Overload overload;
        try {
            overload = new Overload(new OverloadOptions(arguments));
        } catch (IllegalArgumentException mistake) {
            System.err.println(mistake.getMessage());
            System.exit(2);
            return;
        }
        overload.run();
        overload.report();
        boolean clean = overload.rows.stream().allMatch(row -> row.lost == 0 && row.failures == 0);
        System.exit(clean ? 0 : 1);
    }

    private void run() throws Exception {
        System.out.println(HEAD);
        for (String store : options.list("stores")) {
            for (String distance : options.list("distances")) {
                try (Ground ground = new Ground(store, Duration.ofMillis(Integer.parseInt(distance)))) {
                    run(ground, store, distance);
                }
            }
        }
    }

    private void run(Ground ground, String store, String distance) throws Exception {
        Process loaded = new ProcessBuilder(command(ground, store, distance))
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        try (BufferedReader out = loaded.inputReader()) {
            List<String> named = List.of();
            long commands = 0;
            for (String line = out.readLine(); line != null; line = out.readLine()) {
                List<String> words = Arrays.asList(line.split(" ", -1));
                if (line.startsWith(LoadedProcess.BEGIN)) {
                    named = words;
                    commands = ground.commands();
                    ground.pings().reset();
                } else if (line.equals(LoadedProcess.END)) {
                    commands = ground.commands() - commands;
                } else if (line.startsWith(LoadedProcess.FIGURES)) {
                    Row row = row(store, distance, named, words, commands, ground.pings());
                    rows.add(row);
                    System.out.println(line(row));
                } else {
                    System.out.println(line);
                }
            }
            if (loaded.waitFor() != 0) {
                throw new IllegalStateException("the loaded process ended with " + loaded.exitValue());
            }
        } finally {
            loaded.destroyForcibly();
        }
    }

    private List<String> command(Ground ground, String store, String distance) {
        List<String> command = new ArrayList<>(options.list("under"));
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(FLAGS);
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), LoadedProcess.class.getName()));
        long millis = Math.max(options.number("seconds") * 1_000L, options.number("minutes") * 60_000L);
        command.addAll(
                List.of(store, distance, options.option("kind"), options.option("held"), options.option("lease")));
        command.addAll(List.of(String.valueOf(millis), options.option("keys"), options.option("callers")));
        command.addAll(List.of(String.valueOf(ground.port()), ground.address()));
        return command;
    }

    private Row row(String store, String distance, List<String> named, List<String> figures, long sent, Pings pings) {
        String keys = named.get(1);
        double made = Math.max(1, Double.parseDouble(figures.get(1)));
        double perSecond = made / Double.parseDouble(figures.get(2));
        double best = rows.stream()
                .filter(row -> row.store.equals(store) && row.distance.equals(distance) && row.keys.equals(keys))
                .mapToDouble(Row::perSecond)
                .max()
                .orElse(0);
        return new Row(
                store,
                distance,
                keys,
                Integer.parseInt(named.get(2)),
                perSecond,
                perSecond / Math.max(best, perSecond),
                keys.equals("none") ? 2 : (double) sent / made,
                Long.parseLong(figures.get(3)),
                Long.parseLong(figures.get(4)),
                Long.parseLong(figures.get(5)) / 1e3,
                Long.parseLong(figures.get(6)) / 1e3,
                pings.latestMillis() / 1e3);
    }

    private static String line(Row row) {
        return String.format(
                Locale.ROOT,
                "| %s | %s ms | %s | %,d | %,.0f | %.0f %% | %.2f | %d | %d | %.1f s | %.1f s | %.1f s |",
                row.store,
                row.distance,
                row.keys,
                row.callers,
                row.perSecond,
                100 * row.share,
                row.commands,
                row.lost,
                row.failures,
                row.shortestSeconds,
                row.latestSeconds,
                row.latestPingSeconds);
    }

    private void report() throws IOException {
        if (options.out().isEmpty()) {
            return;
        }
        StringBuilder text = new StringBuilder();
        text.append(String.format(
                Locale.ROOT,
                "%n## %s, Java %s, %s%n%n%s%n%s%n",
                options.option("kind"),
                Runtime.version().feature(),
                options.number("minutes") > 0
                        ? options.number("minutes") + " minutes each"
                        : options.number("seconds") + " s each",
                HEAD,
                HEAD.replaceAll("[^|]+", "---")));
        rows.forEach(row -> text.append(line(row)).append('\n'));
        Files.writeString(options.out().orElseThrow(), text, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    }
}
