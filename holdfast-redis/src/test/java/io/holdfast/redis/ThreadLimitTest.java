package io.holdfast.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import io.holdfast.testing.redis.RedisCluster;
import io.holdfast.testing.redis.RedisVersion;
import java.io.File;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
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
    private static final int STRANGER = 40_000;
    private static final String NEEDED = ".*(holdfast-core|holdfast-redis|jedis|slf4j|gson|json|jspecify).*";

    @RegisterExtension
    final Bench bench = new Bench();

    @TempDir
    private Path folder;

    @TestFactory
    Stream<DynamicTest> cluster_userMayStartNoMoreThreads() {
        boolean isRoot = System.getProperty("user.name").equals("root");
        return isRoot ? Stream.of(dynamicTest("renews, and waits without listening", this::limited)) : Stream.empty();
    }

    private void limited() throws Exception {
        RedisCluster cluster = bench.open(RedisCluster.start(RedisVersion.V7_0));
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
        String user = String.valueOf(STRANGER + ProcessHandle.current().pid() % STRANGER / 2);
        Path output = folder.resolve("output");
        List<String> command =
                new ArrayList<>(List.of("setpriv", "--reuid=" + user, "--regid=" + user, "--clear-groups"));
        command.addAll(List.of("prlimit", "--nproc=" + MOST_THREADS));
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-XX:-UsePerfData", "-Xmx64m", "-cp"));
        command.addAll(List.of(readableClassPath(), LimitedClient.class.getName(), cluster.uri()));
        Process process = new ProcessBuilder(command)
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        try {
            assertThat(process.waitFor(90, TimeUnit.SECONDS)).isTrue();
        } finally {
            process.destroyForcibly();
        }
        assertThat(Files.readString(output, StandardCharsets.UTF_8))
                .contains("no more threads", "waited: true", "valid: 12")
                .doesNotContain("OutOfMemoryError");
    }

    /** Another user may not read where this one builds. */
    private String readableClassPath() throws Exception {
        List<String> copies = new ArrayList<>();
        for (String entry : System.getProperty("java.class.path").split(File.pathSeparator, -1)) {
            if (entry.matches(NEEDED)) {
                copies.add(copy(Path.of(entry), folder.resolve("cp" + copies.size())));
            }
        }
        return String.join(File.pathSeparator, copies);
    }

    private static String copy(Path source, Path target) throws Exception {
        try (Stream<Path> all = Files.walk(source)) {
            for (Path each : all.toList()) {
                Path copied = target.resolve(source.relativize(each).toString());
                Files.copy(each, copied);
                Files.setPosixFilePermissions(copied, PosixFilePermissions.fromString("rwxr-xr-x"));
            }
        }
        return target.toString();
    }
}
