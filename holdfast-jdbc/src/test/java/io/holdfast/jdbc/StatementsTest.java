package io.holdfast.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.LockKind;
import io.holdfast.jdbc.Products.EachProduct;
import io.holdfast.jdbc.Products.Product;
import io.holdfast.jdbc.backend.Schema;
import io.holdfast.jdbc.database.Dialect;
import io.holdfast.jdbc.database.KeptConnection;
import io.holdfast.jdbc.database.Notice;
import io.holdfast.jdbc.database.Row;
import io.holdfast.jdbc.database.Rows;
import io.holdfast.jdbc.database.Statements;
import io.holdfast.jdbc.record.LockRecord;
import io.holdfast.spi.Claim;
import io.holdfast.spi.ClaimId;
import io.holdfast.spi.Resource;
import io.holdfast.testing.databases.DatabaseServer;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;

/** A statement that has waited for a row goes by the time at which it goes on, not by that of its start. */
@Tag("integration")
@Timeout(60)
class StatementsTest {
    private static Products products;

    @BeforeAll
    static void start() throws Exception {
        products = new Products();
    }

    @AfterAll
    static void stop() {
        products.close();
    }

    private static Claim claim(long sequence) {
        return Claim.builder(
                        new ClaimId("client", sequence), new Resource(LockKind.LOCK, "a", 1), Duration.ofMinutes(1))
                .build();
    }

    @ParameterizedTest
    @EachProduct
    void connection_isSetUp(Product product) throws Exception {
        try (Connection plain = products.get(product).connect()) {
            plain.setAutoCommit(false);
            plain.setTransactionIsolation(Connection.TRANSACTION_SERIALIZABLE);
            KeptConnection connection = new KeptConnection(plain, new Statements(Dialect.of(plain), "c"), 0);
            assertThat(plain.getAutoCommit()).isTrue();
            assertThat(plain.getTransactionIsolation()).isEqualTo(Connection.TRANSACTION_READ_COMMITTED);
            connection.timeout(1_234);
            assertThat(plain.getNetworkTimeout()).isEqualTo(1_234);
            assertThat(waits(plain, product))
                    .allSatisfy(each -> assertThat(each).isEqualTo("1"));
        }
    }

    /** For how many seconds a statement waits for others. */
    private static List<String> waits(Connection connection, Product product) throws SQLException {
        String question = product == Product.POSTGRESQL
                ? "SELECT rtrim(current_setting('lock_timeout'), 's')"
                : "SELECT @@innodb_lock_wait_timeout UNION ALL SELECT @@lock_wait_timeout";
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(question)) {
            List<String> seconds = new ArrayList<>();
            while (rows.next()) {
                seconds.add(rows.getString(1));
            }
            return seconds;
        }
    }

    /** A message goes out with the write, or not at all. */
    @Test
    void postgres_writeWithAMessage_afterItsTime_doesNothing() throws Exception {
        try (Connection plain = products.get(Product.POSTGRESQL).connect()) {
            Statements statements = new Statements(Dialect.of(plain), "m");
            new Schema(statements).create(plain, false);
            KeptConnection connection = new KeptConnection(plain, statements, 0);
            Rows rows = new Rows(statements);
            assertThat(rows.take(connection, claim(1), Long.MAX_VALUE)).isPresent();
            byte[] key = Row.key(claim(1).resource());
            Row old = rows.read(connection, key);
            LockRecord fresh = old.toRecord(claim(1).resource());
            fresh.release(claim(1).id(), old.nowMicros());
            List<Notice> notices = List.of(new Notice("holdfast_x", "1 2 3 4"));
            assertThat(rows.write(connection, key, old, fresh, old.nowMicros(), notices))
                    .isFalse();
            assertThat(rows.write(connection, key, old, fresh, Long.MAX_VALUE, notices))
                    .isTrue();
        }
    }

    /** What was read is gone, whatever the row that stands there now looks like. */
    @Test
    void postgres_rowWasDeletedAndTakenAnew_isNotWritten() throws Exception {
        DatabaseServer server = products.get(Product.POSTGRESQL);
        try (Connection plain = server.connect()) {
            Statements statements = new Statements(Dialect.of(plain), "a");
            new Schema(statements).create(plain, false);
            KeptConnection connection = new KeptConnection(plain, statements, 0);
            Rows rows = new Rows(statements);
            byte[] key = Row.key(claim(1).resource());
            assertThat(rows.take(connection, claim(1), Long.MAX_VALUE)).isPresent();
            Row old = rows.read(connection, key);
            FaultBench.execute(server, "DELETE FROM a_lock");
            assertThat(rows.take(connection, claim(2), Long.MAX_VALUE)).isPresent();
            LockRecord fresh = old.toRecord(claim(1).resource());
            fresh.release(claim(1).id(), old.nowMicros());
            assertThat(rows.write(connection, key, old, fresh, Long.MAX_VALUE, List.of()))
                    .isFalse();
        }
    }

    /** What cannot be read here may be a newer version's, and nobody knows when that is over. */
    @ParameterizedTest
    @EachProduct
    void take_rowHasARecord_isLeftToWhoCanReadIt(Product product) throws Exception {
        DatabaseServer server = products.get(product);
        try (Connection plain = server.connect()) {
            Statements statements = new Statements(Dialect.of(plain), "r");
            new Schema(statements).create(plain, false);
            KeptConnection connection = new KeptConnection(plain, statements, 0);
            Rows rows = new Rows(statements);
            boolean postgres = product == Product.POSTGRESQL;
            FaultBench.execute(
                    server,
                    "INSERT INTO r_lock (k, version, last_token, free_at, capacity, doc) VALUES ("
                            + (postgres ? "CAST('la' AS bytea)" : "'la'") + ", 1, 1, 0, 1, "
                            + (postgres ? "CAST('x' AS bytea)" : "'x'") + ")");
            assertThat(rows.take(connection, claim(2), Long.MAX_VALUE)).isEmpty();
            FaultBench.execute(server, "UPDATE r_lock SET doc = NULL");
            assertThat(rows.take(connection, claim(2), Long.MAX_VALUE)).isPresent();
        }
    }

    @ParameterizedTest
    @EachProduct
    void take_rowWasLockedUntilItsTimeWasOver_hasNoEffect(Product product) throws Exception {
        DatabaseServer server = products.get(product);
        try (Connection plain = server.connect();
                Connection somebody = server.connect()) {
            Statements statements = new Statements(Dialect.of(plain), "s");
            new Schema(statements).create(plain, false);
            Rows rows = new Rows(statements);
            KeptConnection connection = new KeptConnection(plain, statements, 0);
            FaultBench.execute(
                    server,
                    "INSERT INTO s_lock (k, version, last_token, free_at, capacity)" + " VALUES ("
                            + (product == Product.POSTGRESQL ? "CAST('la' AS bytea)" : "'la'") + ", 1, 1, 0, 1)");
            somebody.setAutoCommit(false);
            try (Statement statement = somebody.createStatement()) {
                statement.executeUpdate("UPDATE s_lock SET label = 'x'");
            }
            long notAfter = rows.nowMicros(connection) + 300_000;
            CompletableFuture<OptionalLong> taken = FaultBench.async(() -> rows.take(connection, claim(1), notAfter));
            FaultBench.passes(Duration.ofMillis(500));
            somebody.rollback();
            assertThat(FaultBench.get(taken)).as("granted after its time").isEmpty();
        }
    }
}
