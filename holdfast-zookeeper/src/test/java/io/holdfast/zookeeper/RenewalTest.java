package io.holdfast.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.LockKind;
import io.holdfast.spi.Claim;
import io.holdfast.spi.RenewResult;
import io.holdfast.spi.Renewal;
import io.holdfast.spi.Resource;
import io.holdfast.testing.zookeeper.SessionTap;
import io.holdfast.testing.zookeeper.ZooKeeperServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.UUID;
import org.apache.zookeeper.ZooDefs;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.data.ACL;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What a renewal costs, and what it finds out. */
@Tag("integration")
class RenewalTest {
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

    private static String path(Resource mutex) {
        return "/holdfast/lock:" + mutex.name();
    }

    @Test
    void renewal_nodeDeleted_isGone() throws Exception {
        try (BackendClient one = new BackendClient(server)) {
            Resource mutex = mutex();
            Claim claim = one.claim(mutex, 1, true, LEASE);
            one.ask(claim);
            operator.delete(
                    path(mutex) + '/' + operator.getChildren(path(mutex), false).get(0), -1);
            assertThat(one.backend().renew(List.of(new Renewal(claim, LEASE)))).containsExactly(new RenewResult.Gone());
        }
    }

    /** However many there are. A session of four minutes, so that no beat comes between. */
    @Test
    void renewal_ofManyClaims_isOneWrite() throws Exception {
        ZooKeeperLocksBuilder builder = ZooKeeperLocks.builder(server.address()).session(Duration.ofMinutes(4));
        try (BackendClient one = new BackendClient(builder)) {
            List<Renewal> renewals = new ArrayList<>();
            for (int i = 0; i < 100; i++) {
                Claim claim = one.claim(mutex(), 1, true, LEASE);
                one.ask(claim);
                renewals.add(new Renewal(claim, LEASE));
            }
            long before = write();
            assertThat(one.backend().renew(renewals)).allMatch(RenewResult.Renewed.class::isInstance);
            assertThat(write() - before - 1).as("transactions").isEqualTo(1);
        }
    }

    /** Those of more than one portion, of which one in each was deleted. */
    @Test
    void renewal_ofManyClaims_tellsWhichAreGone() throws Exception {
        try (BackendClient one = new BackendClient(server)) {
            List<Renewal> renewals = new ArrayList<>();
            for (int i = 0; i < 510; i++) {
                Claim claim = one.claim(mutex(), 1, true, LEASE);
                one.ask(claim);
                renewals.add(new Renewal(claim, LEASE));
            }
            for (int gone : List.of(3, 505)) {
                String parent = path(renewals.get(gone).claim().resource());
                operator.delete(
                        parent + '/' + operator.getChildren(parent, false).get(0), -1);
            }
            List<RenewResult> results = one.backend().renew(renewals);
            for (int i = 0; i < results.size(); i++) {
                assertThat(results.get(i))
                        .as("claim %s", i)
                        .isInstanceOf(i == 3 || i == 505 ? RenewResult.Gone.class : RenewResult.Renewed.class);
            }
        }
    }

    @Test
    void renewal_nodeCannotBeRead_isNotGone() throws Exception {
        try (BackendClient one = new BackendClient(server)) {
            Resource mutex = mutex();
            Claim claim = one.claim(mutex, 1, true, LEASE);
            one.ask(claim);
            String node =
                    path(mutex) + '/' + operator.getChildren(path(mutex), false).get(0);
            operator.setACL(
                    node, Collections.singletonList(new ACL(ZooDefs.Perms.ADMIN, ZooDefs.Ids.ANYONE_ID_UNSAFE)), -1);
            assertThat(one.backend().renew(List.of(new Renewal(claim, LEASE))))
                    .allMatch(RenewResult.Failed.class::isInstance);
            operator.setACL(node, ZooDefs.Ids.OPEN_ACL_UNSAFE, -1);
            assertThat(one.backend().renew(List.of(new Renewal(claim, LEASE))))
                    .allMatch(RenewResult.Renewed.class::isInstance);
        }
    }

    /** Beside a watch of what is held for long, which comes once. A session of four minutes, so that no beat comes. */
    @Test
    void renewal_ofManyClaims_isTwoRequests() {
        try (SessionTap way = SessionTap.before(server);
                BackendClient one =
                        new BackendClient(ZooKeeperLocks.builder(way.address()).session(Duration.ofMinutes(4)))) {
            List<Renewal> renewals = new ArrayList<>();
            for (int i = 0; i < 20; i++) {
                Claim claim = one.claim(mutex(), 1, true, LEASE);
                one.ask(claim);
                renewals.add(new Renewal(claim, LEASE));
            }
            await().atMost(PATIENCE)
                    .until(() -> RulesTest.requests(way, () -> one.backend().renew(renewals)) == 2);
        }
    }

    /** The number of a transaction of now. */
    private static long write() throws Exception {
        return operator.setData("/holdfast/.clients", new byte[0], -1).getMzxid();
    }
}
