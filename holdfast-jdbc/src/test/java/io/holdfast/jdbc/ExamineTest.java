package io.holdfast.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.Finding;
import io.holdfast.LockStoreException;
import io.holdfast.Safety;
import io.holdfast.testing.databases.H2Database;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What {@code examine()} finds in what a database says of itself. Here H2 says what the others would. */
@Timeout(60)
class ExamineTest {
    @RegisterExtension
    final FaultBench bench = new FaultBench();

    private H2Database database;

    @BeforeEach
    void start() throws SQLException {
        database = bench.open(H2Database.start());
        bench.client(database).close();
    }

    /** A connection of which some methods answer something else. */
    private static <T> T saying(Class<T> type, T real, Map<String, Object> answers) {
        return type.cast(Proxy.newProxyInstance(
                ExamineTest.class.getClassLoader(), new Class<?>[] {type}, (self, method, arguments) -> {
                    try {
                        Object answer = answers.get(method.getName());
                        return answer == null ? method.invoke(real, arguments) : answer;
                    } catch (InvocationTargetException thrown) {
                        throw thrown.getCause();
                    }
                }));
    }

    /** Every one of its settings is this one. */
    private Connection set(String name, String value) throws SQLException {
        Connection real = database.connect();
        return (Connection) Proxy.newProxyInstance(
                ExamineTest.class.getClassLoader(), new Class<?>[] {Connection.class}, (self, method, arguments) -> {
                    boolean settings = method.getName().equals("prepareStatement")
                            && String.valueOf(arguments[0]).contains("READONLY()");
                    return settings
                            ? real.prepareStatement("SELECT '" + name + "', '" + value + "'")
                            : method.invoke(real, arguments);
                });
    }

    private List<Finding> examine(TestDataSource.Source source, Safety safety) {
        return JdbcLocks.builder(new TestDataSource(source))
                .table(bench.table())
                .safety(safety)
                .examine();
    }

    @ParameterizedTest
    @CsvSource({
        "wsrep_on, ON, FAIL, Galera or Group Replication, use a database with one primary",
        "group_replication_group_name, aaaa-bbbb, FAIL, several servers write, use a database with one primary",
        "read_only, ON, FAIL, the database is read-only, connect to the primary",
        "read_only, 1, FAIL, the database is read-only, connect to the primary",
        "fsync, off, WARN, a crash may forget, fsync=on",
        "synchronous_commit, off, WARN, a crash may forget, synchronous_commit=on",
        "innodb_flush_log_at_trx_commit, 2, WARN, a crash may forget, innodb_flush_log_at_trx_commit=1",
        "replicas, 2, WARN, there are replicas, Safety.STRICT"
    })
    void setting_isFoundWithItsRemedy(String name, String value, Finding.Level level, String wrong, String remedy) {
        assertThat(examine(() -> set(name, value), Safety.AVAILABLE)).anySatisfy(finding -> {
            assertThat(finding.level()).isEqualTo(level);
            assertThat(finding.toString()).contains(wrong, remedy);
        });
    }

    @ParameterizedTest
    @CsvSource({
        "wsrep_on, OFF",
        "group_replication_group_name, ''",
        "read_only, OFF",
        "binlog_format, STATEMENT",
        "fsync, on",
        "synchronous_commit, local",
        "sync_binlog, 0",
        "innodb_flush_log_at_trx_commit, 1",
        "replicas, 0"
    })
    void setting_thatIsFine_isNotComplainedAbout(String name, String value) {
        assertThat(examine(() -> set(name, value), Safety.AVAILABLE))
                .as("statements are logged, and have to be on disk, only where anything is logged")
                .allSatisfy(finding -> assertThat(finding.level()).isEqualTo(Finding.Level.OK));
    }

    @Test
    void replicas_strict_areExpected() {
        assertThat(examine(() -> set("replicas", "2"), Safety.STRICT))
                .allSatisfy(finding -> assertThat(finding.level()).isEqualTo(Finding.Level.OK));
    }

    private Connection named(String product, int major) throws SQLException {
        Connection real = database.connect();
        DatabaseMetaData about = saying(
                DatabaseMetaData.class,
                real.getMetaData(),
                Map.of("getDatabaseProductName", product, "getDatabaseMajorVersion", major));
        return saying(Connection.class, real, Map.of("getMetaData", about));
    }

    @Test
    void version_tooOld_isRefused() {
        assertThat(examine(() -> named("H2", 1), Safety.AVAILABLE)).anySatisfy(finding -> {
            assertThat(finding.level()).isEqualTo(Finding.Level.FAIL);
            assertThat(finding.toString()).contains("is older than 2.0", "upgrade the database");
        });
    }

    @Test
    void product_unknown_isRefused() {
        assertThat(examine(() -> named("Oracle", 23), Safety.AVAILABLE)).anySatisfy(finding -> {
            assertThat(finding.level()).isEqualTo(Finding.Level.FAIL);
            assertThat(finding.toString())
                    .contains("the database is 'Oracle'", "MariaDB", "use one of those, or Redis");
        });
    }

    @Test
    void user_withoutRights_isToldTheGrant() throws SQLException {
        FaultBench.execute(database, "CREATE USER guest PASSWORD ''");
        try (Connection owner = database.connect()) {
            String url = owner.getMetaData().getURL();
            JdbcLocksBuilder guest = JdbcLocks.builder(
                            new TestDataSource(() -> DriverManager.getConnection(url, "guest", "")))
                    .table(bench.table());
            assertThatThrownBy(guest::connect)
                    .isInstanceOf(LockStoreException.class)
                    .hasMessageContainingAll("GRANT SELECT, INSERT, UPDATE, DELETE on the tables", "90096");
        }
    }
}
