package io.holdfast.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.LockKind;
import io.holdfast.spi.AttemptResult;
import io.holdfast.spi.BackendListener;
import io.holdfast.spi.Claim;
import io.holdfast.spi.ClaimId;
import io.holdfast.spi.LockBackend;
import io.holdfast.spi.RenewResult;
import io.holdfast.spi.Renewal;
import io.holdfast.spi.Resource;
import io.holdfast.testing.zookeeper.ZooKeeperServer;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
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

    /** A started backend, and what it was told. */
    private static final class Client implements AutoCloseable, BackendListener {
        private final LockBackend backend =
                ZooKeeperLocks.builder(server.address()).newBackend();
        private final String id = UUID.randomUUID().toString();
        private final AtomicLong sequence = new AtomicLong();
        private final Queue<ClaimId> granted = new ConcurrentLinkedQueue<>();
        private final Queue<ClaimId> revoked = new ConcurrentLinkedQueue<>();

        Client() {
            backend.start(id, this);
        }

        Claim claim(Resource resource, int weight, boolean waits, Duration lease) {
            return Claim.builder(new ClaimId(id, sequence.incrementAndGet()), resource, lease)
                    .weight(weight)
                    .waits(waits)
                    .build();
        }

        AttemptResult ask(Claim claim) {
            return backend.attempt(claim, PATIENCE);
        }

        @Override
        public void granted(ClaimId claim, long token, Duration left, long startNanos) {
            granted.add(claim);
        }

        @Override
        public void revoked(ClaimId claim) {
            revoked.add(claim);
        }

        @Override
        public void changed(Resource resource) {}

        @Override
        public void missed() {}

        @Override
        public void close() {
            backend.close();
        }
    }

    private static Resource resource(LockKind kind, int capacity) {
        return new Resource(kind, UUID.randomUUID().toString(), capacity);
    }

    private static String path(Resource resource) {
        return "/holdfast/" + resource.kind().name().toLowerCase(Locale.ROOT) + ':' + resource.name();
    }

    @Test
    void lease_notRenewed_endsByTheTimerOfItsClient() {
        try (Client one = new Client();
                Client other = new Client()) {
            Resource mutex = resource(LockKind.LOCK, 1);
            one.ask(one.claim(mutex, 1, true, Duration.ofMillis(300)));
            Claim next = other.claim(mutex, 1, false, LEASE);
            await().atMost(PATIENCE).until(() -> other.ask(next) instanceof AttemptResult.Granted);
        }
    }

    @Test
    void attempt_passingAndHeld_writesNothing() throws Exception {
        try (Client one = new Client();
                Client other = new Client()) {
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
            try (Client one = new Client();
                    Client other = new Client()) {
                Resource resource = resource(kind, 1);
                Claim held = one.claim(resource, 1, true, LEASE);
                Claim waiting = other.claim(resource, 1, true, LEASE);
                one.ask(held);
                assertThat(other.ask(waiting)).isInstanceOf(AttemptResult.Queued.class);
                assertThat(one.backend.release(held)).isTrue();
                await().atMost(PATIENCE).until(() -> other.granted.contains(waiting.id()));
            }
        }
    }

    @Test
    void node_deletedByAnOperator_ownerIsTold() throws Exception {
        try (Client one = new Client()) {
            Resource mutex = resource(LockKind.LOCK, 1);
            Claim claim = one.claim(mutex, 1, true, LEASE);
            one.ask(claim);
            operator.delete(
                    path(mutex) + '/' + operator.getChildren(path(mutex), false).get(0), -1);
            await().atMost(PATIENCE).until(() -> one.revoked.contains(claim.id()));
        }
    }

    @Test
    void renewal_nodeDeleted_isGone() throws Exception {
        try (Client one = new Client()) {
            Resource mutex = resource(LockKind.LOCK, 1);
            Claim claim = one.claim(mutex, 1, true, LEASE);
            one.ask(claim);
            operator.delete(
                    path(mutex) + '/' + operator.getChildren(path(mutex), false).get(0), -1);
            assertThat(one.backend.renew(List.of(new Renewal(claim, LEASE)))).containsExactly(new RenewResult.Gone());
        }
    }

    @Test
    void arrival_repeated_countsOnceAndOutlivesItsClient() throws Exception {
        Resource latch = resource(LockKind.LATCH, 2);
        try (Client one = new Client()) {
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
        try (Client one = new Client()) {
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
        try (Client one = new Client()) {
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
        try (Client one = new Client()) {
            Resource three = resource(LockKind.SEMAPHORE, 3);
            Resource five = new Resource(LockKind.SEMAPHORE, three.name(), 5);
            one.ask(one.claim(three, 1, true, LEASE));
            assertThat(one.ask(one.claim(five, 1, true, LEASE))).isEqualTo(new AttemptResult.Mismatched(3));
            assertThat(operator.getChildren(path(three), false)).hasSize(1);
        }
    }
}
