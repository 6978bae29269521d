package io.holdfast.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.holdfast.Lease;
import io.holdfast.LockClient;
import io.holdfast.LockStoreException;
import io.holdfast.LostReason;
import io.holdfast.testing.zookeeper.ZooKeeperEnsemble;
import io.holdfast.testing.zookeeper.ZooKeeperServer;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A server that lost its majority, and goes on answering reads because it is told to. */
@Tag("integration")
@Tag("full")
class ReadOnlyServerTest {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final Duration TICK = Duration.ofMillis(500);

    @Test
    void server_readOnly_isNotUsedAndLeasesEnd() {
        try (ZooKeeperEnsemble ensemble =
                ZooKeeperEnsemble.start((int) TICK.toMillis(), Map.of(), List.of("-Dreadonlymode.enabled=true"))) {
            ZooKeeperServer last = ensemble.followers().get(0);
            try (LockClient locks = builder(last).connect()) {
                Lease lease = locks.lock("a").acquire();
                Queue<LostReason> told = new ConcurrentLinkedQueue<>();
                lease.onLost(told::add);

                ensemble.servers().stream()
                        .filter(server -> server != last)
                        .toList()
                        .forEach(ZooKeeperServer::kill);
                await().atMost(PATIENCE).until(() -> last.mode().equals("read-only"));

                await().atMost(PATIENCE).until(() -> !told.isEmpty());
                assertThat(lease.isValid()).isFalse();
                assertThatThrownBy(() -> builder(last).connect())
                        .isInstanceOf(LockStoreException.class)
                        .hasMessageContaining("one alone is read-only at most");
            }
        }
    }

    private static ZooKeeperLocksBuilder builder(ZooKeeperServer server) {
        return ZooKeeperLocks.builder(server.address()).tick(TICK).session(Duration.ofSeconds(6));
    }
}
