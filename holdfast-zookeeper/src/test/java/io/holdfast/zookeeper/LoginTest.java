package io.holdfast.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.holdfast.Lease;
import io.holdfast.LockClient;
import io.holdfast.LockOptions;
import io.holdfast.testing.zookeeper.SessionTap;
import io.holdfast.testing.zookeeper.ZooKeeperServer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.zookeeper.ZooKeeper;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A client whose nodes are its own says who it is on every connection, and in every session. */
@Tag("integration")
class LoginTest {
    private static final Duration PATIENCE = Duration.ofSeconds(40);
    private static final String LOCK = "/owned/lock:a";

    @Test
    void connectionAndSessionEnd_isWhoItWas() throws Exception {
        try (ZooKeeperServer server = ZooKeeperServer.start(500, Map.of());
                SessionTap tap = SessionTap.before(server);
                LockClient locks = ZooKeeperLocks.builder(tap.address())
                        .root("/owned")
                        .tick(Duration.ofMillis(500))
                        .session(Duration.ofSeconds(10))
                        .auth("digest", "owner:secret".getBytes(StandardCharsets.UTF_8))
                        .defaults(LockOptions.defaults().waitThroughOutages(PATIENCE))
                        .connect()) {
            assertIsTheOwner(server, locks);

            tap.closeAtAnswer(1);
            assertIsTheOwner(server, locks);
            assertThat(tap.closed()).as("connections that ended").isEqualTo(1);

            await().atMost(PATIENCE).until(() -> tap.sessions().size() == 1);
            assertThat(tap.sessions().get(0).end(server.address())).isTrue();
            assertIsTheOwner(server, locks);
        }
    }

    private static void assertIsTheOwner(ZooKeeperServer server, LockClient locks) throws Exception {
        ZooKeeper stranger = new ZooKeeper(server.address(), 10_000, event -> {});
        try (Lease lease = locks.lock("a").acquire()) {
            assertThat(lease.isValid()).isTrue();
            assertThatThrownBy(() -> stranger.getChildren(LOCK, false)).hasMessageContaining("NoAuth");
            stranger.addAuthInfo("digest", "owner:secret".getBytes(StandardCharsets.UTF_8));
            List<String> nodes = stranger.getChildren(LOCK, false);
            assertThat(nodes).hasSize(1);
        } finally {
            stranger.close();
        }
    }
}
