package io.holdfast.redis.jedis;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.testing.process.TestRun;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The contracts on each Jedis that an application may have chosen, without commons-pool2: those of Spring Boot 3.4 to
 * 4.2, compiled once against the newest.
 */
@Tag("integration")
class JedisVersionsIT {
    private static final Path JARS = Path.of("target", "jedis");
    private static final Duration PATIENCE = Duration.ofMinutes(10);

    private static int green(String version, String... selectors) {
        Path jar = JARS.resolve("jedis-" + version + ".jar");
        assertThat(Files.isRegularFile(jar)).as("%s, from the build", jar).isTrue();
        return TestRun.green(
                "jedis-" + version,
                entries -> entries.stream()
                        .map(each -> each.contains("/redis/clients/jedis/") ? jar.toString() : each)
                        .toList(),
                "!full",
                PATIENCE,
                List.of(selectors));
    }

    @Test
    void oldest_inShort() {
        assertThat(green(
                        "5.2.0",
                        "class:io.holdfast.redis.DriverTest",
                        "class:io.holdfast.redis.LoginTest",
                        "class:io.holdfast.redis.Redis6StoreContractTest"))
                .isGreaterThan(40);
    }

    @ParameterizedTest
    @ValueSource(strings = {"5.2.0", "6.0.0", "7.0.0", "7.4.1", "8.0.0"})
    @Tag("full")
    void each_passesTheContracts(String version) {
        assertThat(green(
                        version,
                        "class:io.holdfast.redis.DriverTest",
                        "class:io.holdfast.redis.jedis.JedisSocketsTest",
                        "class:io.holdfast.redis.LoginTest",
                        "class:io.holdfast.redis.MayBeDownTest",
                        "class:io.holdfast.redis.ConnectingTest",
                        "class:io.holdfast.redis.ApplicationDriverTest",
                        "class:io.holdfast.redis.WireFaultTest",
                        "class:io.holdfast.redis.Redis7ContractTest",
                        "class:io.holdfast.redis.Redis7ClusterContractTest"))
                .isGreaterThan(200);
    }
}
