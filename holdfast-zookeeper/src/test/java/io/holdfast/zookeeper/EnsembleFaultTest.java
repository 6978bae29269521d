package io.holdfast.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.Lease;
import io.holdfast.LockClient;
import io.holdfast.LockKind;
import io.holdfast.LockOptions;
import io.holdfast.LockStoreException;
import io.holdfast.LostReason;
import io.holdfast.spi.AttemptResult;
import io.holdfast.spi.Claim;
import io.holdfast.spi.RenewResult;
import io.holdfast.spi.Renewal;
import io.holdfast.spi.Resource;
import io.holdfast.testing.zookeeper.SessionTap;
import io.holdfast.testing.zookeeper.ZooKeeperEnsemble;
import io.holdfast.testing.zookeeper.ZooKeeperServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import org.apache.zookeeper.ZooKeeper;
import org.awaitility.core.ConditionTimeoutException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What happens to locks when some of three servers are in trouble. */
@Tag("integration")
@Tag("full")
class EnsembleFaultTest {
    private static final Duration PATIENCE = Duration.ofSeconds(90);
    private static final Duration ELECTION = Duration.ofSeconds(40);
    private static final Duration TICK = Duration.ofMillis(500);
    private static ZooKeeperEnsemble ensemble;

    @BeforeAll
    static void start() {
        ensemble = ZooKeeperEnsemble.start();
    }

    @AfterAll
    static void stop() {
        ensemble.close();
    }

    private static ZooKeeperLocksBuilder builder(String address, int seconds) {
        return ZooKeeperLocks.builder(address)
                .tick(TICK)
                .session(Duration.ofSeconds(seconds))
                .defaults(LockOptions.defaults().waitThroughOutages(PATIENCE));
    }

    /** The follower goes on answering reads and pings of its client, and nobody else hears of it. */
    @Test
    void follower_cutOff_holderIsOverBeforeTheNextBegins() throws Exception {
        ZooKeeperServer follower = ensemble.followers().get(0);
        String others = ensemble.servers().stream()
                .filter(server -> server.port() != follower.port())
                .map(ZooKeeperServer::address)
                .reduce((one, other) -> one + "," + other)
                .orElseThrow();
        try (LockClient cut = builder(follower.address(), 6).connect();
                LockClient other = builder(others, 40).connect()) {
            Lease lease = cut.lock("cut").acquire();
            Queue<LostReason> told = new ConcurrentLinkedQueue<>();
            lease.onLost(told::add);
            AtomicBoolean validTooLong = new AtomicBoolean();
            ensemble.cutOff(follower);
            try (Lease next = other.lock("cut").tryAcquire(PATIENCE).orElseThrow()) {
                validTooLong.set(lease.isValid());
                assertThat(next.token()).isGreaterThan(lease.token());
            }
            assertThat(validTooLong).as("valid while somebody else had it").isFalse();
            await().atMost(PATIENCE).until(() -> !told.isEmpty());
            ensemble.heal();
            ensemble.awaitQuorum(3);
            assertThat(cut.lock("cut").tryAcquire(PATIENCE)).isPresent();
        }
    }

    /** It would answer that the node is there, which somebody has deleted elsewhere. */
    @Test
    void follower_cutOff_renewsNothing() throws Exception {
        ZooKeeperServer follower = ensemble.followers().get(0);
        ZooKeeper operator = new ZooKeeper(ensemble.leader().address(), 20_000, event -> {});
        try (BackendClient cut = new BackendClient(builder(follower.address(), 40))) {
            Resource mutex = new Resource(LockKind.LOCK, "deleted", 1);
            Claim claim = cut.claim(mutex, 1, true, Duration.ofSeconds(20));
            assertThat(cut.ask(claim)).isInstanceOf(AttemptResult.Granted.class);
            String path = "/holdfast/lock:deleted";
            String node = path + '/' + operator.getChildren(path, false).get(0);
            ensemble.cutOff(follower);
            operator.delete(node, -1);
            assertThat(cut.backend().renew(List.of(new Renewal(claim, Duration.ofSeconds(20)))))
                    .noneMatch(RenewResult.Renewed.class::isInstance);
        } finally {
            operator.close();
            ensemble.heal();
            ensemble.awaitQuorum(3);
        }
    }

    /**
     * It steps down when it has not heard of the others for a while; until then it answers reads. Two servers whose
     * third is silent and not gone do not always find a leader: then nothing can be seen, and it is cut off once more.
     */
    @Test
    void leader_cutOff_holderIsOverBeforeTheNextBegins() throws Exception {
        boolean seen = false;
        for (int i = 0; i < 8 && !seen; i++) {
            seen = isOverBeforeTheNextBegins();
        }
        assertThat(seen).as("the others found a leader").isTrue();
    }

    private static boolean isOverBeforeTheNextBegins() throws Exception {
        ZooKeeperServer leader = ensemble.leader();
        List<ZooKeeperServer> others = ensemble.followers();
        String addresses = others.stream().map(ZooKeeperServer::address).collect(Collectors.joining(","));
        try (LockClient cut = builder(leader.address(), 6).connect();
                LockClient other = builder(addresses, 40).connect()) {
            Lease lease = cut.lock("cut").acquire();
            ensemble.cutOff(leader);
            boolean led = findLeader(others);
            if (led) {
                try (Lease next = other.lock("cut").tryAcquire(PATIENCE).orElseThrow()) {
                    assertThat(lease.isValid())
                            .as("valid while somebody else has it")
                            .isFalse();
                    assertThat(next.token()).isGreaterThan(lease.token());
                }
            }
            ensemble.heal();
            ensemble.awaitQuorum(3);
            if (led) {
                assertThat(cut.lock("cut").tryAcquire(PATIENCE)).isPresent();
            }
            return led;
        }
    }

    private static boolean findLeader(List<ZooKeeperServer> servers) {
        try {
            await().atMost(ELECTION)
                    .until(() -> servers.stream().anyMatch(each -> each.mode().equals("leader")));
            return true;
        } catch (ConditionTimeoutException silent) {
            return false;
        }
    }

    @Test
    void leader_killed_locksAreExclusiveAndGoOn() throws Exception {
        AtomicInteger inside = new AtomicInteger();
        AtomicInteger passes = new AtomicInteger();
        AtomicBoolean broken = new AtomicBoolean();
        AtomicBoolean enough = new AtomicBoolean();
        List<Long> tokens = new ArrayList<>();
        List<LockClient> clients = new ArrayList<>();
        List<CompletableFuture<Void>> workers = new ArrayList<>();
        for (ZooKeeperServer ignored : ensemble.servers()) {
            LockClient client = builder(ensemble.address(), 40).connect();
            clients.add(client);
            workers.add(CompletableFuture.runAsync(() -> {
                while (!enough.get()) {
                    try (Lease lease = client.lock("busy").acquire()) {
                        broken.compareAndSet(false, inside.incrementAndGet() != 1);
                        tokens.add(lease.token());
                        inside.decrementAndGet();
                        passes.incrementAndGet();
                    } catch (LockStoreException outage) {
                        // asked again
                    }
                }
            }));
        }
        for (int round = 0; round < 2; round++) {
            int before = passes.get();
            await().atMost(PATIENCE).until(() -> passes.get() > before + 20);
            ZooKeeperServer leader = ensemble.leader();
            leader.kill();
            int after = passes.get();
            await().atMost(PATIENCE).until(() -> passes.get() > after + 20);
            leader.startAgain();
            ensemble.awaitQuorum(3);
        }
        enough.set(true);
        for (CompletableFuture<Void> worker : workers) {
            worker.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
        }
        assertThat(broken).isFalse();
        assertThat(tokens).isSorted().doesNotHaveDuplicates();
        assertThat(clients.get(0).inspector().list("busy").count()).isZero();
        clients.forEach(LockClient::close);
    }

    /** As on one server; here the next one may lag behind. */
    @Test
    void connection_movedToAnotherServerAtEachStep_makesOneNodeAndLeavesNone() throws Exception {
        List<SessionTap> ways =
                ensemble.servers().stream().map(SessionTap::before).toList();
        ZooKeeper operator = new ZooKeeper(ensemble.address(), 10_000, event -> {});
        try {
            Moves.atEachStep(ways, TICK, operator);
        } finally {
            operator.close();
            ways.forEach(SessionTap::close);
        }
    }

    /** A client that moves to another server in the middle of asking or giving back finds what it did before. */
    @Test
    void server_stoppedUnderAClient_connectionMovesAndNothingIsLeft() throws Exception {
        try (LockClient moving = builder(ensemble.address(), 40).connect();
                LockClient steady = builder(ensemble.leader().address(), 40).connect()) {
            long last = 0;
            for (int round = 0; round < 3; round++) {
                ZooKeeperServer follower = ensemble.followers().get(round % 2);
                Lease lease = moving.lock("moved").acquire();
                assertThat(lease.token()).isGreaterThan(last);
                follower.kill();
                lease.close();
                try (Lease next = steady.lock("moved").tryAcquire(PATIENCE).orElseThrow()) {
                    last = next.token();
                }
                follower.startAgain();
                ensemble.awaitQuorum(3);
            }
            assertThat(steady.inspector().list("moved").count()).isZero();
        }
    }
}
