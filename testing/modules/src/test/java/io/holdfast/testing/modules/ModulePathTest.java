package io.holdfast.testing.modules;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The published modules work from the module path, and show no more than they mean to. */
@Tag("integration")
class ModulePathTest {

    @Test
    void program_onTheModulePath_findsEverythingAndNothingMore() throws Exception {
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        Process process = new ProcessBuilder(
                        java,
                        "-XX:TieredStopAtLevel=1",
                        "--module-path",
                        modulePath(),
                        "--class-path",
                        classPath(),
                        "--module",
                        "io.holdfast.testing.modules/io.holdfast.testing.modules.Program")
                .redirectErrorStream(true)
                .start();
        try {
            String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

            assertThat(process.waitFor(60, TimeUnit.SECONDS)).as(said).isTrue();
            assertThat(process.exitValue()).as(said).isZero();
            assertThat(said)
                    .contains("memory: token 1")
                    .contains("quorum: true")
                    .contains("jdbc: true")
                    .contains("micrometer: 1")
                    .contains("spring: held: true")
                    .contains("redis: could not connect")
                    .contains("lettuce: Lettuce says ")
                    .contains("LockStoreException: could not connect to ZooKeeper")
                    .contains("io.holdfast.core exports [io.holdfast, io.holdfast.engine, io.holdfast.spi]")
                    .contains("io.holdfast.memory exports [io.holdfast.memory]")
                    .contains(
                            "io.holdfast.redis exports [io.holdfast.redis, io.holdfast.redis.driver, io.holdfast.redis.jedis]")
                    .contains("io.holdfast.quorum exports [io.holdfast.quorum]")
                    .contains("io.holdfast.jdbc exports [io.holdfast.jdbc]")
                    .contains("io.holdfast.fence exports [io.holdfast.fence]")
                    .contains("io.holdfast.redis.lettuce exports [io.holdfast.redis.lettuce]")
                    .contains("io.holdfast.micrometer exports [io.holdfast.micrometer]")
                    .contains(
                            "io.holdfast.spring exports [io.holdfast.spring, io.holdfast.spring.event,"
                                    + " io.holdfast.spring.integration, io.holdfast.spring.leader, io.holdfast.spring.shedlock]")
                    .contains("io.holdfast.tck exports [io.holdfast.tck]")
                    .contains("io.holdfast.testing exports [io.holdfast.testing]");
        } finally {
            process.destroyForcibly();
        }
    }

    /** What the tests see, without the tests themselves. */
    private static String modulePath() {
        return path(entry -> !isZooKeeper(entry));
    }

    /** Two jars with the same packages cannot be modules, so ZooKeeper and what uses it are no modules here. */
    private static String classPath() {
        return path(ModulePathTest::isZooKeeper);
    }

    private static boolean isZooKeeper(String entry) {
        String jar = String.valueOf(Path.of(entry).getFileName());
        return entry.contains("holdfast-zookeeper") || jar.startsWith("zookeeper-") || jar.startsWith("slf4j-");
    }

    private static String path(Predicate<String> which) {
        String all = System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
        return Arrays.stream(all.split(File.pathSeparator))
                .filter(which)
                .filter(entry -> !Path.of(entry).endsWith("test-classes") && !entry.contains("surefire"))
                .collect(Collectors.joining(File.pathSeparator));
    }
}
