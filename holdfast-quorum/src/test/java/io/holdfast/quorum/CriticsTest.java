package io.holdfast.quorum;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.Lease;
import io.holdfast.LockClient;
import io.holdfast.LockOptions;
import io.holdfast.LockRefusedException;
import io.holdfast.fence.JdbcFence;
import io.holdfast.fence.StaleTokenException;
import io.holdfast.redis.RedisLocks;
import io.holdfast.testing.redis.FaultProxy;
import io.holdfast.testing.redis.RedisServer;
import io.holdfast.testing.redis.RedisVersion;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The scenarios with which Redlock was criticised, on real servers. {@code docs/redlock.md} tells the story of each.
 */
@Tag("integration")
class CriticsTest {
    @AutoClose
    private Rig rig;

    /**
     * The reason for Redlock: the server that granted dies before anybody else knows of the grant, and its successor
     * knows nothing. With one server, as many use it, two clients hold the lock.
     */
    @Test
    void failover_oneServerThatForgets_twoHoldAndOnlyTheirTokensDiffer() {
        rig = new Rig(3);
        RedisServer server = rig.open(RedisServer.start(RedisVersion.V7_0));
        Lease first = rig.open(RedisLocks.connect(server.uri())).lock("a").acquire();
        server.restartEmpty();
        Lease second = Rig.take(rig.open(RedisLocks.connect(server.uri())), "a");
        assertThat(first.isValid()).as("it has not heard yet").isTrue();
        assertThat(second.isValid()).isTrue();
        assertThat(second.token()).isGreaterThan(first.token());
    }

    /** The same on a quorum: the node that forgot has no vote until the first holder's lease must have ended. */
    @Test
    void failover_oneNodeOfAQuorumForgets_oneHolds() {
        rig = new Rig(3);
        Lease first = rig.client().lock("a").acquire();
        rig.server(0).restartEmpty();
        LockClient second = rig.client();
        Rig.always("one holder", Rig.SHUT.plusSeconds(1), () -> {
            assertThat(first.isValid()).isTrue();
            return Rig.isNotGranted(second, "a");
        });
    }

    /**
     * The first client has nodes 1 and 2 of three. Node 2 restarts without its data, and the second client asks 2 and
     * 3.
     */
    @Test
    void restart_withoutPersistence_theNodeKeepsItsPromiseAllTheSame() {
        rig = new Rig(3);
        rig.server(2).pause();
        Lease first = rig.client().lock("a").acquire();
        rig.server(2).resume();
        rig.server(1).restartEmpty();
        FaultProxy noWay = rig.open(FaultProxy.to(rig.server(0)));
        noWay.refuse();
        LockClient second = rig.open(Rig.builder(
                        List.of(noWay.uri(), rig.server(1).uri(), rig.server(2).uri()))
                .connect());
        assertThatThrownBy(() -> second.lock("a").tryAcquire())
                .as("nodes 2 and 3 would be a majority")
                .isInstanceOfAny(LockRefusedException.class);
        Rig.always("one holder", Rig.SHUT.plusSeconds(1), () -> {
            assertThat(first.isValid()).isTrue();
            return Rig.isNotGranted(second, "a");
        });
        first.close();
        assertThat(Rig.take(second, "a").token()).isGreaterThan(first.token());
    }

    /**
     * The first client reaches nodes 1, 2 and 3 of five, the second one 3, 4 and 5, and the clock of 3 jumps. With just
     * a majority nothing can save the lock, but the second token is greater, so the resource can tell the two apart.
     */
    @Test
    void clockJump_holderHasJustAMajority_twoHoldAndTheFenceRefusesTheFirst() throws Exception {
        rig = new Rig(5);
        LockClient one = reaching(0, 1, 2);
        LockClient other = reaching(2, 3, 4);
        Lease first = one.lock("a", fixed()).acquire();
        assertThat(other.lock("a").tryAcquire()).as("before the jump").isEmpty();

        rig.clock(2).step(Duration.ofSeconds(8));

        Lease second = Rig.take(other, "a");
        assertThat(first.isValid()).as("it cannot know").isTrue();
        assertThat(second.token()).isGreaterThan(first.token());
        try (Account account = new Account()) {
            account.deposit(second, 10);
            assertThatThrownBy(() -> account.deposit(first, 10))
                    .isInstanceOf(StaleTokenException.class)
                    .hasMessageContaining(String.valueOf(first.token()))
                    .hasMessageContaining(String.valueOf(second.token()));
            assertThat(account.balance()).isEqualTo(10);
        }
    }

    /**
     * A holder that has all five survives two clocks that jump; the second client finds three nodes that still know the
     * holder.
     */
    @Test
    void clockJump_holderHasAllNodes_twoJumpsAreNotEnough() {
        rig = new Rig(5);
        Lease first = rig.client().lock("a").acquire();
        LockClient other = rig.client();
        rig.clock(2).step(Duration.ofSeconds(8));
        rig.clock(4).step(Duration.ofSeconds(8));
        Rig.always("one holder", Duration.ofSeconds(1), () -> {
            assertThat(first.isValid()).isTrue();
            return Rig.isNotGranted(other, "a");
        });
        assertThat(rig.holdersOf("a")).as("nodes that still know the holder").isGreaterThanOrEqualTo(3);
    }

    /**
     * A lease that is not renewed, as if its process had stopped. It wakes up after another holder, and its write is
     * refused.
     */
    @Test
    void pause_afterTheGrant_theFenceRefusesWhoWakesUpLate() throws Exception {
        rig = new Rig(3);
        Lease paused = rig.client().lock("a", fixed()).acquire();
        Lease next = Rig.take(rig.client(), "a");
        try (Account account = new Account()) {
            account.deposit(next, 30);
            assertThat(paused.isValid()).isFalse();
            // The check came before the pause, so the write goes on.
            assertThatThrownBy(() -> account.deposit(paused.name(), paused.token(), paused.id(), 5))
                    .isInstanceOf(StaleTokenException.class)
                    .hasMessageContaining(String.valueOf(paused.token()))
                    .hasMessageContaining(String.valueOf(next.token()));
            assertThat(account.balance()).isEqualTo(30);
        }
    }

    /** Tokens come from nodes whose clocks are minutes apart, from different majorities, and still grow. */
    @Test
    void tokens_fromDifferentMajoritiesAndClocks_grow() {
        rig = new Rig(3);
        rig.clock(0).step(Duration.ofSeconds(30));
        rig.clock(1).step(Duration.ofSeconds(-30));
        List<LockClient> clients = List.of(reaching(0, 1), reaching(1, 2), reaching(0, 2));
        List<Long> tokens = new ArrayList<>();
        for (int round = 0; round < 30; round++) {
            Optional<Lease> lease = Optional.of(Rig.take(clients.get(round % 3), "a"));
            tokens.add(lease.get().token());
            lease.get().close();
        }
        assertThat(tokens).isSorted().doesNotHaveDuplicates();
    }

    private static LockOptions fixed() {
        return LockOptions.defaults().fixedLease(Rig.LONGEST);
    }

    /** A client that cannot reach any other node. */
    private LockClient reaching(Integer... nodes) {
        List<String> urls = new ArrayList<>(rig.urls());
        for (int node = 0; node < urls.size(); node++) {
            if (!List.of(nodes).contains(node)) {
                FaultProxy noWay = rig.open(FaultProxy.to(rig.server(node)));
                noWay.refuse();
                urls.set(node, noWay.uri());
            }
        }
        return rig.open(Rig.builder(urls).connect());
    }

    /** What the lock protects: a row that is read and written in one transaction, behind a fence. */
    private static final class Account implements AutoCloseable {
        private final Connection connection = DriverManager.getConnection("jdbc:h2:mem:");
        private final JdbcFence fence = JdbcFence.create();

        Account() throws SQLException {
            fence.createTable(connection);
            connection.createStatement().execute("CREATE TABLE account (balance INT)");
            connection.createStatement().execute("INSERT INTO account VALUES (0)");
            connection.setAutoCommit(false);
        }

        void deposit(Lease lease, int amount) throws SQLException {
            deposit(lease.name(), lease.token(), lease.id(), amount);
        }

        void deposit(String name, long token, String holder, int amount) throws SQLException {
            try {
                fence.enter(connection, name, token, holder); // before reading
                connection.createStatement().execute("UPDATE account SET balance = balance + " + amount);
                connection.commit();
            } finally {
                connection.rollback();
            }
        }

        int balance() throws SQLException {
            var row = connection.createStatement().executeQuery("SELECT balance FROM account");
            row.next();
            return row.getInt(1);
        }

        @Override
        public void close() throws SQLException {
            connection.close();
        }
    }
}
