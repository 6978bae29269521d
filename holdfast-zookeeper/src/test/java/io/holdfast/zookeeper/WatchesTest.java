package io.holdfast.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.Fairness;
import io.holdfast.Lease;
import io.holdfast.LockClient;
import io.holdfast.LockKind;
import io.holdfast.LockOptions;
import io.holdfast.spi.AttemptResult;
import io.holdfast.spi.Claim;
import io.holdfast.spi.RenewResult;
import io.holdfast.spi.Renewal;
import io.holdfast.spi.Resource;
import io.holdfast.testing.zookeeper.SessionTap;
import io.holdfast.testing.zookeeper.ZooKeeperServer;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.zookeeper.ZooKeeper;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What is watched: enough to be told at once, and nothing that stays behind. */
@Tag("integration")
class WatchesTest {
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

    private static Resource mutex() {
        return new Resource(LockKind.LOCK, UUID.randomUUID().toString(), 1);
    }

    private static String parent(Resource mutex) {
        return "/holdfast/lock:" + mutex.name();
    }

    /** The paths that somebody watches. */
    private static List<String> watched() {
        return server.ask("wchp").lines().filter(line -> line.startsWith("/")).toList();
    }

    private static boolean isWatched(Resource mutex, int child) throws Exception {
        List<String> children = operator.getChildren(parent(mutex), false).stream()
                .sorted((one, other) ->
                        one.substring(one.length() - 10).compareTo(other.substring(other.length() - 10)))
                .toList();
        return watched().contains(parent(mutex) + '/' + children.get(child));
    }

    /** A node that is gone when its watch arrives never comes back, so a watch for its coming would stay. */
    @Test
    void contention_overManyCycles_leavesNoWatch() throws Exception {
        LockOptions fifo = LockOptions.defaults().fairness(Fairness.FIFO);
        try (LockClient one = ZooKeeperLocks.connect(server.address());
                LockClient other = ZooKeeperLocks.connect(server.address())) {
            List<CompletableFuture<Void>> users = new ArrayList<>();
            for (LockClient client : List.of(one, other, one, other)) {
                users.add(CompletableFuture.runAsync(() -> {
                    for (int cycle = 0; cycle < 150; cycle++) {
                        try (Lease lease = client.lock("contended", fifo).acquire()) {
                            assertThat(lease.isValid()).isTrue();
                        }
                    }
                }));
            }
            for (CompletableFuture<Void> user : users) {
                user.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
            }
            await().atMost(PATIENCE)
                    .untilAsserted(() -> assertThat(watched()).noneMatch(path -> path.contains("contended/")));
        }
    }

    /** As {@code tryAcquire(…)} in a loop, against somebody who holds for days. */
    @Test
    void waiters_thatGaveUp_areForgotten() {
        Resource mutex = mutex();
        try (BackendClient holder = new BackendClient(server);
                BackendClient client = new BackendClient(server)) {
            holder.ask(holder.claim(mutex, 1, true, Duration.ofSeconds(26))); // longer than anybody waits here
            List<WeakReference<Claim>> gone = new ArrayList<>();
            for (int i = 0; i < 20; i++) {
                gone.add(waitAndGiveUp(client, mutex));
            }
            await().atMost(PATIENCE).until(() -> {
                System.gc();
                return gone.stream().allMatch(claim -> claim.get() == null);
            });
        }
    }

    private static WeakReference<Claim> waitAndGiveUp(BackendClient client, Resource mutex) {
        Claim claim = client.claim(mutex, 1, true, LEASE);
        assertThat(client.ask(claim)).isInstanceOf(AttemptResult.Queued.class);
        client.backend().release(claim);
        return new WeakReference<>(claim);
    }

    /** Whoever leaves wakes the one behind it, and nobody else hears of it. */
    @Test
    void release_manyWait_oneIsTold() throws Exception {
        Resource mutex = mutex();
        List<SessionTap> ways = new ArrayList<>();
        List<BackendClient> waiters = new ArrayList<>();
        try (BackendClient holder = new BackendClient(server)) {
            Claim held = holder.claim(mutex, 1, true, LEASE);
            holder.ask(held);
            List<Claim> waiting = new ArrayList<>();
            for (int i = 0; i < 5; i++) {
                ways.add(SessionTap.before(server));
                waiters.add(new BackendClient(ZooKeeperLocks.builder(ways.get(i).address())));
                waiting.add(waiters.get(i).claim(mutex, 1, true, LEASE));
                assertThat(waiters.get(i).ask(waiting.get(i))).isInstanceOf(AttemptResult.Queued.class);
            }
            for (int i = 0; i < 5; i++) {
                int before = i;
                await().atMost(PATIENCE).until(() -> isWatched(mutex, before));
            }

            holder.backend().release(held);

            await().atMost(PATIENCE)
                    .until(() ->
                            waiters.get(0).granted().contains(waiting.get(0).id()));
            waiters.forEach(each -> each.backend().inspect(mutex)); // comes behind whatever was told
            assertThat(ways.stream().map(SessionTap::told)).containsExactly(1, 0, 0, 0, 0);
        } finally {
            waiters.forEach(BackendClient::close);
            ways.forEach(SessionTap::close);
        }
    }

    /** Its data changes with its lease, and with that the watch of whoever waits behind it is used up. */
    @Test
    void waiter_leaseBeforeItBecomesLonger_isToldOfTheEndAllTheSame() throws Exception {
        Resource mutex = mutex();
        try (BackendClient holder = new BackendClient(server);
                BackendClient client = new BackendClient(server)) {
            Claim held = holder.claim(mutex, 1, true, Duration.ofSeconds(10));
            Claim waiting = client.claim(mutex, 1, true, LEASE);
            holder.ask(held);
            client.ask(waiting);
            await().atMost(PATIENCE).until(() -> isWatched(mutex, 0));
            assertThat(holder.backend().renew(List.of(new Renewal(held, LEASE))))
                    .allMatch(RenewResult.Renewed.class::isInstance);
            await().atMost(PATIENCE).until(() -> isWatched(mutex, 0));
            holder.backend().release(held);
            await().atMost(PATIENCE).until(() -> client.granted().contains(waiting.id()));
        }
    }

    /** A list is watched again after each event, until all who wait for it have gone. */
    @Test
    void waiterForAPermit_severalLeaveOneAfterTheOther_isToldOfEach() {
        Resource one = new Resource(LockKind.SEMAPHORE, UUID.randomUUID().toString(), 1);
        try (BackendClient others = new BackendClient(server);
                BackendClient client = new BackendClient(server)) {
            List<Claim> before = new ArrayList<>();
            for (int i = 0; i < 3; i++) {
                before.add(others.claim(one, 1, true, LEASE));
                others.ask(before.get(i));
            }
            Claim waiting = client.claim(one, 1, true, LEASE);
            client.ask(waiting);
            for (Claim each : before) {
                client.backend().inspect(one); // comes behind the event, which leads to a look
                client.backend().inspect(one); // comes behind that look
                assertThat(client.granted()).isEmpty();
                others.backend().release(each);
            }
            await().atMost(PATIENCE).until(() -> client.granted().contains(waiting.id()));
        }
    }

    /** The connection ends in the place of the answer that would have said that it is watched. */
    @Test
    void holder_watchNotHeardOf_isWatchedAgain() throws Exception {
        Resource mutex = mutex();
        try (SessionTap way = SessionTap.before(server);
                BackendClient client = new BackendClient(ZooKeeperLocks.builder(way.address()))) {
            Claim claim = client.claim(mutex, 1, true, LEASE);
            client.ask(claim);
            way.closeAtAnswer(1);
            await().atMost(PATIENCE).until(() -> way.closed() == 1);
            await().atMost(PATIENCE).until(() -> !way.sessions().isEmpty());
            await().atMost(PATIENCE).until(() -> isWatched(mutex, 0));
            operator.delete(
                    parent(mutex)
                            + '/'
                            + operator.getChildren(parent(mutex), false).get(0),
                    -1);
            await().atMost(PATIENCE).until(() -> client.revoked().contains(claim.id()));
        }
    }

    /** Nobody renews here, and nobody asks: only the watch can have told. */
    @Test
    void holder_nodeDeleted_isToldByTheWatch() throws Exception {
        Resource mutex = mutex();
        try (BackendClient client = new BackendClient(server)) {
            Claim claim = client.claim(mutex, 1, true, Duration.ofSeconds(10));
            client.ask(claim);
            await().atMost(PATIENCE).until(() -> isWatched(mutex, 0));
            client.backend().renew(List.of(new Renewal(claim, LEASE))); // a longer one, which the node tells
            await().atMost(PATIENCE).until(() -> isWatched(mutex, 0));
            operator.delete(
                    parent(mutex)
                            + '/'
                            + operator.getChildren(parent(mutex), false).get(0),
                    -1);
            await().atMost(PATIENCE).until(() -> client.revoked().contains(claim.id()));
        }
    }
}
