package io.holdfast.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.LockClient;
import io.holdfast.testing.databases.PostgresServer;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Connections of a pool come back as they were. */
@Tag("integration")
class GivenBackTest {
    private final PostgresServer server = PostgresServer.start();
    private final List<Connection> real = new CopyOnWriteArrayList<>();
    private final List<Connection> back = new CopyOnWriteArrayList<>();

    @AfterEach
    void stop() throws SQLException {
        for (Connection connection : real) {
            connection.close();
        }
        server.close();
    }

    /** As a pool does it: closing gives the connection back. */
    private Connection lend() throws SQLException {
        Connection connection = server.connect();
        real.add(connection);
        return (Connection) Proxy.newProxyInstance(
                GivenBackTest.class.getClassLoader(), new Class<?>[] {Connection.class}, (proxy, method, args) -> {
                    if (method.getName().equals("close")) {
                        back.add(connection);
                        return null;
                    }
                    try {
                        return method.invoke(connection, args);
                    } catch (InvocationTargetException thrown) {
                        throw thrown.getCause();
                    }
                });
    }

    @Test
    void close_connectionsOfAPool_listenToNothingAndWaitAsBefore() throws SQLException {
        try (LockClient locks =
                JdbcLocks.builder(new TestDataSource(this::lend)).createTables().connect()) {
            locks.lock("a").acquire().close();
            await().until(() -> real.size() == 4);
        }
        await().atMost(Duration.ofSeconds(30)).until(() -> back.size() == 4);

        assertThat(back).containsExactlyInAnyOrderElementsOf(real);
        for (Connection connection : back) {
            assertThat(connection.getNetworkTimeout()).isZero();
            assertThat(count(connection, "SELECT count(*) FROM pg_listening_channels()"))
                    .isZero();
            assertThat(count(connection, "SELECT setting FROM pg_settings WHERE name = 'lock_timeout'"))
                    .isZero();
        }
    }

    private static long count(Connection connection, String query) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(query)) {
            row.next();
            return row.getLong(1);
        }
    }
}
