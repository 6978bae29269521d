package io.holdfast.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import io.holdfast.testing.process.JavaProcess;
import io.holdfast.testing.process.LimitedUser;
import io.holdfast.testing.redis.RedisCluster;
import io.holdfast.testing.redis.RedisVersion;
import java.io.File;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/**
 * A real limit on threads, and a cluster, whose servers are usually renewed side by side. Only root can start another
 * user's process, whom the limit binds, so there is a test for root only.
 */
@Tag("integration")
@Tag("full")
class ThreadLimitTest {
    private static final int MOST_THREADS = 50;
    private static final String NEEDED = ".*(holdfast-core|holdfast-redis|jedis|slf4j|gson|json|jspecify).*";

    @RegisterExtension
    final Bench bench = new Bench();

    @TempDir
    private Path folder;

    @TestFactory
    Stream<DynamicTest> cluster_userMayStartNoMoreThreads() {
        return LimitedUser.isRoot()
                ? Stream.of(dynamicTest("renews, and waits without listening", this::limited))
                : Stream.empty();
    }

    private void limited() throws Exception {
        RedisCluster cluster = bench.open(RedisCluster.start(RedisVersion.V7_0));
        Queue<String> lines = new ConcurrentLinkedQueue<>();
        CountDownLatch silent = new CountDownLatch(1);
        JavaProcess process = JavaProcess.program("limited", LimitedClient.class)
                .under(LimitedUser.command(MOST_THREADS))
                .flags(List.of("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-XX:-UsePerfData", "-Xmx64m"))
                .classPath(LimitedUser.readable(folder, needed()))
                .arguments(List.of(cluster.uri()))
                .errors(Redirect.PIPE)
                .start();
        process.listen(lines::add, silent::countDown);
        try {
            assertThat(process.endsWithin(Duration.ofSeconds(90))).isTrue();
            assertThat(silent.await(20, TimeUnit.SECONDS)).isTrue();
        } finally {
            process.kill();
        }
        assertThat(String.join("\n", lines))
                .contains("no more threads", "waited: true", "valid: 12")
                .doesNotContain("OutOfMemoryError");
    }

    private static List<Path> needed() {
        return Stream.of(System.getProperty("java.class.path").split(File.pathSeparator, -1))
                .filter(entry -> entry.matches(NEEDED))
                .map(Path::of)
                .toList();
    }
}
