package io.holdfast.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.Lease;
import io.holdfast.LockClient;
import io.holdfast.LockStoreException;
import io.holdfast.jdbc.Products.Product;
import io.holdfast.testing.databases.DatabaseServer;
import io.holdfast.testing.databases.MariaDbServer;
import io.holdfast.testing.databases.PostgresServer;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Others use the same database, and get in the way: rows and tables that stay locked, backups, limits, rights. */
@Tag("integration")
@Timeout(60)
class BusyDatabaseFaultTest {
    private static Products products;

    @RegisterExtension
    final FaultBench bench = new FaultBench();

    @BeforeAll
    static void start() throws Exception {
        products = new Products();
    }

    @AfterAll
    static void stop() {
        products.close();
    }

    /** Somebody's transaction, until it is closed. */
    private Connection transaction(DatabaseServer server, String... statements) throws SQLException {
        Connection connection = bench.open(server.connect());
        connection.setAutoCommit(false);
        try (Statement statement = connection.createStatement()) {
            for (String each : statements) {
                statement.execute(each);
            }
        }
        return connection;
    }

    private String table() {
        return bench.table() + "_lock";
    }

    @ParameterizedTest
    @EnumSource
    void rowIsLocked_callerIsToldWhy_andTheOthersGoOn(Product product) throws Exception {
        DatabaseServer server = products.get(product);
        // Longer than a statement waits for a row.
        LockClient client = bench.client(bench.builder(server).requestTimeout(Duration.ofSeconds(4)));
        client.lock("a").acquire().close();
        client.lock("b").acquire().close();
        Connection somebody =
                transaction(server, "UPDATE " + table() + " SET label = 'x' WHERE k = " + key("a", product));
        assertThatThrownBy(() -> client.lock("a").tryAcquire())
                .isInstanceOf(LockStoreException.class)
                .hasMessageContaining("locked");
        assertThat(client.lock("b").tryAcquire()).isPresent();
        CompletableFuture<Lease> patient = client.lock(
                        "a", FaultBench.lease(2_000).waitThroughOutages(FaultBench.PATIENCE))
                .acquireAsync();
        assertThat(patient).isNotDone();
        somebody.rollback();
        FaultBench.get(patient).close();
    }

    private static String key(String name, Product product) {
        return product == Product.POSTGRESQL ? "CAST('l" + name + "' AS bytea)" : "'l" + name + "'";
    }

    /** A renewal that waits for a row must not judge the lease by the time at which it began to wait. */
    @ParameterizedTest
    @EnumSource
    void rowIsLocked_whileItsLeaseEnds_nobodyIsRenewedTooLate(Product product) throws Exception {
        DatabaseServer server = products.get(product);
        LockClient client = bench.client(server);
        Lease lease = client.lock("a", FaultBench.lease(1_000)).acquire();
        Connection somebody =
                transaction(server, "UPDATE " + table() + " SET label = 'x' WHERE k = " + key("a", product));
        FaultBench.get(lease.lost().toCompletableFuture());
        somebody.rollback();
        Lease next = FaultBench.get(bench.client(server).lock("a").acquireAsync());
        assertThat(next.token()).isGreaterThan(lease.token());
        next.close();
    }

    @ParameterizedTest
    @EnumSource
    void tableIsLocked_callerIsToldInTime_andItGoesOn(Product product) throws Exception {
        DatabaseServer server = products.get(product);
        LockClient client = bench.client(server);
        client.lock("a").acquire().close();
        boolean postgres = product == Product.POSTGRESQL;
        Connection somebody = transaction(
                server,
                postgres ? "LOCK TABLE " + table() + " IN EXCLUSIVE MODE" : "LOCK TABLES " + table() + " WRITE");
        assertThatThrownBy(() -> client.lock("a").tryAcquire()).isInstanceOf(LockStoreException.class);
        if (postgres) {
            somebody.rollback();
        } else {
            somebody.createStatement().execute("UNLOCK TABLES");
        }
        FaultBench.soon("it goes on")
                .ignoreExceptions()
                .until(() -> client.lock("a").tryAcquire().isPresent());
    }

    /** What pg_dump and mysqldump --single-transaction do: a snapshot of every table, read while others write. */
    @ParameterizedTest
    @EnumSource
    void backup_whileLocksMove_disturbsNobody(Product product) throws Exception {
        DatabaseServer server = products.get(product);
        LockClient client = bench.client(server);
        try (Load load = new Load()) {
            load.add(client, "busy", FaultBench.lease(1_000));
            load.add(bench.client(server), "busy", FaultBench.lease(1_000));
            load.awaitHolds(10);
            boolean postgres = product == Product.POSTGRESQL;
            Connection backup = postgres
                    ? transaction(
                            server,
                            "SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY",
                            "LOCK TABLE " + table() + " IN ACCESS SHARE MODE")
                    : transaction(
                            server,
                            "SET TRANSACTION ISOLATION LEVEL REPEATABLE READ",
                            "START TRANSACTION WITH CONSISTENT SNAPSHOT");
            long version = version(backup);
            load.awaitHolds(20);
            assertThat(version(backup)).as("its snapshot").isEqualTo(version);
            backup.rollback();
            assertThat(load.violations()).isEmpty();
            assertThat(load.troubles()).isZero();
        }
    }

    private long version(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("SELECT sum(version) FROM " + table())) {
            rows.next();
            return rows.getLong(1);
        }
    }

    /** Local times repeat an hour in autumn; a lease must not. */
    @Test
    void mariaDb_localTimesAreAmbiguous_leasesAreNot() throws Exception {
        DatabaseServer server = products.get(Product.MARIADB);
        FaultBench.execute(server, "SET GLOBAL time_zone = '+05:30'");
        try {
            Lease lease = bench.client(server)
                    .lock("a", FaultBench.fixedLease(60_000))
                    .acquire();
            FaultBench.execute(server, "SET GLOBAL time_zone = '+04:30'");
            assertThat(bench.client(server).lock("a").tryAcquire()).isEmpty();
            FaultBench.execute(server, "SET GLOBAL time_zone = '+06:30'");
            LockClient other = bench.client(server);
            assertThat(other.lock("a").tryAcquire()).isEmpty();
            lease.close();
            Lease next = other.lock("a").tryAcquire().orElseThrow();
            assertThat(next.token() - lease.token()).as("microseconds").isLessThan(60_000_000);
        } finally {
            FaultBench.execute(server, "SET GLOBAL time_zone = SYSTEM");
        }
    }

    @Test
    void postgres_statementTimeoutOfTheUser_isNamed() throws Exception {
        DatabaseServer server = products.get(Product.POSTGRESQL);
        LockClient client = bench.client(
                bench.builder(() -> DriverManager.getConnection(server.url() + "&options=-c%20statement_timeout=300")));
        client.lock("a").acquire().close();
        Connection somebody = transaction(server, "LOCK TABLE " + table() + " IN ACCESS EXCLUSIVE MODE");
        assertThatThrownBy(() -> client.lock("a").tryAcquire())
                .isInstanceOf(LockStoreException.class)
                .hasMessageContainingAll("a statement timeout of the database or of its user", "raise it", "57014");
        somebody.rollback();
        FaultBench.soon("it goes on")
                .ignoreExceptions()
                .until(() -> client.lock("a").tryAcquire().isPresent());
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
        Lease lease = client.lock("a", FaultBench.lease(1_000)).acquire();
        assertThatThrownBy(() -> {
                    while (true) {
                        bench.open(server.connect());
                    }
                })
                .isInstanceOf(SQLException.class);
        assertThatThrownBy(() -> bench.client(server))
                .isInstanceOf(LockStoreException.class)
                .hasMessageContainingAll("takes no more connections", "raise its limit", "53300");
        FaultBench.passes(Duration.ofMillis(1_500));
        assertThat(lease.isValid()).isTrue();
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
    void mariaDb_logsStatementsOrClockStandsStill_isRefused() throws Exception {
        try (MariaDbServer server = MariaDbServer.start("--log-bin", "--binlog-format=STATEMENT", "--sysdate-is-now")) {
            assertThatThrownBy(() -> bench.client(server))
                    .isInstanceOf(LockStoreException.class)
                    .satisfies(trouble -> assertThat(trouble.getMessage())
                            .containsAnyOf("set binlog_format=ROW", "start it without --sysdate-is-now"));
            FaultBench.execute(server, "SET GLOBAL binlog_format = 'ROW'");
            assertThatThrownBy(() -> bench.client(server))
                    .isInstanceOf(LockStoreException.class)
                    .hasMessageContaining("start it without --sysdate-is-now");
        }
    }
}
