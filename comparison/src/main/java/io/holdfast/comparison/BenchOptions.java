package io.holdfast.comparison;

import io.holdfast.testing.redis.RedisVersion;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** What the command line asks for. */
record BenchOptions(
        boolean help,
        Pace pace,
        Set<Workload> workloads,
        Set<Library> libraries,
        RedisVersion redis,
        Databases database,
        boolean sleepy,
        @Nullable Path baseline,
        @Nullable Path json,
        @Nullable Path markdown,
        @Nullable Path charts,
        Ground ground,
        boolean valkey) {

    static final String HELP = """
            bin/bench [options]

              --quick           check that everything runs, with one short round each; its figures compare nobody
              --workload NAMES  only these workloads, with commas between them
              --peers NAMES     only these libraries, with commas between them
              --baseline DIR    compare with another build of Holdfast and nobody else: the folder of a checkout that was built
              --sleepy          let the cores sleep where one or two threads work; see docs/decisions/0019
              --redis VERSION   which of the bundled servers: 6.2 (default) or 7.0; or valkey, of Debian's packages
              --inside TIME     stay inside for so long, such as 1ms, while it is measured; a longer stay than 100us sleeps
              --delay TIME      put so much between the libraries and their servers, there and back, such as 0.5ms
              --tls             speak TLS, to a proxy beside the server; the same proxy for all
              --pin             clients on one core, the server on another; needs taskset
              --virtual         virtual threads; needs a Java 21 or later: JAVA=/path/to/bin/java bin/bench --virtual
              --database NAME   compare locks in a database: postgresql, mariadb or h2; before --peers, if that is given too
              --zookeeper       compare locks on ZooKeeper; before --peers, if that is given too
              --json FILE       write the rows as a JSON array
              --markdown FILE   write the tables as Markdown
              --charts DIR      write a chart for each workload as SVG
              --help            print this

            workloads: %s
            libraries: %s

            Ends with status 1 when exclusion was violated by anybody or Holdfast failed, with 2 when an option is wrong.
            """.formatted(String.join(", ", Workload.labels()), String.join(", ", Library.labels()));

    static BenchOptions parse(String... args) {
        boolean help = false;
        Pace pace = Pace.FULL;
        Set<Workload> workloads = EnumSet.allOf(Workload.class);
        Set<Library> libraries = Library.onRedis();
        RedisVersion redis = RedisVersion.V6_2;
        Databases database = Databases.POSTGRESQL;
        boolean sleepy = false;
        boolean pinned = false;
        boolean valkey = false;
        boolean tls = false;
        boolean virtual = false;
        Duration inside = Duration.ZERO;
        Duration delay = Duration.ZERO;
        Path baseline = null;
        Path json = null;
        Path markdown = null;
        Path charts = null;
        for (Iterator<String> rest = List.of(args).iterator(); rest.hasNext(); ) {
            String option = rest.next();
            switch (option) {
                case "--help", "-h" -> help = true;
                case "--quick" -> pace = Pace.QUICK;
                case "--workload", "--workloads" ->
                    workloads = EnumSet.copyOf(
                            named("workload", value(option, rest), Workload::labelled, Workload.labels()));
                case "--peers", "--libraries" ->
                    libraries =
                            EnumSet.copyOf(named("library", value(option, rest), Library::labelled, Library.labels()));
                case "--sleepy" -> sleepy = true;
                case "--pin" -> pinned = true;
                case "--tls" -> tls = true;
                case "--virtual" -> virtual = true;
                case "--inside" -> inside = Ground.time(option, value(option, rest));
                case "--delay" -> delay = Ground.time(option, value(option, rest));
                case "--redis" -> {
                    String wanted = value(option, rest);
                    valkey = wanted.equals("valkey");
                    redis = valkey ? RedisVersion.V7_0 : version(wanted); // whose place it takes
                }
                case "--database" -> {
                    database = Databases.labelled(value(option, rest));
                    libraries = Library.onDatabase();
                    pace = pace.onDisk();
                }
                case "--zookeeper" -> {
                    libraries = Library.onZooKeeper();
                    pace = pace.onDisk();
                }
                case "--baseline" -> baseline = Path.of(value(option, rest));
                case "--json" -> json = Path.of(value(option, rest));
                case "--markdown" -> markdown = Path.of(value(option, rest));
                case "--charts" -> charts = Path.of(value(option, rest));
                default ->
                    throw new IllegalArgumentException(
                            "unknown option '" + option + "'; bin/bench --help lists the known ones");
            }
        }
        if (baseline != null && (json != null || markdown != null || charts != null)) {
            throw new IllegalArgumentException("--baseline prints its table as Markdown and writes no files; leave out"
                    + " --json, --markdown and --charts");
        }
        Ground ground = new Ground(pinned, inside, delay, tls, virtual);
        if (ground.needsRedis()) {
            if (libraries.stream().anyMatch(each -> each.usesDatabase() || each == Library.HOLDFAST_ZOOKEEPER)) {
                throw new IllegalArgumentException(
                        "--pin, --delay and --tls are for Redis; leave them out, or --database and --zookeeper");
            }
            libraries.removeIf(Library::usesZooKeeper);
        }
        return new BenchOptions(
                help, pace, workloads, libraries, redis, database, sleepy, baseline, json, markdown, charts, ground,
                valkey);
    }

    /** With these, for a comparison of two builds: those that have a rate. */
    Set<Workload> ratedWorkloads() {
        Set<Workload> rated = EnumSet.copyOf(workloads);
        rated.removeIf(each -> !each.hasRate());
        return rated;
    }

    /** Of the libraries, those that are Holdfast. */
    Set<Library> ownLibraries() {
        Set<Library> own = EnumSet.copyOf(libraries);
        own.retainAll(EnumSet.of(Library.HOLDFAST, Library.HOLDFAST_FIFO));
        return own;
    }

    /** How many rows there will be. */
    long pairs() {
        return workloads.stream()
                .mapToLong(
                        workload -> libraries.stream().filter(workload::suits).count())
                .sum();
    }

    private static String value(String option, Iterator<String> rest) {
        String value = rest.hasNext() ? rest.next() : "";
        if (value.isEmpty() || value.startsWith("--")) {
            throw new IllegalArgumentException(option + " needs a value after it; bin/bench --help shows which");
        }
        return value;
    }

    private static RedisVersion version(String text) {
        return Arrays.stream(RedisVersion.values())
                .filter(each -> each.version().startsWith(text))
                .findFirst()
                .orElseThrow(() ->
                        new IllegalArgumentException("unknown Redis '" + text + "'; known are 6.2, 7.0 and valkey"));
    }

    private static <T> List<T> named(
            String kind, String names, Function<String, Optional<T>> labelled, List<String> known) {
        return Arrays.stream(names.split(",", -1))
                .map(String::strip)
                .map(name -> labelled.apply(name)
                        .orElseThrow(() -> new IllegalArgumentException(
                                "unknown " + kind + " '" + name + "'; known are " + String.join(", ", known))))
                .toList();
    }
}
