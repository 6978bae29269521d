package io.holdfast.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.LockKind;
import io.holdfast.spi.AttemptResult;
import io.holdfast.spi.Claim;
import io.holdfast.spi.Resource;
import io.holdfast.testing.zookeeper.SessionTap;
import io.holdfast.testing.zookeeper.ZooKeeperServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.data.Stat;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What the backend does with nodes, seen from the other side. */
@Tag("integration")
class RulesTest {
    private static final Duration PATIENCE = Duration.ofSeconds(20);
    private static final Duration LEASE = Duration.ofSeconds(20);
    private static ZooKeeperServer server;
    private static ZooKeeper operator;

    @BeforeAll
    static void start() throws Exception {
        server = ZooKeeperServer.start();
        operator = new ZooKeeper(server.address(), 40_000, event -> {});
    }

    @AfterAll
    static void stop() throws Exception {
        operator.close();
        server.close();
    }

    private static Resource resource(LockKind kind, int capacity) {
        return new Resource(kind, UUID.randomUUID().toString(), capacity);
    }

    private static String path(Resource resource) {
        return "/holdfast/" + resource.kind().name().toLowerCase(Locale.ROOT) + ':' + resource.name();
    }

    @Test
    void lease_notRenewed_endsByTheTimerOfItsClient() {
        try (BackendClient one = new BackendClient(server);
                BackendClient other = new BackendClient(server)) {
            Resource mutex = resource(LockKind.LOCK, 1);
            one.ask(one.claim(mutex, 1, true, Duration.ofMillis(300)));
            Claim next = other.claim(mutex, 1, false, LEASE);
            await().atMost(PATIENCE).until(() -> other.ask(next) instanceof AttemptResult.Granted);
        }
    }

    @Test
    void attempt_passingAndHeld_writesNothing() throws Exception {
        try (BackendClient one = new BackendClient(server);
                BackendClient other = new BackendClient(server)) {
            Resource mutex = resource(LockKind.LOCK, 1);
            one.ask(one.claim(mutex, 1, true, LEASE));
            int before = operator.exists(path(mutex), false).getCversion();
            assertThat(other.ask(other.claim(mutex, 1, false, LEASE))).isInstanceOf(AttemptResult.Busy.class);
            operator.sync(path(mutex));
            assertThat(operator.exists(path(mutex), false).getCversion()).isEqualTo(before);
        }
    }

    @Test
    void waiter_holderLeaves_isToldWithoutAsking() {
        for (LockKind kind : List.of(LockKind.LOCK, LockKind.SEMAPHORE)) {
            try (BackendClient one = new BackendClient(server);
                    BackendClient other = new BackendClient(server)) {
                Resource resource = resource(kind, 1);
                Claim held = one.claim(resource, 1, true, LEASE);
                Claim waiting = other.claim(resource, 1, true, LEASE);
                one.ask(held);
                assertThat(other.ask(waiting)).isInstanceOf(AttemptResult.Queued.class);
                assertThat(one.backend().release(held)).isTrue();
                await().atMost(PATIENCE).until(() -> other.granted().contains(waiting.id()));
            }
        }
    }

    /** The one before is still there, and its own node is not: nobody would ever serve it. */
    @Test
    void waiter_nodeDeleted_getsANewPlaceWhenItAsksAgain() throws Exception {
        try (SessionTap way = SessionTap.before(server);
                BackendClient one = new BackendClient(server);
                BackendClient other = new BackendClient(ZooKeeperLocks.builder(way.address()))) {
            way.dropEvents(true);
            Resource mutex = resource(LockKind.LOCK, 1);
            List<Claim> before = line(one, mutex);
            Claim waiting = other.claim(mutex, 1, true, LEASE);
            AttemptResult queued = other.ask(waiting);
            assertThat(other.ask(waiting)).isEqualTo(queued);
            for (String child : operator.getChildren(path(mutex), false)) {
                if (child.startsWith(waiting.id().client() + '.')) {
                    operator.delete(path(mutex) + '/' + child, -1);
                }
            }
            assertThat(other.ask(waiting)).isEqualTo(queued);
            assertThat(operator.getChildren(path(mutex), false)).hasSize(before.size() + 1);
            before.forEach(one.backend()::release);
            assertThat(other.ask(waiting)).isInstanceOf(AttemptResult.Granted.class);
        }
    }

    @Test
    void waiter_farBehindAndWatchLost_isServedWhenItAsksAgain() {
        try (SessionTap way = SessionTap.before(server);
                BackendClient one = new BackendClient(server);
                BackendClient other = new BackendClient(ZooKeeperLocks.builder(way.address()))) {
            way.dropEvents(true);
            Resource mutex = resource(LockKind.LOCK, 1);
            List<Claim> before = line(one, mutex);
            Claim waiting = other.claim(mutex, 1, true, LEASE);
            assertThat(other.ask(waiting)).isInstanceOf(AttemptResult.Queued.class);
            before.forEach(one.backend()::release);
            assertThat(other.ask(waiting)).isInstanceOf(AttemptResult.Granted.class);
        }
    }

    /** A holder, and three who wait. */
    private static List<Claim> line(BackendClient client, Resource mutex) {
        List<Claim> line = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            line.add(client.claim(mutex, 1, true, LEASE));
            client.ask(line.get(i));
        }
        return line;
    }

    /** Who waits for a list of five thousand names each second need not read them. */
    @Test
    void waiter_asksAgain_readsNoList() throws Exception {
        try (SessionTap way = SessionTap.before(server);
                BackendClient one = new BackendClient(server);
                BackendClient other = new BackendClient(ZooKeeperLocks.builder(way.address()))) {
            Resource mutex = resource(LockKind.LOCK, 1);
            for (int i = 0; i < 100; i++) {
                one.ask(one.claim(mutex, 1, true, LEASE));
            }
            Claim waiting = other.claim(mutex, 1, true, LEASE);
            assertThat(other.ask(waiting)).isInstanceOf(AttemptResult.Queued.class);
            long before = way.bytes();
            AttemptResult again = other.ask(waiting);
            assertThat(again).isInstanceOf(AttemptResult.Queued.class);
            assertThat(((AttemptResult.Queued) again).place()).isEqualTo(100);
            assertThat(way.bytes() - before).isLessThan(2_000);
        }
    }

    /** Nobody asks again here, and no event comes: only the look right behind the deletion can have told. */
    @Test
    void waiter_ofTheSameClient_isServedWithTheRelease() {
        try (SessionTap way = SessionTap.before(server);
                BackendClient one = new BackendClient(ZooKeeperLocks.builder(way.address()))) {
            way.dropEvents(true);
            for (LockKind kind : List.of(LockKind.LOCK, LockKind.SEMAPHORE)) {
                Resource resource = resource(kind, 1);
                Claim held = one.claim(resource, 1, true, LEASE);
                Claim waiting = one.claim(resource, 1, true, LEASE);
                Claim last = one.claim(resource, 1, true, LEASE);
                one.ask(held);
                one.ask(waiting);
                one.ask(last);
                one.backend().inspect(resource); // what was sent before is answered
                one.backend().release(held);
                await().atMost(PATIENCE).until(() -> one.granted().contains(waiting.id()));
                assertThat(one.granted()).doesNotContain(last.id());
                one.backend().inspect(resource);
                one.backend().release(waiting);
                await().atMost(PATIENCE).until(() -> one.granted().contains(last.id()));
                one.backend().release(last);
            }
            assertThat(way.dropped()).isPositive();
        }
    }

    @Test
    void node_deletedByAnOperator_ownerIsTold() throws Exception {
        try (BackendClient one = new BackendClient(server)) {
            Resource mutex = resource(LockKind.LOCK, 1);
            Claim claim = one.claim(mutex, 1, true, LEASE);
            one.ask(claim);
            operator.delete(
                    path(mutex) + '/' + operator.getChildren(path(mutex), false).get(0), -1);
            await().atMost(PATIENCE).until(() -> one.revoked().contains(claim.id()));
        }
    }

    /** Whoever is alone reads no names. */
    @Test
    void cycle_nobodyElseIsThere_isTwoRequests() {
        try (SessionTap way = SessionTap.before(server);
                BackendClient one =
                        new BackendClient(ZooKeeperLocks.builder(way.address()).session(Duration.ofMinutes(4)))) {
            Resource mutex = resource(LockKind.LOCK, 1);
            await().atMost(PATIENCE)
                    .until(() -> requests(way, () -> {
                                Claim claim = one.claim(mutex, 1, true, LEASE);
                                assertThat(one.ask(claim)).isInstanceOf(AttemptResult.Granted.class);
                                one.backend().release(claim);
                            })
                            == 2); // not the first time, which makes the node of the lock
        }
    }

    /** How many requests a client makes for something. */
    static int requests(SessionTap way, Runnable work) {
        int before = way.answers();
        work.run();
        return way.answers() - before;
    }

    /** The first two answers bring the names; then everything is asked for that was named, before an answer comes. */
    @Test
    void list_ofManyLocks_asksForAllAtOnce() throws Exception {
        try (SessionTap way = SessionTap.before(server);
                BackendClient one =
                        new BackendClient(ZooKeeperLocks.builder(way.address()).session(Duration.ofMinutes(4)))) {
            String prefix = UUID.randomUUID().toString();
            for (int i = 0; i < 100; i++) {
                one.ask(one.claim(new Resource(LockKind.LOCK, prefix + i, 1), 1, true, LEASE));
            }
            await().atMost(PATIENCE)
                    .until(() -> server.ask("wchp")
                                    .lines()
                                    .filter(line -> line.contains(prefix))
                                    .count()
                            == 100); // each holder watches itself, and nobody else asks anything then
            one.backend().inspect(resource(LockKind.LOCK, 1));
            long before = received();
            way.holdAfter(2);
            CompletableFuture<Long> found = CompletableFuture.supplyAsync(
                    () -> one.backend().list(prefix).count());
            await().atMost(PATIENCE).until(() -> received() - before > 100);
            way.letGo();
            assertThat(found.get()).isEqualTo(100);
        }
    }

    /** How many requests the server has seen, the questions for this included. */
    private static long received() {
        return server.ask("mntr")
                .lines()
                .filter(line -> line.startsWith("zk_packets_received"))
                .mapToLong(line -> Long.parseLong(line.replaceAll("[^0-9]", "")))
                .sum();
    }

    @Test
    void arrival_repeated_countsOnceAndOutlivesItsClient() throws Exception {
        Resource latch = resource(LockKind.LATCH, 2);
        try (BackendClient one = new BackendClient(server)) {
            Claim arrival = one.claim(latch, 1, false, Duration.ofDays(1));
            AttemptResult first = one.ask(arrival);
            assertThat(first).isInstanceOf(AttemptResult.Granted.class).isEqualTo(one.ask(arrival));
        }
        operator.sync(path(latch));
        assertThat(operator.getChildren(path(latch), false)).hasSize(1);
    }

    /** As a request that comes late while the next one is under way. */
    @Test
    void attempt_twiceAtOnce_makesOneNode() throws Exception {
        try (BackendClient one = new BackendClient(server)) {
            for (int round = 0; round < 20; round++) {
                Resource mutex = resource(LockKind.LOCK, 1);
                Claim claim = one.claim(mutex, 1, true, LEASE);
                CompletableFuture<AttemptResult> late = CompletableFuture.supplyAsync(() -> one.ask(claim));
                AttemptResult result = one.ask(claim);
                assertThat(((AttemptResult.Granted) result).token())
                        .isEqualTo(((AttemptResult.Granted) late.get()).token());
                operator.sync(path(mutex));
                assertThat(operator.getChildren(path(mutex), false)).hasSize(1);
            }
        }
    }

    @Test
    void token_isTheTransaction() throws Exception {
        try (BackendClient one = new BackendClient(server)) {
            Resource mutex = resource(LockKind.LOCK, 1);
            AttemptResult result = one.ask(one.claim(mutex, 1, true, LEASE));
            Stat stat = operator.exists(
                    path(mutex) + '/' + operator.getChildren(path(mutex), false).get(0), false);
            assertThat(((AttemptResult.Granted) result).token()).isEqualTo(stat.getCzxid() << 8);
            assertThat(stat.getEphemeralOwner()).isNotZero();
        }
    }

    @Test
    void capacity_another_leavesNoNode() throws Exception {
        try (BackendClient one = new BackendClient(server)) {
            Resource three = resource(LockKind.SEMAPHORE, 3);
            Resource five = new Resource(LockKind.SEMAPHORE, three.name(), 5);
            one.ask(one.claim(three, 1, true, LEASE));
            assertThat(one.ask(one.claim(five, 1, true, LEASE))).isEqualTo(new AttemptResult.Mismatched(3));
            assertThat(operator.getChildren(path(three), false)).hasSize(1);
        }
    }
}
