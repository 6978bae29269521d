package io.holdfast.comparison;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.testing.redis.RedisVersion;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The whole run, with real servers and worker JVMs, as short as can be. */
@Tag("integration")
class BenchIT {
    private static final Pace SHORT = new Pace(
            1, Duration.ofMillis(600), Duration.ofMillis(100), Duration.ofMillis(50), 1_000, Duration.ofSeconds(3), 1);

    @TempDir
    Path folder;

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    @Test
    void measure_shortRun_aRowForEachLibraryThatSuits() throws Exception {
        Set<Workload> workloads = EnumSet.of(Workload.ONE_KEY_4X4, Workload.REENTRY, Workload.HANDOVER);
        Set<Library> libraries = EnumSet.of(Library.HOLDFAST, Library.LIMIT);
        BenchOptions options = new BenchOptions(
                false,
                SHORT,
                workloads,
                libraries,
                RedisVersion.V6_2,
                Databases.H2,
                false,
                null,
                null,
                null,
                null,
                Ground.PLAIN,
                false);

        List<Row> rows = measure(options);

        assertThat(rows).extracting(Row::workload).containsExactly("one-key-4x4", "reentry", "handover");
        assertThat(rows).allSatisfy(row -> {
            assertThat(row.failure()).isNull();
            assertThat(row.library()).isEqualTo("holdfast");
            assertThat(row.cycles()).isPositive();
            assertThat(row.violations()).isZero();
        });
        assertThat(rows.get(1).commandsPerCycle()).isLessThan(0.1);
        assertThat(err.toString(StandardCharsets.UTF_8)).contains("[1/3", "one-key-4x4: 4 JVMs");
    }

    @Test
    @Tag("full")
    void measure_heldAndRecovery_costsAndTimes() throws Exception {
        Set<Workload> workloads = EnumSet.of(Workload.HELD_10000, Workload.RECOVERY);
        BenchOptions options = new BenchOptions(
                false,
                SHORT,
                workloads,
                EnumSet.of(Library.HOLDFAST),
                RedisVersion.V6_2,
                Databases.H2,
                false,
                null,
                null,
                null,
                null,
                Ground.PLAIN,
                false);

        List<Row> rows = measure(options);

        assertThat(rows).hasSize(2).allSatisfy(row -> {
            assertThat(row.failure()).isNull();
            assertThat(row.violations()).isZero();
        });
        assertThat(rows.get(0).serverMicrosPerCycle()).isPositive();
        assertThat(rows.get(0).commandsPerCycle()).isBetween(0.01, 1.0);
        assertThat(rows.get(1).p50Micros()).as("what is left of a lease of 6 s").isBetween(2e6, 8e6);
    }

    private List<Row> measure(BenchOptions options) throws Exception {
        try (Contestants contestants = new Contestants(options.redis(), options.database(), options.ground())) {
            return new Bench(
                            options,
                            new Progress(stream(err), false, options.workloads().size()))
                    .measure(contestants);
        }
    }

    @Test
    void measure_againstABaseline_takesTurnsWithItsClasses() throws Exception {
        Build same = Build.at(BuildTest.builtLike(folder));

        DuelRow row = againstBaseline(same);

        assertThat(row.failure()).isNull();
        assertThat(row.pairs()).isEqualTo(2);
        assertThat(row.violations()).isZero();
        assertThat(row.cyclesPerSecond()).isPositive();
        assertThat(row.oldCyclesPerSecond()).isPositive();
        assertThat(row.commands()).isBetween(1.9, 2.5);
        assertThat(row.oldCommands()).isBetween(1.9, 2.5);
        assertThat(DuelRow.table(List.of(row))).contains("| uncontended-1 | holdfast | 2 |");
    }

    @Test
    void measure_againstABaselineThatCannotStart_saysSo() throws Exception {
        Path broken = BuildTest.builtLike(folder);
        Path classes = broken.resolve("holdfast-redis/target/classes");
        Files.delete(classes);
        Files.createDirectories(classes.resolve("io/holdfast/redis"));
        Files.writeString(classes.resolve("io/holdfast/redis/RedisLocks.class"), "no class");

        assertThat(againstBaseline(Build.at(broken)).failure()).contains("ClassFormatError");
    }

    private DuelRow againstBaseline(Build other) throws Exception {
        BenchOptions options = BenchOptions.parse("--workload", "uncontended-1", "--peers", "holdfast", "--sleepy");
        DuelPace pace = new DuelPace(1, 2, Duration.ofMillis(100), Duration.ofMillis(100), 100);
        return new Baseline(options, pace, new Progress(stream(err), false, 1))
                .measure(other)
                .get(0);
    }

    @Test
    void attempt_storeThatIsGone_failsAloneAndSaysWhy() throws Exception {
        List<String> after = new ArrayList<>();
        try (Contestant contestant = new Contestant(Library.HOLDFAST, new Gone(), Ground.PLAIN, folder)) {
            Entry entry = new Entry(contestant, new Tally(Workload.ONE_KEY_16, Library.HOLDFAST));

            entry.attempt((who, tally) -> who.staff(1, Duration.ofSeconds(3)));
            entry.attempt((who, tally) -> after.add("not reached"));

            assertThat(entry.tally().row().failure()).contains("its JVM ended").contains("127.0.0.1:1");
            assertThat(after).isEmpty();
        }
    }

    @Test
    void run_unknownNames_statusTwo() throws Exception {
        assertThat(Bench.run(stream(out), stream(err), "--workload", "nothing")).isEqualTo(2);
        assertThat(Bench.run(stream(out), stream(err), "--peers", "nobody")).isEqualTo(2);
        assertThat(Bench.run(stream(out), stream(err), "--json", folder.toString()))
                .isEqualTo(2);
        assertThat(Bench.run(stream(out), stream(err), "--workload", "reentry", "--peers", "shedlock"))
                .as("nothing to do")
                .isEqualTo(2);
        assertThat(Bench.run(stream(out), stream(err), "--baseline", folder.toString(), "--peers", "redisson"))
                .as("nothing to compare")
                .isEqualTo(2);
        assertThat(Bench.run(stream(out), stream(err), "--baseline", folder.toString()))
                .as("not built")
                .isEqualTo(2);

        assertThat(out.toString(StandardCharsets.UTF_8)).isEmpty();
        assertThat(err.toString(StandardCharsets.UTF_8)).contains("unknown workload", "unknown library", "cannot be");
    }

    @Test
    void run_oneWorkload_writesWhatWasAskedFor() throws Exception {
        Path json = folder.resolve("out.json");

        Path markdown = folder.resolve("out.md");
        Path charts = folder.resolve("charts");

        int status = Bench.run(
                stream(out),
                stream(err),
                "--quick",
                "--workload",
                "reentry",
                "--peers",
                "holdfast",
                "--json",
                json.toString(),
                "--markdown",
                markdown.toString(),
                "--charts",
                charts.toString());

        assertThat(status).isZero();
        assertThat(out.toString(StandardCharsets.UTF_8)).contains("reentry", "holdfast");
        assertThat(Files.readString(markdown)).contains("### reentry");
        assertThat(charts.resolve("reentry.svg")).exists();
        assertThat(Files.readString(json)).contains("\"workload\":", "\"reentry\"", "\"violations\":");
    }

    private static PrintStream stream(ByteArrayOutputStream bytes) {
        return new PrintStream(bytes, true, StandardCharsets.UTF_8);
    }

    /** A port that nobody listens on. */
    private static final class Gone implements Store {
        @Override
        public String address() {
            return "redis://127.0.0.1:1";
        }

        @Override
        public long cpuMicros() {
            return 0;
        }

        @Override
        public @Nullable Long commandsDuring(Callable<?> work) {
            return null;
        }

        @Override
        public void close() {}
    }
}
