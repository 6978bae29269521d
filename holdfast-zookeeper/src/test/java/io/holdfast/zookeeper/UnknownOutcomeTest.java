package io.holdfast.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.holdfast.LockKind;
import io.holdfast.LockStoreException;
import io.holdfast.spi.AttemptResult;
import io.holdfast.spi.Claim;
import io.holdfast.spi.Resource;
import io.holdfast.spi.TimeSource;
import io.holdfast.testing.redis.FaultProxy;
import io.holdfast.testing.zookeeper.SessionTap;
import io.holdfast.testing.zookeeper.ZooKeeperServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.ZooDefs;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.data.ACL;
import org.apache.zookeeper.data.Stat;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What a client did and does not know of, and what it must not leave behind. */
@Tag("integration")
class UnknownOutcomeTest {
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

    private static Resource mutex() throws Exception {
        Resource mutex = new Resource(LockKind.LOCK, UUID.randomUUID().toString(), 1);
        operator.create(path(mutex), new byte[0], ZooDefs.Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT);
        return mutex;
    }

    private static String path(Resource mutex) {
        return "/holdfast/lock:" + mutex.name();
    }

    private static List<String> children(Resource mutex) throws Exception {
        operator.sync(path(mutex));
        return operator.getChildren(path(mutex), false);
    }

    private static BackendClient client(FaultProxy way) {
        return new BackendClient(
                ZooKeeperLocks.builder(way.host() + ":" + way.port()).requestTimeout(Duration.ofSeconds(1)));
    }

    /** One of an older session of the same client would go with it, and with it the lock. */
    @Test
    void search_nodeOfAnotherSession_isRemovedAndNotTaken() throws Exception {
        try (BackendClient first = new BackendClient(server); // so that the root is there
                SessionTap way = SessionTap.before(server);
                BackendClient client = new BackendClient(BackendClient.patient(way.address()))) {
            Resource mutex = mutex();
            Claim claim = client.claim(mutex, 1, true, LEASE);
            String name =
                    path(mutex) + '/' + claim.id().client() + '.' + claim.id().sequence() + ",1,1,1,_";
            operator.create(name, new byte[0], ZooDefs.Ids.OPEN_ACL_UNSAFE, CreateMode.EPHEMERAL_SEQUENTIAL);
            way.closeAtAnswer(1);

            AttemptResult result = client.ask(claim);

            assertThat(children(mutex)).hasSize(1);
            String node = path(mutex) + '/' + children(mutex).get(0);
            assertThat(operator.exists(node, false).getEphemeralOwner()).isNotEqualTo(operator.getSessionId());
            if (result instanceof AttemptResult.Granted granted) {
                assertThat(granted.token())
                        .isEqualTo(operator.exists(node, false).getCzxid() << 8);
            } else {
                assertThat(client.ask(claim)).isInstanceOf(AttemptResult.Granted.class);
            }
            first.backend().inspect(mutex);
        }
    }

    /** The server of the next connection may be behind: then it does not know yet of what the last one was told. */
    @Test
    void search_goesBehindAWrite() throws Exception {
        try (SessionTap way = SessionTap.before(server);
                BackendClient client =
                        new BackendClient(BackendClient.patient(way.address()).session(Duration.ofMinutes(4)))) {
            Resource mutex = mutex();
            Claim claim = client.claim(mutex, 1, true, LEASE);
            long before = write();
            way.closeAtAnswer(1);
            assertThat(client.ask(claim)).isInstanceOf(AttemptResult.Granted.class);
            assertThat(way.closed()).isEqualTo(1);
            assertThat(write() - before - 1)
                    .as("transactions: the node, and what the look is behind")
                    .isEqualTo(2);
        }
    }

    /** The number of a transaction of now. */
    private static long write() throws Exception {
        return operator.setData("/holdfast/.clients", new byte[0], -1).getMzxid();
    }

    /** Nobody ever hears whether the node was made, and it goes with its session. */
    @Test
    void attempt_sessionEndsBeforeItsOutcomeIsKnown_makesOneNodeInTheNext() throws Exception {
        try (SessionTap way = SessionTap.before(server);
                BackendClient client = new BackendClient(BackendClient.patient(way.address()))) {
            Resource mutex = mutex();
            Claim claim = client.claim(mutex, 1, true, LEASE);
            SessionTap.Session first = way.sessions().get(0);
            way.admit(0);
            way.closeAtAnswer(1);
            CompletableFuture<AttemptResult> asked = CompletableFuture.supplyAsync(() -> client.ask(claim));
            await().atMost(PATIENCE).until(() -> children(mutex).size() == 1);
            assertThat(first.end(server.address())).isTrue();
            assertThat(children(mutex)).isEmpty();
            way.admit(Integer.MAX_VALUE);

            AttemptResult result = asked.handle((given, late) -> given == null ? client.ask(claim) : given)
                    .get(PATIENCE.toSeconds(), TimeUnit.SECONDS);

            assertThat(children(mutex)).hasSize(1);
            Stat node = operator.exists(path(mutex) + '/' + children(mutex).get(0), false);
            assertThat(result)
                    .isInstanceOfSatisfying(
                            AttemptResult.Granted.class,
                            granted -> assertThat(granted.token()).isEqualTo(node.getCzxid() << 8));
            assertThat(client.backend().release(claim)).isTrue();
            assertThat(children(mutex)).isEmpty();
        }
    }

    /** Who only tries looks first; those who look at the same time all find it free. */
    @Test
    void passingClaims_atTheSameTime_leaveOneNode() throws Exception {
        List<BackendClient> clients = new ArrayList<>();
        try {
            for (int i = 0; i < 4; i++) {
                clients.add(new BackendClient(server));
            }
            for (int round = 0; round < 25; round++) {
                Resource mutex = mutex();
                List<CompletableFuture<AttemptResult>> asked = new ArrayList<>();
                for (BackendClient client : clients) {
                    Claim claim = client.claim(mutex, 1, false, LEASE);
                    asked.add(CompletableFuture.supplyAsync(() -> client.ask(claim)));
                }
                int granted = 0;
                for (CompletableFuture<AttemptResult> each : asked) {
                    granted += each.get(20, TimeUnit.SECONDS) instanceof AttemptResult.Granted ? 1 : 0;
                }
                assertThat(granted).isEqualTo(1);
                assertThat(children(mutex)).hasSize(1);
            }
        } finally {
            clients.forEach(BackendClient::close);
        }
    }

    /** The session lives, so nobody else would remove it; and nobody asks again. */
    @Test
    void release_withoutAConnection_isMadeUpFor() throws Exception {
        try (FaultProxy way = FaultProxy.ofBytes(server.host(), server.port());
                BackendClient client = client(way)) {
            Resource mutex = mutex();
            Claim claim = client.claim(mutex, 1, true, LEASE);
            assertThat(client.ask(claim)).isInstanceOf(AttemptResult.Granted.class);
            way.refuse();
            way.reset();
            assertThatThrownBy(() -> client.backend().release(claim)).isInstanceOf(LockStoreException.class);
            long refused = way.accepted();
            await().atMost(PATIENCE).until(() -> way.accepted() > refused + 1); // whatever was under way has failed
            assertThat(children(mutex)).hasSize(1);

            way.heal();

            await().atMost(PATIENCE).until(() -> children(mutex).isEmpty());
        }
    }

    /** As soon as somebody gives the right back. */
    @Test
    void release_forbidden_isMadeUpFor() throws Exception {
        try (BackendClient client = new BackendClient(server)) {
            Resource mutex = mutex();
            Claim claim = client.claim(mutex, 1, true, LEASE);
            client.ask(claim);
            int notDelete = ZooDefs.Perms.ALL & ~ZooDefs.Perms.DELETE;
            operator.setACL(path(mutex), Arrays.asList(new ACL(notDelete, ZooDefs.Ids.ANYONE_ID_UNSAFE)), -1);
            assertThatThrownBy(() -> client.backend().release(claim))
                    .isInstanceOf(LockStoreException.class)
                    .hasMessageContaining("permissions");

            operator.setACL(path(mutex), ZooDefs.Ids.OPEN_ACL_UNSAFE, -1);

            await().atMost(PATIENCE).until(() -> children(mutex).isEmpty());
        }
    }

    /** What is still to be removed must not be taken for the node of the next attempt, nor remove that. */
    @Test
    void attempt_removalUnderWay_waitsForIt() throws Exception {
        try (SessionTap tap = SessionTap.before(server);
                FaultProxy way = FaultProxy.ofBytes("127.0.0.1", tap.port());
                BackendClient client = client(way)) {
            for (int round = 0; round < 5; round++) {
                Resource mutex = mutex();
                Claim claim = client.claim(mutex, 1, true, LEASE);
                way.refuse();
                tap.closeAtAnswer(1);
                assertThatThrownBy(() -> client.ask(claim)).isInstanceOf(LockStoreException.class);
                assertThatThrownBy(() -> client.backend().release(claim)).isInstanceOf(LockStoreException.class);
                way.heal();
                AttemptResult[] result = new AttemptResult[1];
                await().atMost(PATIENCE).ignoreExceptions().until(() -> {
                    result[0] = client.ask(claim);
                    return true;
                });
                assertThat(result[0]).isInstanceOf(AttemptResult.Granted.class);
                client.backend().client("nobody"); // behind what was sent before
                assertThat(children(mutex)).hasSize(1);
            }
        }
    }

    /** As after a pause for which the session may or may not have lasted. */
    @Test
    void attempt_sessionMayBeOver_promisesNothing() throws Exception {
        AtomicLong leapNanos = new AtomicLong();
        TimeSource time = new TimeSource() {
            @Override
            public long nanoTime() {
                return System.nanoTime() + leapNanos.get();
            }

            @Override
            public long wallMillis() {
                return System.currentTimeMillis();
            }
        };
        try (BackendClient client = new BackendClient(ZooKeeperLocks.builder(server.address()), time)) {
            Resource mutex = mutex();
            leapNanos.addAndGet(Duration.ofMinutes(2).toNanos());
            assertThatThrownBy(() -> client.ask(client.claim(mutex, 1, true, LEASE)))
                    .isInstanceOf(LockStoreException.class);
        }
    }
}
