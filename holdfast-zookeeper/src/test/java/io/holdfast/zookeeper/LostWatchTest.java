package io.holdfast.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.Lease;
import io.holdfast.LockClient;
import io.holdfast.LockKind;
import io.holdfast.LockOptions;
import io.holdfast.LostReason;
import io.holdfast.testing.zookeeper.SessionTap;
import io.holdfast.testing.zookeeper.ZooKeeperServer;
import java.time.Duration;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import org.apache.zookeeper.ZooKeeper;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Watches that never come cost time, and nothing else. */
@Tag("integration")
class LostWatchTest {
    private static final Duration PATIENCE = Duration.ofSeconds(40);

    private ZooKeeperServer server;
    private SessionTap filter;
    private LockClient deaf;
    private LockClient other;

    @BeforeEach
    void open() {
        server = ZooKeeperServer.start(500, Map.of());
        filter = SessionTap.before(server);
        filter.dropEvents(true);
        deaf = BackendClient.patient(filter.address())
                .tick(Duration.ofMillis(500))
                .session(Duration.ofSeconds(6))
                .connect();
        other = BackendClient.patient(server.address())
                .tick(Duration.ofMillis(500))
                .session(Duration.ofSeconds(6))
                .connect();
    }

    @AfterEach
    void close() {
        deaf.close();
        other.close();
        filter.close();
        server.close();
    }

    @Test
    void waiter_watchLost_isServedAllTheSame() throws Exception {
        Lease held = other.lock("a").acquire();
        CompletableFuture<Lease> waiting = deaf.lock("a").acquireAsync();
        awaitWaiter(LockKind.LOCK);
        held.close();
        Lease next = waiting.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
        assertThat(next.token()).isGreaterThan(held.token());
        assertThat(filter.dropped()).isPositive();
    }

    @Test
    void waiterForAPermit_watchLost_isServedAllTheSame() throws Exception {
        Lease held = other.semaphore("a", 1).acquire();
        CompletableFuture<Lease> waiting = deaf.semaphore("a", 1).acquireAsync();
        awaitWaiter(LockKind.SEMAPHORE);
        held.close();
        assertThat(waiting.get(PATIENCE.toSeconds(), TimeUnit.SECONDS).isValid())
                .isTrue();
        assertThat(filter.dropped()).isPositive();
    }

    /** Then only a renewal can find out. */
    @Test
    void holder_nodeDeletedAndWatchLost_isToldByItsRenewal() throws Exception {
        Lease lease = deaf.lock("a", LockOptions.defaults().lease(Duration.ofMillis(3_500)))
                .acquire();
        Queue<LostReason> told = new ConcurrentLinkedQueue<>();
        lease.onLost(told::add);
        ZooKeeper operator = new ZooKeeper(server.address(), 10_000, event -> {});
        String child = operator.getChildren("/holdfast/lock:a", false).get(0);
        await().atMost(PATIENCE).until(() -> server.ask("wchp").contains(child));
        operator.delete("/holdfast/lock:a/" + child, -1);
        operator.close();
        await().atMost(PATIENCE).until(() -> !told.isEmpty());
        assertThat(told).containsExactly(LostReason.FORGOTTEN);
        assertThat(filter.dropped()).isPositive();
    }

    private void awaitWaiter(LockKind kind) {
        await().atMost(PATIENCE)
                .until(() -> other.inspector()
                        .find(kind, "a")
                        .filter(status -> !status.waiters().isEmpty())
                        .isPresent());
    }
}
