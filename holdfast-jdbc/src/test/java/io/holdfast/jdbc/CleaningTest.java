package io.holdfast.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.LockKind;
import io.holdfast.jdbc.Products.EachProduct;
import io.holdfast.jdbc.Products.Product;
import io.holdfast.jdbc.backend.Schema;
import io.holdfast.jdbc.database.Dialect;
import io.holdfast.jdbc.database.KeptConnection;
import io.holdfast.jdbc.database.Row;
import io.holdfast.jdbc.database.Rows;
import io.holdfast.jdbc.database.Statements;
import io.holdfast.spi.Resource;
import io.holdfast.testing.databases.DatabaseServer;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;

/** Rows that nobody uses any more are deleted, and no others. On H2: RowsTest. */
@Tag("integration")
@Timeout(60)
class CleaningTest {
    private static final long LONG_AGO = 601_000_000;
    private static final long RECENTLY = 590_000_000;
    private static Products products;

    @RegisterExtension
    final FaultBench bench = new FaultBench();

    private Product product;
    private DatabaseServer server;
    private Connection plain;
    private KeptConnection connection;
    private Rows rows;

    @BeforeAll
    static void start() {
        products = new Products();
    }

    @AfterAll
    static void stop() {
        products.close();
    }

    private void open(Product which) throws SQLException {
        product = which;
        server = products.get(which);
        plain = bench.open(server.connect());
        Statements statements = new Statements(Dialect.of(plain), bench.table());
        new Schema(statements).create(plain, false);
        connection = new KeptConnection(plain, statements, 0);
        rows = new Rows(statements);
    }

    private String bytes(String text) {
        return product == Product.POSTGRESQL ? "CAST('" + text + "' AS bytea)" : "'" + text + "'";
    }

    private void put(String name, long ago, long tokenAgo, String doc) throws SQLException {
        long now = rows.nowMicros(connection);
        FaultBench.execute(
                server,
                "INSERT INTO " + bench.table()
                        + "_lock (k, version, last_token, free_at, capacity, since, doc) VALUES ("
                        + bytes("l" + name) + ", 1, " + (now - tokenAgo) + ", " + (now - ago) + ", 1, " + (now - ago)
                        + ", " + doc + ")");
    }

    private boolean exists(String name) throws SQLException {
        return !rows.read(connection, Row.key(new Resource(LockKind.LOCK, name, 1)))
                .isAbsent();
    }

    @ParameterizedTest
    @EachProduct
    void clean_deletesWhatNobodyUsesAndNoTokenNeeds(Product which) throws Exception {
        open(which);
        put("old", LONG_AGO, LONG_AGO, "NULL");
        put("recent", RECENTLY, LONG_AGO, "NULL");
        put("ahead", LONG_AGO, RECENTLY, "NULL");
        String nobody = "010000000000000000";
        boolean postgres = product == Product.POSTGRESQL;
        put("abandoned", LONG_AGO, LONG_AGO, postgres ? "decode('" + nobody + "', 'hex')" : "X'" + nobody + "'");
        put("garbage", LONG_AGO, LONG_AGO, bytes("x"));

        assertThat(rows.clean(connection)).isEqualTo(2);

        assertThat(exists("old")).isFalse();
        assertThat(exists("abandoned")).as("a record of nobody").isFalse();
        assertThat(exists("recent")).as("used within ten minutes").isTrue();
        assertThat(exists("ahead")).as("its token is ahead of the clock").isTrue();
        assertThat(exists("garbage")).as("nobody knows what it says").isTrue();
    }

    /** It was seen when nobody had it. */
    @ParameterizedTest
    @EachProduct
    void clean_lockIsTakenMeanwhile_itsRowStays(Product which) throws Exception {
        open(which);
        put("a", LONG_AGO, LONG_AGO, "NULL");
        Connection somebody = bench.open(server.connect());
        somebody.setAutoCommit(false);
        long now = rows.nowMicros(connection);
        execute(
                somebody,
                "UPDATE " + bench.table() + "_lock SET version = 2, last_token = " + now + ", free_at = "
                        + (now + 60_000_000)
                        + ", client = 'c', seq = 1, weight = 1, tokens = 1, lease = 60000000, since = "
                        + now);
        execute(
                plain,
                product == Product.POSTGRESQL
                        ? "SET lock_timeout = '30s'"
                        : "SET SESSION innodb_lock_wait_timeout = 30");

        CompletableFuture<Integer> cleaned = FaultBench.async(() -> rows.clean(connection));
        FaultBench.soon("it waits for the row").until(this::isWaitedFor);
        somebody.commit();

        assertThat(FaultBench.get(cleaned)).isZero();
        assertThat(exists("a")).as("the row of a lock that is held").isTrue();
    }

    private static void execute(Connection where, String sql) throws SQLException {
        try (Statement statement = where.createStatement()) {
            statement.execute(sql);
        }
    }

    private boolean isWaitedFor() throws SQLException {
        String question = product == Product.POSTGRESQL
                ? "SELECT count(*) FROM pg_locks WHERE NOT granted"
                : "SELECT count(*) FROM information_schema.innodb_trx WHERE trx_state = 'LOCK WAIT'";
        try (Connection look = server.connect();
                Statement statement = look.createStatement();
                ResultSet waiting = statement.executeQuery(question)) {
            waiting.next();
            return waiting.getInt(1) > 0;
        }
    }
}
