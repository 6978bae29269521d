package io.holdfast.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.Finding;
import io.holdfast.Lease;
import io.holdfast.LockClient;
import io.holdfast.spi.LockBackend;
import io.holdfast.testing.ManualTime;
import io.holdfast.testing.databases.PostgresServer;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A pooler between client and database takes the LISTEN and delivers nothing: then clients ask. */
@Tag("integration")
@Timeout(60)
class ListenerTest {
    private static PostgresServer server;

    @RegisterExtension
    final FaultBench bench = new FaultBench();

    @BeforeAll
    static void start() {
        server = PostgresServer.start();
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    /**
     * What listens hears nothing, as behind a pooler in transaction mode; the statements by which others ask are
     * counted.
     */
    private static DataSource deaf(AtomicInteger asked) {
        return new TestDataSource(() -> {
            Connection raw = server.connect();
            return Spy.on(() -> raw, sql -> {
                        if (sql.startsWith("SELECT pg_notify('")) {
                            try (Statement statement = raw.createStatement()) {
                                statement.execute("UNLISTEN *");
                            }
                        } else if (sql.contains("WHERE l.k IN")) {
                            asked.incrementAndGet();
                        }
                    })
                    .getConnection();
        });
    }

    @Test
    void deaf_waiterAsks() {
        AtomicInteger asked = new AtomicInteger();
        LockClient holder = bench.client(server);
        LockClient waiter =
                bench.open(JdbcLocks.builder(deaf(asked)).table(bench.table()).connect());
        Lease lease = holder.lock("a").acquire();
        CompletableFuture<Lease> next = waiter.lock("a").acquireAsync();
        FaultBench.soon("it asks again and again").until(() -> asked.get() > 10);
        assertThat(next).isNotDone();
        lease.close();
        FaultBench.get(next).close();
    }

    /**
     * Whoever knows the channel can say that a lock was granted. It is named after the client's random id, so that must
     * not show to a user who may not read the tables.
     */
    @Test
    void otherUser_findsNoChannel() throws SQLException {
        LockClient client = bench.client(server);
        client.lock("a").acquire();
        String sessions = "SELECT count(*) FROM pg_stat_activity a WHERE a::text LIKE '%" + client.id() + "%'";
        String channels = "SELECT count(*) FROM pg_listening_channels()";
        try (Connection other = server.connect();
                Statement statement = other.createStatement()) {
            FaultBench.soon("its owner sees who listens").until(() -> count(statement, sessions) > 0);
            statement.execute("CREATE ROLE guest");
            statement.execute("SET SESSION AUTHORIZATION guest");
            assertThat(count(statement, sessions)).isZero();
            assertThat(count(statement, channels)).isZero();
        }
    }

    private static int count(Statement statement, String query) throws SQLException {
        try (ResultSet result = statement.executeQuery(query)) {
            result.next();
            return result.getInt(1);
        }
    }

    /** Firewalls forget old ones, and nobody would notice here. */
    @Test
    void connectionOfHalfAnHour_isReplaced() throws Exception {
        bench.client(server).close();
        ManualTime time = new ManualTime();
        Queue<Connection> listening = new ConcurrentLinkedQueue<>();
        MutedListener heard = new MutedListener();
        LockBackend backend = bench.open(JdbcLocks.builder(new TestDataSource(() -> {
                    Connection connection = server.connect();
                    if (Thread.currentThread().getName().endsWith("-listener")) {
                        listening.add(connection);
                    }
                    return connection;
                }))
                .table(bench.table())
                .newBackend(time));
        backend.start("client", heard);
        FaultBench.soon("messages arrive").until(() -> heard.timesMissed() == 1);
        time.advance(Duration.ofMinutes(31));
        FaultBench.soon("they arrive again").until(() -> heard.timesMissed() == 2);
        assertThat(listening).hasSize(2);
        assertThat(listening.peek().isClosed()).as("the old one").isTrue();
    }

    @Test
    void examine_saysThatMessagesArrive() {
        bench.client(server).close();
        assertThat(JdbcLocks.builder(new TestDataSource(server::connect))
                        .table(bench.table())
                        .examine())
                .filteredOn(finding -> finding.check().equals("messages"))
                .singleElement()
                .satisfies(finding -> assertThat(finding.level()).isEqualTo(Finding.Level.OK));
    }
}
