package io.holdfast.comparison;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BenchOptionsTest {

    @Test
    void parse_nothing_everythingAtFullLength() {
        BenchOptions options = BenchOptions.parse();

        assertThat(options.pace()).isEqualTo(Pace.FULL);
        assertThat(options.workloads()).containsExactly(Workload.values());
        assertThat(options.libraries()).containsExactlyElementsOf(Library.onRedis());
        assertThat(options.json()).isNull();
    }

    @Test
    void parse_everyOption_isTaken() {
        BenchOptions options = BenchOptions.parse(
                "--quick",
                "--workload",
                "one-key-16,uncontended-1",
                "--peers",
                "holdfast, redisson-fair",
                "--json",
                "a.json",
                "--markdown",
                "a.md",
                "--charts",
                "charts");

        assertThat(options.pace()).isEqualTo(Pace.QUICK);
        assertThat(options.workloads()).containsExactly(Workload.UNCONTENDED_1, Workload.ONE_KEY_16);
        assertThat(options.libraries()).containsExactly(Library.HOLDFAST, Library.REDISSON_FAIR);
        assertThat(options.json()).isEqualTo(Path.of("a.json"));
        assertThat(options.markdown()).isEqualTo(Path.of("a.md"));
        assertThat(options.charts()).isEqualTo(Path.of("charts"));
    }

    @Test
    void parse_store_choosesTheLibrariesOnIt() {
        assertThat(BenchOptions.parse("--zookeeper").libraries())
                .containsExactly(Library.CURATOR, Library.HOLDFAST_ZOOKEEPER, Library.HOLDFAST_ZOOKEEPER_FIFO);
        assertThat(BenchOptions.parse("--database", "h2").libraries()).contains(Library.HOLDFAST_JDBC);
    }

    @Test
    void parse_storeThatWaitsForADisk_hasMoreAndShorterRounds() {
        assertThat(BenchOptions.parse("--zookeeper").pace()).isEqualTo(Pace.ON_DISK);
        assertThat(BenchOptions.parse("--database", "h2").pace()).isEqualTo(Pace.ON_DISK);
        assertThat(BenchOptions.parse("--quick", "--zookeeper").pace()).isEqualTo(Pace.QUICK);
        assertThat(BenchOptions.parse("--zookeeper", "--quick").pace()).isEqualTo(Pace.QUICK);
    }

    @Test
    void parse_unknownWorkload_listsTheKnownOnes() {
        assertThatThrownBy(() -> BenchOptions.parse("--workload", "one-key-17"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("unknown workload 'one-key-17'")
                .hasMessageContaining(
                        "uncontended-1, uncontended-16, one-key-16, one-key-4x4, one-key-256, one-key-10000,"
                                + " reentry, read-write, read-write-4x4, semaphore, semaphore-4x4, held-10000,"
                                + " handover, recovery");
    }

    @Test
    void parse_unknownPeer_listsTheKnownOnes() {
        assertThatThrownBy(() -> BenchOptions.parse("--peers", "holdfast,zookeeper"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("unknown library 'zookeeper'")
                .hasMessageContaining(
                        "holdfast, holdfast-fifo, redisson, redisson-fair, redisson-fenced, spring-pubsub,"
                                + " spring-spin, shedlock, curator, holdfast-jdbc, holdfast-jdbc-fifo, spring-jdbc,"
                                + " shedlock-jdbc, holdfast-zookeeper, holdfast-zookeeper-fifo, limit");
    }

    @ParameterizedTest
    @ValueSource(strings = {"--fast", "quick", "--redis", "--json", "--charts", "--workload", "--peers", "--baseline"})
    void parse_unknownOptionOrMissingValue_saysWhereToLook(String option) {
        assertThatThrownBy(() -> BenchOptions.parse(option))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(option)
                .hasMessageContaining("bin/bench --help");
    }

    @Test
    void parse_baseline_isForHoldfastAndRates() {
        BenchOptions options = BenchOptions.parse("--baseline", "other");

        assertThat(options.baseline()).isEqualTo(Path.of("other"));
        assertThat(options.ownLibraries()).containsExactly(Library.HOLDFAST, Library.HOLDFAST_FIFO);
        assertThat(options.ratedWorkloads())
                .contains(Workload.UNCONTENDED_1)
                .doesNotContain(Workload.HELD_10000, Workload.RECOVERY);
        assertThatThrownBy(() -> BenchOptions.parse("--baseline", "other", "--json", "a.json"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("leave out --json");
    }

    @Test
    void parse_circumstances_areTakenAndKeepZooKeeperAway() {
        BenchOptions options = BenchOptions.parse("--pin", "--inside", "1ms", "--delay", "0.5ms", "--tls", "--virtual");

        assertThat(options.ground())
                .isEqualTo(new Ground(true, Duration.ofMillis(1), Duration.ofNanos(500_000), true, true));
        assertThat(options.libraries())
                .contains(Library.HOLDFAST, Library.REDISSON)
                .doesNotContain(Library.CURATOR);
        assertThat(BenchOptions.parse("--inside", "200us").libraries()).contains(Library.CURATOR);
        assertThat(BenchOptions.parse("--redis", "valkey").valkey()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"1", "ms", "0ms", "-1ms", "2s", "1 ms", "1h", "1e3ms", "NaNms"})
    void parse_timeThatIsNone_saysWhatIsExpected(String time) {
        for (String option : List.of("--inside", "--delay")) {
            assertThatThrownBy(() -> BenchOptions.parse(option, time))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining(
                            option + " is '" + time + "', expected a time of more than nothing and at most 1s");
        }
    }

    @Test
    void parse_circumstancesOfRedisForAnotherStore_refused() {
        assertThatThrownBy(() -> BenchOptions.parse("--delay", "1ms", "--zookeeper"))
                .hasMessageContaining("are for Redis");
        assertThatThrownBy(() -> BenchOptions.parse("--database", "h2", "--pin"))
                .hasMessageContaining("are for Redis");
    }

    @Test
    void check_machineThatCannot_saysSo() {
        Ground pinned = BenchOptions.parse("--pin").ground();
        assertThatThrownBy(() -> pinned.check(1, 17, true)).hasMessageContaining("this machine has 1");
        assertThatThrownBy(() -> pinned.check(2, 17, false)).hasMessageContaining("taskset");
        pinned.check(2, 17, true);
        Ground virtual = BenchOptions.parse("--virtual").ground();
        assertThatThrownBy(() -> virtual.check(2, 17, true)).hasMessageContaining("needs Java 21 or later");
        virtual.check(1, 21, false);
    }
}
