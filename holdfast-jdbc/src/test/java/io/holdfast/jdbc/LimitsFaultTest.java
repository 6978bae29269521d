package io.holdfast.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.Finding;
import io.holdfast.Lease;
import io.holdfast.LockClient;
import io.holdfast.LockStoreException;
import io.holdfast.jdbc.Products.Product;
import io.holdfast.testing.databases.DatabaseServer;
import io.holdfast.testing.databases.MariaDbServer;
import io.holdfast.testing.databases.PostgresServer;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What a database was set up to refuse: timeouts, rights, connections, engines. */
@Tag("integration")
@Timeout(60)
class LimitsFaultTest {
    private static Products products;

    @RegisterExtension
    final FaultBench bench = new FaultBench();

    @BeforeAll
    static void start() {
        products = new Products();
    }

    @AfterAll
    static void stop() {
        products.close();
    }

    private String table() {
        return bench.table() + "_lock";
    }

    /** Somebody's lock on the table, until the connection is closed. */
    private Connection locked(DatabaseServer server, String statement) throws SQLException {
        Connection connection = bench.open(server.connect());
        connection.setAutoCommit(false);
        try (Statement lock = connection.createStatement()) {
            lock.execute(statement);
        }
        return connection;
    }

    @Test
    void postgres_statementTimeoutOfTheUser_isNamed() throws Exception {
        DatabaseServer server = products.get(Product.POSTGRESQL);
        LockClient client = bench.client(
                bench.builder(() -> DriverManager.getConnection(server.url() + "&options=-c%20statement_timeout=300")));
        client.lock("a").acquire().close();
        Connection somebody = locked(server, "LOCK TABLE " + table() + " IN ACCESS EXCLUSIVE MODE");
        assertThatThrownBy(() -> client.lock("a").tryAcquire())
                .isInstanceOf(LockStoreException.class)
                .hasMessageContainingAll("a statement timeout of the database or of its user", "raise it", "57014");
        somebody.rollback();
        FaultBench.soon("it goes on")
                .ignoreExceptions()
                .until(() -> client.lock("a").tryAcquire().isPresent());
    }

    @Test
    void mariaDb_statementTimeoutOfTheServer_isNamed() throws Exception {
        DatabaseServer server = products.get(Product.MARIADB);
        FaultBench.execute(server, "SET GLOBAL max_statement_time = 0.3");
        try {
            LockClient client = bench.client(server);
            client.lock("a").acquire().close();
            locked(server, "LOCK TABLES " + table() + " WRITE");
            assertThatThrownBy(() -> client.lock("a").tryAcquire())
                    .isInstanceOf(LockStoreException.class)
                    .hasMessageContainingAll("a statement timeout of the database or of its user", "raise it", "1969");
        } finally {
            FaultBench.execute(server, "SET GLOBAL max_statement_time = 0");
        }
    }

    @Test
    void postgres_userHasNoRights_sentenceHasTheGrant() throws Exception {
        DatabaseServer server = products.get(Product.POSTGRESQL);
        bench.client(server).close();
        FaultBench.execute(server, "CREATE ROLE guest_" + bench.table() + " LOGIN");
        String url = server.url().replace("user=postgres", "user=guest_" + bench.table());
        JdbcLocksBuilder guest = JdbcLocks.builder(url, "", "").table(bench.table());
        assertThatThrownBy(guest::connect)
                .isInstanceOf(LockStoreException.class)
                .hasMessageContainingAll("GRANT SELECT, INSERT, UPDATE, DELETE on the tables", "42501");
        assertThatThrownBy(() -> JdbcLocks.builder(url, "", "")
                        .table("mine")
                        .createTables()
                        .connect())
                .isInstanceOf(LockStoreException.class)
                .hasMessageContainingAll("CREATE on the schema for createTables()", "42501");
    }

    @Test
    void postgres_everyConnectionIsTaken_saysSo_andHolderKeepsIts() throws Exception {
        PostgresServer server =
                bench.open(PostgresServer.start("max_connections=10", "superuser_reserved_connections=0"));
        LockClient client = bench.client(server);
        Lease lease = client.lock("a", FaultBench.lease(6_000)).acquire();
        assertThatThrownBy(() -> {
                    while (true) {
                        bench.open(server.connect());
                    }
                })
                .isInstanceOf(SQLException.class);
        assertThatThrownBy(() -> bench.client(server))
                .isInstanceOf(LockStoreException.class)
                .hasMessageContainingAll("takes no more connections", "raise its limit", "53300");
        FaultBench.awaitRenewal(lease);
        assertThat(client.lock("b").tryAcquire()).isPresent();
    }

    @Test
    void mariaDb_engineIsMyIsam_isRefused() throws Exception {
        DatabaseServer server = products.get(Product.MARIADB);
        bench.client(server).close();
        FaultBench.execute(server, "ALTER TABLE " + table() + " ENGINE = MyISAM");
        assertThatThrownBy(() -> bench.client(server))
                .isInstanceOf(LockStoreException.class)
                .hasMessageContainingAll("uses the engine MyISAM", "locks need InnoDB", "ALTER TABLE " + table());
    }

    @Test
    void mariaDb_logsStatements_isRefused() throws Exception {
        try (MariaDbServer server = MariaDbServer.start("--log-bin", "--binlog-format=ROW")) {
            bench.client(server).close();
            FaultBench.execute(server, "SET GLOBAL binlog_format = 'STATEMENT'");
            JdbcLocksBuilder uses =
                    JdbcLocks.builder(new TestDataSource(server::connect)).table(bench.table());
            assertThatThrownBy(() -> bench.client(uses))
                    .isInstanceOf(LockStoreException.class)
                    .hasMessageContainingAll("binlog_format=STATEMENT", "set binlog_format=ROW", "1665");
            assertThat(uses.examine())
                    .anySatisfy(finding -> assertThat(finding.toString())
                            .contains("binlog_format is STATEMENT", "set binlog_format=ROW"));
        }
    }

    /** Then a crash undoes what is not in that log. */
    @Test
    void mariaDb_binaryLogIsNotOnDisk_examineWarns() throws Exception {
        try (MariaDbServer server = MariaDbServer.start("--log-bin", "--sync-binlog=0")) {
            FaultBench.execute(server, "SET GLOBAL innodb_flush_log_at_trx_commit = 1");
            bench.client(server).close();
            assertThat(disk(server).level()).isEqualTo(Finding.Level.WARN);
            assertThat(disk(server).toString()).contains("a crash may forget", "sync_binlog=1");
            FaultBench.execute(server, "SET GLOBAL sync_binlog = 1");
            assertThat(disk(server).level()).isEqualTo(Finding.Level.OK);
        }
    }

    @Test
    void postgres_commitsAreNotOnDisk_examineWarns() throws Exception {
        try (PostgresServer server = PostgresServer.start("fsync=on", "synchronous_commit=off")) {
            bench.client(server).close();
            assertThat(disk(server).level()).isEqualTo(Finding.Level.WARN);
            assertThat(disk(server).toString()).contains("a crash may forget", "synchronous_commit=on");
            FaultBench.execute(server, "ALTER ROLE postgres SET synchronous_commit = on");
            assertThat(disk(server).level()).isEqualTo(Finding.Level.OK);
        }
    }

    private Finding disk(DatabaseServer server) {
        return bench.builder(server).examine().stream()
                .filter(finding -> finding.check().equals("disk"))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void mariaDb_clockStandsStill_isRefused() throws Exception {
        try (MariaDbServer server = MariaDbServer.start("--sysdate-is-now")) {
            assertThatThrownBy(() -> bench.client(server))
                    .isInstanceOf(LockStoreException.class)
                    .hasMessageContaining("start it without --sysdate-is-now");
        }
    }
}
