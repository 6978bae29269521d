package io.holdfast.redis.lettuce;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.testing.process.TestRun;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The tests of holdfast-redis once more, without Jedis: nothing in them knows which client library there is. */
@Tag("integration")
class LettuceContractsIT {
    private static final Path TESTS = Path.of("..", "holdfast-redis", "target", "test-classes");
    private static final Path OLDEST = Path.of("target", "lettuce", "lettuce-core.jar");
    private static final Duration PATIENCE = Duration.ofMinutes(15);

    private static int green(String tags, String... names) {
        assertThat(Files.isDirectory(TESTS)).as("%s, built before", TESTS).isTrue();
        List<String> selectors =
                Stream.of(names).map(each -> "class:io.holdfast.redis." + each).toList();
        return TestRun.green("lettuce-" + names[0], LettuceContractsIT::withoutJedis, tags, PATIENCE, selectors);
    }

    private static List<String> withTheOldest(List<String> entries) {
        assertThat(Files.isRegularFile(OLDEST)).as("%s, from the build", OLDEST).isTrue();
        List<String> jars = withoutJedis(entries).stream()
                .map(each -> each.contains("/io/lettuce/lettuce-core/") ? OLDEST.toString() : each)
                .toList();
        assertThat(jars).contains(OLDEST.toString());
        return jars;
    }

    private static List<String> withoutJedis(List<String> entries) {
        List<String> jars = new ArrayList<>(entries.stream()
                .filter(each -> !each.contains("/redis/clients/jedis/"))
                .toList());
        assertThat(jars).hasSizeLessThan(entries.size());
        jars.add(TESTS.toString());
        return jars;
    }

    @Test
    void oneServer_inShort() {
        assertThat(green("!full", "DriverTest", "LoginTest", "HostNameTest", "Redis6StoreContractTest"))
                .isGreaterThan(40);
    }

    /** The Lettuce of Spring Boot 3.5, on the class files that were compiled against the newest. */
    @Test
    @Tag("full")
    void oldestLettuce_passesTheContracts() {
        List<String> selectors = Stream.of(
                        "DriverTest",
                        "LoginTest",
                        "HostNameTest",
                        "MayBeDownTest",
                        "ConnectingTest",
                        "Redis7ContractTest",
                        "Redis7ClusterContractTest")
                .map(each -> "class:io.holdfast.redis." + each)
                .toList();
        assertThat(TestRun.green("oldest-lettuce", LettuceContractsIT::withTheOldest, "!full", PATIENCE, selectors))
                .isGreaterThan(200);
    }

    @ParameterizedTest
    @ValueSource(strings = {"Redis7ContractTest", "Redis7ClusterContractTest"})
    @Tag("full")
    void contracts(String contract) {
        assertThat(green("!full", contract)).isGreaterThan(200);
    }

    /** The older version, which has no channels of one shard, and Sentinels: all of these are long. */
    @ParameterizedTest
    @ValueSource(strings = {"Redis6ClusterContractTest", "Redis7SentinelContractTest"})
    @Tag("full")
    void longContracts(String contract) {
        assertThat(green("full | !full", contract)).isGreaterThan(200);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "WireFaultTest",
                "RestartFaultTest",
                "PauseFaultTest",
                "ConnectionFaultTest",
                "PartitionFaultTest",
                "FailoverFaultTest",
                "ClusterFaultTest",
                "ConnectingTest",
                "MayBeDownTest"
            })
    @Tag("full")
    void faults(String faults) {
        assertThat(green("!full", faults)).isPositive();
    }
}
