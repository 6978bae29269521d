package io.holdfast.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.Finding;
import io.holdfast.Lease;
import io.holdfast.LockClient;
import io.holdfast.LockKind;
import io.holdfast.LockStoreException;
import io.holdfast.Safety;
import io.holdfast.testing.databases.H2Database;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What cannot be used is refused with one sentence: what was wrong, what was expected, what to do. */
@Timeout(60)
class BadInputTest {
    @RegisterExtension
    final FaultBench bench = new FaultBench();

    private H2Database database;

    @BeforeEach
    void start() throws SQLException {
        database = bench.open(H2Database.start());
    }

    @Test
    void tablesMissing_namesThemAndEveryWayToCreateThem() {
        assertThatThrownBy(() -> JdbcLocks.builder(new TestDataSource(database::connect))
                        .table("billing")
                        .connect())
                .isInstanceOf(LockStoreException.class)
                .hasMessageContainingAll(
                        "the tables billing_lock, billing_client and billing_meta do not exist",
                        "createTables()",
                        "JdbcLocks.createTables(connection)",
                        "schema-h2.sql");
    }

    @Test
    void tablesMissing_examine_saysTheSame() {
        List<Finding> findings =
                JdbcLocks.builder(new TestDataSource(database::connect)).examine();
        assertThat(findings).anySatisfy(finding -> {
            assertThat(finding.level()).isEqualTo(Finding.Level.FAIL);
            assertThat(finding.toString()).contains("holdfast_lock", "createTables()");
        });
    }

    @ParameterizedTest
    @ValueSource(strings = {"lock", "client", "meta"})
    void oneTableIsMissing_isFoundAtTheStart(String which) throws Exception {
        bench.client(database).close();
        FaultBench.execute(database, "DROP TABLE " + bench.table() + "_" + which);
        JdbcLocksBuilder uses =
                JdbcLocks.builder(new TestDataSource(database::connect)).table(bench.table());
        assertThatThrownBy(() -> bench.client(uses))
                .isInstanceOf(LockStoreException.class)
                .hasMessageContainingAll("do not exist, or one of them does not", "createTables()", "schema-h2.sql");
        assertThat(uses.examine())
                .anySatisfy(
                        finding -> assertThat(finding.toString()).contains("do not exist, or one of them does not"));
    }

    @Test
    void oneTableIsDropped_callerIsToldHowToCreateIt() throws Exception {
        LockClient client = bench.client(database);
        FaultBench.execute(database, "DROP TABLE " + bench.table() + "_lock");
        assertThatThrownBy(() -> client.lock("a").tryAcquire())
                .isInstanceOf(LockStoreException.class)
                .hasMessageContainingAll("a table of the locks does not exist", "createTables()", "schema-");
    }

    @Test
    void schemaIsNewer_isRefused() throws Exception {
        bench.client(database).close();
        FaultBench.execute(database, "UPDATE " + bench.table() + "_meta SET version = 99");
        assertThatThrownBy(() -> bench.client(database))
                .isInstanceOf(LockStoreException.class)
                .hasMessageContainingAll(bench.table() + "_*", "version 99", "use the newest Holdfast");
    }

    @Test
    void productIsUnknown_listsWhatIsSupported() {
        assertThatThrownBy(() -> bench.client(bench.builder(() -> named("Oracle"))))
                .isInstanceOf(UnsupportedOperationException.class)
                .hasMessageContainingAll("the database is 'Oracle'", "PostgreSQL", "MySQL", "MariaDB", "H2");
    }

    private Connection named(String product) throws SQLException {
        Connection real = database.connect();
        DatabaseMetaData about = (DatabaseMetaData) Proxy.newProxyInstance(
                getClass().getClassLoader(),
                new Class<?>[] {DatabaseMetaData.class},
                (self, method, arguments) -> method.getName().equals("getDatabaseProductName")
                        ? product
                        : method.invoke(real.getMetaData(), arguments));
        return overridden(real, "getMetaData", about, null);
    }

    private static Connection overridden(
            Connection real, String name, @Nullable Object result, @Nullable SQLException refusal) {
        return (Connection) Proxy.newProxyInstance(
                BadInputTest.class.getClassLoader(), new Class<?>[] {Connection.class}, (self, method, arguments) -> {
                    if (method.getName().equals(name)) {
                        if (refusal != null) {
                            throw refusal;
                        }
                        return result;
                    }
                    return method.invoke(real, arguments);
                });
    }

    @ParameterizedTest
    @CsvSource({"setAutoCommit, autocommit", "setTransactionIsolation, READ COMMITTED"})
    void driverRefusesTheSession_saysWhatLocksNeed(String method, String what) {
        SQLException refusal = new SQLException("not while a global transaction is active", "25001");
        assertThatThrownBy(
                        () -> bench.client(bench.builder(() -> overridden(database.connect(), method, null, refusal))))
                .isInstanceOf(LockStoreException.class)
                .hasMessageContainingAll(what, "not while a global transaction is active", "data source");
    }

    /** What other databases say; the state comes first, then the number. */
    @ParameterizedTest
    @CsvSource({
        "25006,    0, read-only, connect to the primary",
        "HY000, 1290, read-only, connect to the primary",
        "HY000, 1836, read-only, connect to the primary",
        "42501,    0, 'GRANT SELECT, INSERT, UPDATE, DELETE', tables of Holdfast",
        "42000, 1142, 'GRANT SELECT, INSERT, UPDATE, DELETE', tables of Holdfast",
        "42000, 1044, 'GRANT SELECT, INSERT, UPDATE, DELETE', tables of Holdfast",
        "53100,    0, no space left, make room",
        "HY000, 1114, no space left, make room",
        "28P01,    0, user or password were refused, check them",
        "28000, 1045, user or password were refused, check them",
        "53300,    0, takes no more connections, connections(n)",
        "08004, 1040, takes no more connections, connections(n)",
        "HY000, 1665, binlog_format=STATEMENT, set binlog_format=ROW",
        "57014,    0, statement timeout, raise it",
        "HY000, 1969, statement timeout, raise it",
        "HY000, 3024, statement timeout, raise it",
        "55000,    0, read-only, connect to the primary",
        "90097, 90097, read-only, connect to the primary",
        "08006,    0, nobody knows whether it was done, check that the database runs"
    })
    void databaseRefuses_sentenceSaysWhatToDo(String state, int code, String wrong, String remedy) {
        AtomicReference<@Nullable SQLException> refusal = new AtomicReference<>();
        LockClient client = bench.client(JdbcLocks.builder(Spy.on(database::connect, sql -> {
                    SQLException now = refusal.get();
                    if (now != null) {
                        throw now;
                    }
                }))
                .table(bench.table())
                .createTables());
        refusal.set(new SQLException("as the server says", state, code));
        assertThatThrownBy(() -> client.lock("order:42").tryAcquire())
                .isInstanceOf(LockStoreException.class)
                .hasMessageContainingAll("ask for 'order:42'", wrong, remedy, "'as the server says'", state);
        refusal.set(null);
    }

    @ParameterizedTest
    @CsvSource({"1, 9000000000000000000", "2, 9000000000000000000", "7, 9000000000000000000", "1, 0", "7, 0"})
    void docCannotBeRead_namesTheLockAndIsNotFree(int version, long freeAt) throws Exception {
        LockClient client = bench.client(database);
        Lease first = client.lock("a", FaultBench.fixedLease(60_000)).acquire();
        try (Connection connection = database.connect();
                PreparedStatement update = connection.prepareStatement(
                        "UPDATE " + bench.table() + "_lock SET doc = ?, free_at = ? WHERE client IS NOT NULL")) {
            update.setBytes(1, new byte[] {(byte) version, 1, 2, 3});
            update.setLong(2, freeAt);
            assertThat(update.executeUpdate()).isEqualTo(1);
        }
        LockClient other = bench.client(database);
        String[] expected = version == 1
                ? new String[] {"'a' is not touched", "cannot be read", "delete the row"}
                : new String[] {"'a' is not touched", "version " + version, "use the newest Holdfast"};
        assertThatThrownBy(() -> other.lock("a").tryAcquire())
                .isInstanceOf(LockStoreException.class)
                .hasMessageContainingAll(expected);
        assertThatThrownBy(() -> other.inspector().find(LockKind.LOCK, "a"))
                .isInstanceOf(LockStoreException.class)
                .hasMessageContainingAll(expected);
        assertThat(first.token()).isPositive();
        assertThat(other.lock("b").tryAcquire())
                .as("the others are as they were")
                .isPresent();
    }

    @Test
    void names_thatLookAlike_areDifferentLocks() {
        LockClient client = bench.client(database);
        List<String> names = new ArrayList<>(List.of("a", "A", "a ", " a", "ä", "Ä", "a\u0308", "ss", "ß"));
        names.add("x".repeat(512));
        names.add("x".repeat(511) + "y");
        for (String name : names) {
            assertThat(client.lock(name).tryAcquire()).as(name).isPresent();
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "1a",
                "a-b",
                "a b",
                "a;b",
                "a.b.c",
                "\"a\"",
                "a'",
                ".a",
                "a.",
                "äb",
                "a234567890123456789012345678901234567890123456789012345x"
            })
    void tableName_thatNeedsQuotes_isRefused(String table) {
        assertThatThrownBy(() ->
                        JdbcLocks.builder(new TestDataSource(database::connect)).table(table))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContainingAll("table is '" + table + "'", "expected letters, digits and underscores");
    }

    @Test
    void options_outOfRange_nameTheBounds() {
        JdbcLocksBuilder builder = JdbcLocks.builder(new TestDataSource(database::connect));
        assertThatThrownBy(() -> builder.connections(0)).hasMessageContaining("connections is 0, expected 1 to 1000");
        assertThatThrownBy(() -> builder.requestTimeout(Duration.ZERO))
                .hasMessageContaining("requestTimeout is 0s, expected 1ms to 1m");
        assertThatThrownBy(() -> builder.longestLease(Duration.ofDays(2))).hasMessageContaining("longestLease is 48h");
        assertThatThrownBy(() -> builder.clientName("a\nb")).hasMessageContaining("expected at most 255 printable");
        assertThatThrownBy(() -> builder.unlogged().safety(Safety.AVAILABLE))
                .hasMessageContaining("unlogged() needs STRICT");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "jdbc:postgresql://127.0.0.1:1/db?user=u&password=hidden&connectTimeout=1",
                "jdbc:mariadb://u:hidden@127.0.0.1:1/db",
                "jdbc:nothing://u:hidden@127.0.0.1:1/db?password=hidden",
                "jdbc:nothing:u/hidden@127.0.0.1:1",
                "postgresql://u:hidden@h/db"
            })
    void url_passwordIsNeverPrinted(String url) {
        assertThatThrownBy(() -> JdbcLocks.builder(url, "u", "hidden").connect())
                .satisfies(trouble -> {
                    for (Throwable each = trouble; each != null; each = each.getCause()) {
                        assertThat(each.toString()).doesNotContain("hidden");
                    }
                });
    }
}
