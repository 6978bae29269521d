package io.holdfast.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.Finding;
import io.holdfast.Lease;
import io.holdfast.LockClient;
import io.holdfast.LockStoreException;
import io.holdfast.Safety;
import io.holdfast.testing.databases.PgBouncer;
import io.holdfast.testing.databases.PostgresServer;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Behind a pooler that gives each transaction another session, neighbours are not disturbed and do not disturb. */
@Tag("integration")
@Tag("full")
@Timeout(120)
class PgBouncerFaultTest {
    private static final int SESSIONS = 3;

    @RegisterExtension
    final FaultBench bench = new FaultBench();

    private PostgresServer database;
    private PgBouncer pooler;

    @BeforeEach
    void start() {
        database = PostgresServer.start("default_transaction_isolation=serializable");
        pooler = PgBouncer.start(database, SESSIONS);
    }

    @AfterEach
    void stop() {
        pooler.close();
        database.close();
    }

    private static void cycles(LockClient client) {
        for (int i = 0; i < 20; i++) {
            client.lock("a").acquire().close();
        }
    }

    @Test
    void sessions_stayAsTheyWere() throws SQLException {
        try (LockClient client = bench.builder(pooler).connect()) {
            cycles(client);
            assertSessionsAreUntouched();
        }
        assertSessionsAreUntouched();
    }

    private void assertSessionsAreUntouched() throws SQLException {
        List<Connection> neighbours = new ArrayList<>();
        try {
            for (int i = 0; i < SESSIONS - 1; i++) { // one is left for the client
                Connection connection = pooler.connect();
                neighbours.add(connection);
                connection.setAutoCommit(false);
                assertThat(ask(connection, "SHOW lock_timeout")).isEqualTo("0");
                assertThat(ask(connection, "SHOW default_transaction_isolation"))
                        .isEqualTo("serializable");
                assertThat(ask(connection, "SHOW synchronous_commit")).isEqualTo("on");
                assertThat(ask(connection, "SELECT count(*) FROM pg_prepared_statements"))
                        .isEqualTo("0");
            }
        } finally {
            for (Connection each : neighbours) {
                each.close();
            }
        }
    }

    private static String ask(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet answer = statement.executeQuery(sql)) {
            answer.next();
            return answer.getString(1);
        }
    }

    /** A neighbour that prepares, though it should not, must not have its statement run by us. */
    @Test
    void neighbourPrepares_itsStatementsAreNotRun() throws SQLException {
        FaultBench.execute(database, "CREATE TABLE victims (n bigint)");
        try (Connection neighbour = DriverManager.getConnection(pooler.url() + "&prepareThreshold=1")) {
            for (int i = 0; i < 20; i++) {
                try (PreparedStatement insert =
                        neighbour.prepareStatement("INSERT INTO victims /* " + i + " */ VALUES (0)")) {
                    insert.executeUpdate();
                }
            }
            cycles(bench.client(pooler));
            assertThat(ask(neighbour, "SELECT count(*) FROM victims")).isEqualTo("20");
        }
    }

    @Test
    void messagesDoNotArrive_waiterIsServed_andTheDoctorSaysSo() {
        Lease lease = bench.client(pooler).lock("a").acquire();
        CompletableFuture<Lease> waiter = bench.client(pooler).lock("a").acquireAsync();
        FaultBench.passes(Duration.ofMillis(500));
        assertThat(waiter).isNotDone();
        lease.close();
        assertThat(FaultBench.get(waiter).token()).isGreaterThan(lease.token());
        List<Finding> findings = bench.builder(pooler).examine();
        assertThat(findings).noneMatch(finding -> finding.level() == Finding.Level.FAIL);
        assertThat(findings)
                .filteredOn(finding -> finding.check().equals("messages"))
                .singleElement()
                .satisfies(finding -> assertThat(finding.level()).isEqualTo(Finding.Level.WARN));
    }

    /** It would not be noticed that the server behind the pooler was replaced, or emptied by a crash. */
    @Test
    void guardedBehindThePooler_isRefused() {
        assertThatThrownBy(() -> bench.client(bench.builder(pooler).safety(Safety.STRICT)))
                .isInstanceOf(LockStoreException.class)
                .hasMessageContainingAll("a pooler stands before the database", "connect past the pooler");
        assertThat(bench.builder(pooler).safety(Safety.STRICT).examine()).anySatisfy(finding -> {
            assertThat(finding.level()).isEqualTo(Finding.Level.FAIL);
            assertThat(finding.toString()).contains("connect past the pooler");
        });
    }

    @Test
    void poolerIsKilledUnderLoad_isExclusiveAndGoesOn() throws Exception {
        CrashFaultTest.assertSurvivesKills(bench, pooler);
    }

    /** Connections to the pooler outlive it. */
    @Test
    void databaseBehindThePoolerIsKilledUnderLoad_isExclusiveAndGoesOn() throws Exception {
        CrashFaultTest.assertSurvivesKills(bench, pooler, database);
    }
}
