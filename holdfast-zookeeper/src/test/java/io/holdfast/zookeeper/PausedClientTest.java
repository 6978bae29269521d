package io.holdfast.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.Lease;
import io.holdfast.LockClient;
import io.holdfast.testing.process.JavaProcess;
import io.holdfast.testing.zookeeper.ZooKeeperServer;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A process that is stopped for longer than its session. */
@Tag("integration")
class PausedClientTest {
    private static final Duration TICK = Duration.ofMillis(500);
    private static final Duration SESSION = Duration.ofSeconds(4);
    private static final Duration PATIENCE = Duration.ofSeconds(40);

    @TempDir
    private Path folder;

    private static LockClient connect(String address) {
        return ZooKeeperLocks.builder(address).tick(TICK).session(SESSION).connect();
    }

    @Test
    void holder_stoppedBeyondItsSession_knowsThatItLost() throws Exception {
        try (ZooKeeperServer server = ZooKeeperServer.start((int) TICK.toMillis(), Map.of());
                LockClient other = connect(server.address())) {
            JavaProcess holder = JavaProcess.start(
                    "holder",
                    List.of("-Xmx64m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"),
                    System.getProperty("java.class.path"),
                    Holder.class,
                    List.of(server.address()),
                    folder.resolve("holder.log"));
            try {
                long token = Long.parseLong(holder.out().readLine());
                holder.pauseFor(SESSION.multipliedBy(2));
                Lease next = other.lock("a").tryAcquire(PATIENCE).orElseThrow();
                assertThat(next.token()).isGreaterThan(token);
                holder.tell("valid?");
                assertThat(holder.out().readLine()).isEqualTo("false");
                next.close();
                holder.tell("again");
                assertThat(Long.parseLong(holder.out().readLine())).isGreaterThan(next.token());
            } finally {
                holder.kill();
            }
        }
    }

    /** Holds a lock; says its token, then whether it is valid, then the token of the next one. */
    static final class Holder {
        private Holder() {}

        public static void main(String[] arguments) throws Exception {
            try (LockClient locks = connect(arguments[0]);
                    BufferedReader orders =
                            new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
                Lease lease = locks.lock("a").acquire();
                System.out.println(lease.token());
                orders.readLine();
                System.out.println(lease.isValid());
                orders.readLine();
                System.out.println(
                        locks.lock("a").tryAcquire(PATIENCE).orElseThrow().token());
                orders.readLine();
            }
        }
    }
}
