package io.holdfast.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.holdfast.Lease;
import io.holdfast.LockClient;
import io.holdfast.LockOptions;
import io.holdfast.LockStoreException;
import io.holdfast.LostReason;
import io.holdfast.testing.process.Logged;
import io.holdfast.testing.redis.FaultProxy;
import io.holdfast.testing.zookeeper.SessionTap;
import io.holdfast.testing.zookeeper.ZooKeeperServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.logging.Level;
import org.apache.zookeeper.ZooKeeper;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What happens to locks when one server, or the way to it, is in trouble. */
@Tag("integration")
class FaultTest {
    private static final Duration PATIENCE = Duration.ofSeconds(40);
    private static final Duration TICK = Duration.ofMillis(500);
    private static final Duration SESSION = Duration.ofSeconds(6);

    private final List<AutoCloseable> opened = new ArrayList<>();

    @AfterEach
    void closeAll() throws Exception {
        for (int i = opened.size() - 1; i >= 0; i--) {
            opened.get(i).close();
        }
    }

    private <T extends AutoCloseable> T closing(T resource) {
        opened.add(resource);
        return resource;
    }

    private ZooKeeperServer server() {
        return closing(ZooKeeperServer.start((int) TICK.toMillis(), Map.of("maxSessionTimeout", "300000")));
    }

    private static ZooKeeperLocksBuilder builder(String address) {
        return builderWithShortSession(address).session(Duration.ofSeconds(40));
    }

    private static ZooKeeperLocksBuilder builderWithShortSession(String address) {
        return ZooKeeperLocks.builder(address).tick(TICK).session(SESSION);
    }

    private static Queue<LostReason> losses(Lease lease) {
        Queue<LostReason> told = new ConcurrentLinkedQueue<>();
        lease.onLost(told::add);
        return told;
    }

    private static LockOptions patient() {
        return LockOptions.defaults().waitThroughOutages(PATIENCE);
    }

    @Test
    void restart_holderAndWaiter_keepWhatTheyHave() throws Exception {
        ZooKeeperServer server = server();
        Duration longer = Duration.ofMinutes(3); // than a server takes to start on a crowded machine
        LockOptions options = patient().lease(Duration.ofMinutes(1));
        LockClient holder = closing(
                builder(server.address()).session(longer).defaults(options).connect());
        LockClient other = closing(
                builder(server.address()).session(longer).defaults(options).connect());
        Lease lease = holder.lock("a").acquire();
        CompletableFuture<Lease> waiting = other.lock("a").acquireAsync();
        await().atMost(PATIENCE)
                .until(() ->
                        !holder.inspector().list("a").toList().get(0).waiters().isEmpty());

        server.kill();
        server.startAgain();

        await().atMost(PATIENCE)
                .ignoreExceptions()
                .until(() -> holder.inspector().list("").count() == 1);
        assertThat(lease.isValid()).isTrue();
        assertThat(waiting).isNotDone();
        lease.close();
        Lease next = waiting.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
        assertThat(next.token()).isGreaterThan(lease.token());
    }

    @Test
    void session_expired_holderIsToldAndWaiterGetsANewPlace() throws Exception {
        ZooKeeperServer server = server();
        FaultProxy way = closing(FaultProxy.ofBytes(server.host(), server.port()));
        String address = way.host() + ":" + way.port();
        LockClient cut =
                closing(builderWithShortSession(address).defaults(patient()).connect());
        LockClient other = closing(builder(server.address()).connect());
        Lease held = cut.lock("held").acquire();
        Queue<LostReason> told = losses(held);
        Lease wanted = other.lock("wanted").acquire();
        CompletableFuture<Lease> waiting = cut.lock("wanted").acquireAsync();
        await().atMost(PATIENCE)
                .until(() -> !other.inspector()
                        .list("wanted")
                        .toList()
                        .get(0)
                        .waiters()
                        .isEmpty());

        way.halfOpen();

        Lease next = other.lock("held").tryAcquire(PATIENCE).orElseThrow();
        assertThat(held.isValid()).as("valid while somebody else has it").isFalse();
        await().atMost(PATIENCE).until(() -> told.size() == 1);
        assertThat(next.token()).isGreaterThan(held.token());
        way.heal();
        wanted.close();
        assertThat(waiting.get(PATIENCE.toSeconds(), TimeUnit.SECONDS).isValid())
                .isTrue();
        next.close();
        assertThat(cut.lock("held").tryAcquire(PATIENCE)).isPresent();
    }

    /** Nobody renews these, so neither a renewal nor a deadline can have told; and there is no next session yet. */
    @Test
    void session_closedBySomebodyElse_allThatWasHeldIsLostAtOnce() throws Exception {
        ZooKeeperServer server = server();
        SessionTap tap = closing(SessionTap.before(server));
        LockClient locks = closing(builder(tap.address()).connect());
        Queue<LostReason> told = new ConcurrentLinkedQueue<>();
        for (int i = 0; i < 50; i++) {
            locks.lock("held:" + i, LockOptions.defaults().fixedLease(Duration.ofSeconds(26)))
                    .acquire()
                    .onLost(told::add);
        }
        tap.admit(1); // it hears of the end there

        assertThat(tap.sessions().get(0).end(server.address())).isTrue();

        await().atMost(PATIENCE).until(() -> told.size() == 50);
        assertThat(told).containsOnly(LostReason.FORGOTTEN);
        tap.admit(Integer.MAX_VALUE);
        assertThat(locks.lock("held:0", patient()).tryAcquire(PATIENCE)).isPresent();
    }

    @Tag("full")
    @Test
    void session_endedAndNobodyAnswers_callersHearWhy() throws Exception {
        ZooKeeperServer server = server();
        LockClient locks =
                closing(builder(server.address()).session(SESSION.dividedBy(2)).connect());
        locks.lock("a").acquire().close();
        server.kill();
        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThatThrownBy(() -> locks.lock("a").tryAcquire())
                        .isInstanceOf(LockStoreException.class)
                        .hasMessageContainingAll(
                                "ask for 'a'",
                                "no new one could be opened: could not connect to ZooKeeper at " + server.address(),
                                "check the addresses"));
        server.startAgain();
        assertThat(locks.lock("a", patient()).tryAcquire(PATIENCE)).isPresent();
    }

    @Test
    void wipedData_isNoticedAndLeasesAreLost() throws Exception {
        ZooKeeperServer server = server();
        Logged logged = closing(new Logged("io.holdfast.zookeeper"));
        LockClient locks = closing(
                builderWithShortSession(server.address()).defaults(patient()).connect());
        BackendClient backend = closing(new BackendClient(builderWithShortSession(server.address())));
        String store = backend.backend().storeId().orElseThrow();
        for (int i = 0; i < 20; i++) {
            locks.lock("warm").acquire().close();
        }
        Lease lease = locks.lock("a").acquire();
        Queue<LostReason> told = losses(lease);
        LockClient other = closing(
                builderWithShortSession(server.address()).defaults(patient()).connect());
        CompletableFuture<Lease> waiting = other.lock("a").acquireAsync();
        await().atMost(PATIENCE)
                .until(() ->
                        !other.inspector().list("a").toList().get(0).waiters().isEmpty());
        server.kill();
        server.wipe();
        server.startAgain();
        Lease next = waiting.get(PATIENCE.toSeconds(), TimeUnit.SECONDS); // its place was lost, too
        assertThat(lease.isValid()).as("while somebody who waited has it").isFalse();
        await().atMost(PATIENCE).until(() -> told.size() == 1);
        next.close();
        assertThat(locks.lock("a").tryAcquire(PATIENCE)).isPresent();
        await().atMost(PATIENCE)
                .until(() -> !store.equals(backend.backend().storeId().orElseThrow()));
        assertThat(logged.of(Level.SEVERE, "has lost its data: its identity was " + store))
                .as("each client tells it")
                .hasSize(3);
    }

    /** Each answer on its way in turn: what it said is found out on another way, and nothing is done twice. */
    @Test
    void connection_movedAtEachStep_makesOneNodeAndLeavesNone() throws Exception {
        ZooKeeperServer server = server();
        ZooKeeper operator = new ZooKeeper(server.address(), 10_000, event -> {});
        List<SessionTap> ways = List.of(closing(SessionTap.before(server)), closing(SessionTap.before(server)));
        Moves.atEachStep(ways, TICK, operator);
        operator.close();
    }

    @Tag("full")
    @Test
    void connection_resetAgainAndAgain_isExclusiveAndLeavesNothing() throws Exception {
        ZooKeeperServer server = server();
        FaultProxy way = closing(FaultProxy.ofBytes(server.host(), server.port()));
        LockClient shaky = closing(
                builder(way.host() + ":" + way.port()).defaults(patient()).connect());
        LockClient steady = closing(builder(server.address()).connect());
        long last = 0;
        for (int round = 0; round < 12; round++) {
            Lease lease = shaky.lock("a").acquire();
            assertThat(lease.token()).isGreaterThan(last);
            last = lease.token();
            if (round % 4 == 0) {
                way.closeInsteadOfReply(1, request -> true);
            } else if (round % 4 == 2) {
                way.reset();
            }
            lease.close();
            Lease next = steady.lock("a").tryAcquire(PATIENCE).orElseThrow();
            assertThat(next.token()).isGreaterThan(last);
            last = next.token();
            next.close();
        }
        await().atMost(PATIENCE).until(() -> steady.inspector().list("").count() == 0);
    }

    /** Nobody is told anything while the session may go on. */
    @Tag("full")
    @Test
    void partition_shorterThanALease_changesNothing() throws Exception {
        ZooKeeperServer server = server();
        FaultProxy way = closing(FaultProxy.ofBytes(server.host(), server.port()));
        LockClient locks = closing(
                builder(way.host() + ":" + way.port()).defaults(patient()).connect());
        Lease lease = locks.lock("a").acquire();
        Queue<LostReason> told = losses(lease);
        way.refuse();
        way.reset();
        long refused = way.accepted();
        await().atMost(PATIENCE).until(() -> way.accepted() > refused + 1);

        way.heal();

        await().atMost(PATIENCE).until(() -> way.openConnections() > 0);
        Duration atFirst = lease.remaining();
        await().atMost(PATIENCE).until(() -> lease.remaining().compareTo(atFirst) > 0);
        assertThat(told).isEmpty();
        assertThat(lease.isValid()).isTrue();
        lease.close();
    }

    /** ZooKeeper's own client would stay until every lease is over. */
    @Tag("full")
    @Test
    void halfOpenLink_anotherWayIsTakenBeforeLeasesEnd() throws Exception {
        ZooKeeperServer server = server();
        FaultProxy one = closing(FaultProxy.ofBytes(server.host(), server.port()));
        FaultProxy other = closing(FaultProxy.ofBytes(server.host(), server.port()));
        LockClient locks = closing(builder("127.0.0.1:" + one.port() + ",127.0.0.1:" + other.port())
                .defaults(patient())
                .connect());
        Lease lease = locks.lock("a").acquire();
        Queue<LostReason> told = losses(lease);
        FaultProxy used = one.openConnections() > 0 ? one : other;
        FaultProxy free = used == one ? other : one;

        used.halfOpen();

        await().atMost(PATIENCE).until(() -> free.openConnections() > 0);
        await().atMost(PATIENCE).until(() -> lease.remaining().compareTo(Duration.ofSeconds(20)) > 0);
        assertThat(told).isEmpty();
        assertThat(lease.isValid()).isTrue();
    }

    /** ZooKeeper's own client would wait for two thirds of its session. */
    @Test
    void halfOpenLink_clientIsClosed_doesNotWaitForTheServer() throws Exception {
        ZooKeeperServer server = server();
        FaultProxy way = closing(FaultProxy.ofBytes(server.host(), server.port()));
        LockClient locks = closing(ZooKeeperLocks.builder(way.host() + ":" + way.port())
                .tick(TICK)
                .session(Duration.ofMinutes(4))
                .connect());
        locks.lock("a").acquire();

        way.halfOpen();

        CompletableFuture.runAsync(locks::close).get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
    }

    @Test
    void slowLink_costsTimeAndNoLock() throws Exception {
        ZooKeeperServer server = server();
        FaultProxy way = closing(FaultProxy.ofBytes(server.host(), server.port()));
        LockClient slow = closing(
                builder(way.host() + ":" + way.port()).defaults(patient()).connect());
        way.delayRequests(Duration.ofMillis(100));
        way.delayReplies(Duration.ofMillis(100));
        for (int round = 0; round < 3; round++) {
            try (Lease lease = slow.lock("a").acquire()) {
                assertThat(lease.isValid()).isTrue();
            }
        }
    }

    /** Nobody renews it, and it was there when it was looked at: only the watch can have told. */
    @Test
    void revocation_isToldByTheWatch() throws Exception {
        ZooKeeperServer server = server();
        LockClient locks = closing(builder(server.address()).connect());
        Lease lease = locks.lock("a", LockOptions.defaults().fixedLease(Duration.ofSeconds(26)))
                .acquire();
        Queue<LostReason> told = losses(lease);
        ZooKeeper operator = new ZooKeeper(server.address(), 10_000, event -> {});
        String parent = "/holdfast/lock:a";
        String node = parent + '/' + operator.getChildren(parent, false).get(0);
        await().atMost(PATIENCE).until(() -> server.ask("wchp").contains(node));
        operator.delete(node, -1);
        operator.close();
        await().atMost(PATIENCE).until(() -> told.contains(LostReason.FORGOTTEN));
    }

    @Test
    void manyClaims_areTakenRenewedAndReleased() throws Exception {
        ZooKeeperServer server = server();
        LockClient locks = closing(builder(server.address()).connect());
        List<Lease> leases = new ArrayList<>();
        for (int i = 0; i < 200; i++) {
            leases.add(locks.lock("many:" + i).acquire());
        }
        for (Lease lease : leases) {
            lease.extend(Duration.ofSeconds(20));
        }
        assertThat(leases).allMatch(Lease::isValid);
        leases.forEach(Lease::close);
        assertThat(locks.inspector().list("many:").count()).isZero();
    }
}
