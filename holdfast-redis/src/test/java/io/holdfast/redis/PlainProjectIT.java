package io.holdfast.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.Lease;
import io.holdfast.LockClient;
import io.holdfast.testing.process.JavaProcess;
import io.holdfast.testing.process.TestRun;
import io.holdfast.testing.redis.RedisServer;
import io.holdfast.testing.redis.RedisVersion;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A project that has holdfast-redis and nothing else: what it prints is its own. */
@Tag("integration")
class PlainProjectIT {
    /** Its only program. */
    static final class Program {
        private Program() {}

        public static void main(String[] args) {
            try (LockClient locks = RedisLocks.connect(args[0]);
                    Lease lease = locks.lock("a").acquire()) {
                System.out.println(lease.isValid());
            }
        }
    }

    @Test
    void firstConnect_noLoggingLibrary_printsNothing(@TempDir Path folder) throws Exception {
        Path errors = folder.resolve("errors");
        List<String> jars = TestRun.classPath().stream()
                .filter(each -> !each.contains("slf4j-nop"))
                .toList();
        assertThat(jars).anyMatch(each -> each.contains("slf4j-api"));
        try (RedisServer server = RedisServer.start(RedisVersion.V7_0)) {
            JavaProcess child = JavaProcess.start(
                    "plain",
                    List.of(),
                    String.join(System.getProperty("path.separator"), jars),
                    Program.class,
                    List.of(server.uri()),
                    errors);
            assertThat(child.out().readLine()).isEqualTo("true");
            assertThat(child.endsWithin(Duration.ofSeconds(30))).isTrue();
            assertThat(child.exitCode()).isZero();
        }
        assertThat(Files.readString(errors)).isEmpty();
    }
}
