package io.holdfast.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.Lease;
import io.holdfast.LockClient;
import io.holdfast.LockKind;
import io.holdfast.LockStoreException;
import io.holdfast.jdbc.Products.EachProduct;
import io.holdfast.jdbc.Products.Product;
import io.holdfast.testing.databases.DatabaseServer;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;

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
    @EachProduct
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
    @EachProduct
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

    /** The holder can neither renew nor give back for a while; it keeps its lock, and the next one gets it. */
    @ParameterizedTest
    @EachProduct
    @Tag("full")
    void rowOfALineIsLocked_renewalAndHandOverAreMadeUpFor(Product product) throws Exception {
        DatabaseServer server = products.get(product);
        LockClient holder = bench.client(bench.builder(server).requestTimeout(Duration.ofSeconds(1)));
        LockClient other = bench.client(server);
        Lease lease = holder.lock("a", FaultBench.lease(9_000)).acquire();
        CompletableFuture<Lease> next = other.lock("a", FaultBench.lease(2_000).waitThroughOutages(FaultBench.PATIENCE))
                .acquireAsync();
        FaultBench.soon("it stands in the line")
                .until(() ->
                        other.inspector().find(LockKind.LOCK, "a").orElseThrow().waiting() == 1);
        String lock = "UPDATE " + table() + " SET label = 'x' WHERE k = " + key("a", product);
        Connection somebody = transaction(server, lock);
        Duration atFirst = lease.remaining();
        FaultBench.soon("a renewal is due, and fails")
                .until(() -> lease.remaining().compareTo(atFirst.minusSeconds(4)) < 0);
        somebody.rollback();
        FaultBench.awaitRenewal(lease);
        assertThat(next).isNotDone();

        somebody = transaction(server, lock);
        CompletableFuture<Boolean> closed = FaultBench.async(() -> {
            lease.close();
            return true;
        });
        FaultBench.passes(Duration.ofMillis(1_500));
        assertThat(next).as("nobody could give it back").isNotDone();
        somebody.rollback();
        FaultBench.get(closed);
        Lease served = FaultBench.get(next);
        assertThat(served.token()).isGreaterThan(lease.token());
        assertThat(holder.lock("a").tryAcquire()).as("while it is held").isEmpty();
        served.close();
    }

    /** For ten seconds, which is longer than anybody waits for one answer. */
    @ParameterizedTest
    @EachProduct
    @Tag("full")
    void rowIsLockedForLong_whoIsPatientIsServed(Product product) throws Exception {
        DatabaseServer server = products.get(product);
        LockClient client = bench.client(server);
        client.lock("a").acquire().close();
        Connection somebody =
                transaction(server, "UPDATE " + table() + " SET label = 'x' WHERE k = " + key("a", product));
        CompletableFuture<Lease> patient = client.lock(
                        "a", FaultBench.lease(2_000).waitThroughOutages(FaultBench.PATIENCE))
                .acquireAsync();
        FaultBench.passes(Duration.ofSeconds(10));
        assertThat(patient).isNotDone();
        somebody.rollback();
        FaultBench.get(patient).close();
    }

    @ParameterizedTest
    @EachProduct
    void tableIsLocked_callerIsToldWhy_andItGoesOn(Product product) throws Exception {
        DatabaseServer server = products.get(product);
        // Longer than a statement waits for a table.
        LockClient client = bench.client(bench.builder(server).requestTimeout(Duration.ofSeconds(4)));
        client.lock("a").acquire().close();
        boolean postgres = product == Product.POSTGRESQL;
        Connection somebody = transaction(
                server,
                postgres ? "LOCK TABLE " + table() + " IN EXCLUSIVE MODE" : "LOCK TABLES " + table() + " WRITE");
        assertThatThrownBy(() -> client.lock("a").tryAcquire())
                .isInstanceOf(LockStoreException.class)
                .hasMessageContainingAll("locked", "find out who");
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
    @EachProduct
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
}
