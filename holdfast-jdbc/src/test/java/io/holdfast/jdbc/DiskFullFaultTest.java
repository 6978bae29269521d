package io.holdfast.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.Lease;
import io.holdfast.LockClient;
import io.holdfast.LockStoreException;
import io.holdfast.testing.databases.DatabaseServer;
import io.holdfast.testing.databases.MariaDbServer;
import io.holdfast.testing.databases.PostgresServer;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A real disk without room: an outage like any other, of which everybody is told. */
@Tag("integration")
@Timeout(180)
class DiskFullFaultTest {
    private static final Duration LONG = Duration.ofMinutes(2);

    @RegisterExtension
    final FaultBench bench = new FaultBench();

    /** Asks for names that nobody has, until the database cannot write one. Nobody may be told "busy". */
    private static LockStoreException ask(LockClient client) {
        for (int i = 0; ; i++) {
            try {
                assertThat(client.lock("name" + i).tryAcquire()).as("free").isPresent();
            } catch (LockStoreException told) {
                return told;
            }
        }
    }

    private static void awaitService(LockClient client, String name) {
        Awaitility.await("it goes on")
                .atMost(LONG)
                .ignoreExceptions()
                .until(() -> client.lock(name).tryAcquire().isPresent());
    }

    @Test
    void postgres_noRoomForARow_callerIsTold_holderKeepsIt() {
        DatabaseServer server = bench.open(PostgresServer.onSmallDisk(128, "fsync=on"));
        LockClient client = bench.client(server);
        Lease held = client.lock("held", FaultBench.lease(9_000)).acquire();
        server.fillDisk();
        assertThat(ask(client)).hasMessageContainingAll("the database has no space left", "make room", "53100");
        FaultBench.awaitRenewal(held); // its row needs no room
        server.freeDisk();
        awaitService(client, "another");
        held.close();
    }

    /** It stops itself rather than confirm what it cannot write. */
    @Test
    void postgres_noRoomForItsLog_holderIsTold_andItGoesOnAfterARestart() {
        DatabaseServer server = bench.open(PostgresServer.onSmallDisk(128, "fsync=on"));
        LockClient client = bench.client(server);
        Lease held = client.lock("held", FaultBench.lease(1_500)).acquire();
        server.fillDisk();
        assertThatThrownBy(() -> fillLog(server)).isInstanceOf(SQLException.class);
        FaultBench.get(held.lost().toCompletableFuture());
        assertThatThrownBy(() -> client.lock("free").tryAcquire()).isInstanceOf(LockStoreException.class);
        server.freeDisk();
        server.kill();
        server.restart();
        awaitService(client, "free");
        Lease next = FaultBench.get(client.lock("held").acquireAsync());
        assertThat(next.token()).isGreaterThan(held.token());
    }

    private static void fillLog(DatabaseServer server) throws SQLException {
        try (Connection connection = server.connect();
                Statement statement = connection.createStatement()) {
            for (int megabytes = 0; megabytes < 200; megabytes++) {
                statement.execute("SELECT pg_logical_emit_message(true, 'x', repeat('x', 1000000))");
            }
        }
    }

    @Test
    void mariaDb_noRoomForARow_callerIsTold_holderKeepsIt() throws SQLException {
        DatabaseServer server = bench.open(MariaDbServer.onSmallDisk(128, "--innodb-flush-log-at-trx-commit=1"));
        LockClient client = bench.client(server);
        Lease held = client.lock("held", FaultBench.lease(9_000)).acquire();
        server.fillDisk();
        assertThat(ask(client)).hasMessageContainingAll("the database has no space left", "make room", "1114");
        FaultBench.awaitRenewal(held); // its row needs no room
        server.freeDisk();
        awaitService(client, "another");
        held.close();
    }

    /** It lets every commit wait, and looks for room now and then; an operator starts it again. */
    @Test
    @Tag("full")
    void mariaDb_noRoomForItsLog_holderIsTold_andItGoesOnAfterARestart() throws SQLException {
        DatabaseServer server = bench.open(MariaDbServer.onSmallDisk(
                128, "--innodb-flush-log-at-trx-commit=1", "--log-bin=log", "--binlog-format=ROW"));
        LockClient client = bench.client(server);
        Lease held = client.lock("held", FaultBench.lease(1_500)).acquire();
        client.lock("free").acquire().close();
        server.fillDisk();
        FaultBench.get(held.lost().toCompletableFuture());
        assertThatThrownBy(() -> client.lock("free").tryAcquire())
                .isInstanceOf(LockStoreException.class)
                .hasMessageContaining("could not ask for 'free'");
        server.freeDisk();
        server.kill();
        server.restart();
        awaitService(client, "free");
        Lease next = client.lock("held").acquire();
        assertThat(next.token()).isGreaterThan(held.token());
    }
}
