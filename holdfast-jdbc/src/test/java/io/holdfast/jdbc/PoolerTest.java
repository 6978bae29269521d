package io.holdfast.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.LockClient;
import io.holdfast.LockStoreException;
import io.holdfast.Safety;
import io.holdfast.testing.databases.PostgresServer;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.postgresql.PGConnection;

/**
 * A connection to a pooler outlives the server behind it, so nothing that looks once per connection guards it. A real
 * pooler: PgBouncerFaultTest.
 */
@Tag("integration")
@Timeout(60)
class PoolerTest {
    private static PostgresServer server;

    @RegisterExtension
    final FaultBench bench = new FaultBench();

    private final AtomicBoolean pooled = new AtomicBoolean(true);
    private final List<Connection> opened = new CopyOnWriteArrayList<>();

    @BeforeAll
    static void start() {
        server = PostgresServer.start();
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    /** A pooler tells the driver of a process that is not the server's. */
    private Connection connect() throws SQLException {
        Connection real = server.connect();
        opened.add(real);
        PGConnection driver = proxy(PGConnection.class, real, "getBackendPID", -1);
        return pooled.get() ? proxy(Connection.class, real, "unwrap", driver) : real;
    }

    private static <T> T proxy(Class<T> type, Connection real, String method, Object answer) {
        return type.cast(Proxy.newProxyInstance(
                PoolerTest.class.getClassLoader(),
                new Class<?>[] {type},
                (self, called, arguments) ->
                        called.getName().equals(method) ? answer : called.invoke(real, arguments)));
    }

    @Test
    void strict_isRefused() {
        assertRefused(bench.builder(this::connect).safety(Safety.STRICT));
    }

    @Test
    void tablesWithoutALog_areRefused() {
        pooled.set(false);
        bench.client(bench.builder(this::connect).unlogged()).close();
        pooled.set(true);
        assertRefused(bench.builder(this::connect));
    }

    private void assertRefused(JdbcLocksBuilder builder) {
        assertThatThrownBy(() -> bench.client(builder))
                .isInstanceOf(LockStoreException.class)
                .hasMessageContainingAll(
                        "a pooler stands before the database", "connect past the pooler", "Safety.AVAILABLE");
    }

    @Test
    void available_isServed_andLeavesTheSessionAlone() throws SQLException {
        LockClient client = bench.client(bench.builder(this::connect));
        assertThat(client.lock("a").tryAcquire()).isPresent();
        // The first one is kept for callers.
        try (Statement statement = opened.get(0).createStatement();
                ResultSet row = statement.executeQuery("SHOW lock_timeout")) {
            row.next();
            assertThat(row.getString(1)).isEqualTo("0");
        }
    }
}
