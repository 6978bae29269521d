package io.holdfast.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.LockClient;
import io.holdfast.testing.databases.PostgresServer;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Somebody between us and the database loses what was prepared there, or has prepared something by the same name. */
@Tag("integration")
@Timeout(60)
class LostStatementTest {
    /** From the sixth time on the driver prepares a statement at the server. */
    private static final int ENOUGH = 10;

    @AutoClose
    private static PostgresServer server;

    @RegisterExtension
    final FaultBench bench = new FaultBench();

    private final List<Connection> opened = new CopyOnWriteArrayList<>();

    @BeforeAll
    static void start() {
        server = PostgresServer.start();
    }

    private LockClient client(Spy spy) {
        return bench.client(bench.builder(() -> {
                    Connection connection = Spy.on(server::connect, spy).getConnection();
                    opened.add(connection);
                    return connection;
                })
                .connections(2));
    }

    private static void cycles(LockClient client) {
        for (int i = 0; i < ENOUGH; i++) {
            client.lock("a").acquire().close();
        }
    }

    /** Newer drivers prepare them again by themselves. */
    @Test
    void statementsAreGone_callsGoOn() throws SQLException {
        LockClient client = client(sql -> {});
        cycles(client);
        assertThat(prepared()).isPositive();
        for (Connection each : opened) {
            for (String name : prepared(each)) {
                execute(each, "DEALLOCATE \"" + name + "\""); // all at once would be noticed by the driver
            }
        }
        cycles(client);
    }

    @Test
    void driverSaysThatAStatementIsGone_callsGoOnWithoutPreparing() throws SQLException {
        AtomicInteger count = new AtomicInteger();
        LockClient client = client(sql -> {
            if (sql.contains("free_at") && count.incrementAndGet() == ENOUGH) {
                throw new SQLException("prepared statement \"S_1\" does not exist", "26000");
            }
        });
        cycles(client);
        cycles(client);
        assertThat(prepared()).isZero();
    }

    /** It did nothing, so it is sent again for the caller. */
    @Test
    void statementIsGone_oneTryIsEnough() {
        AtomicBoolean gone = new AtomicBoolean();
        LockClient client = client(sql -> {
            if (sql.contains("ON CONFLICT") && gone.getAndSet(false)) {
                throw new SQLException("prepared statement \"S_1\" does not exist", "26000");
            }
        });
        client.lock("a").acquire().close();
        gone.set(true);
        assertThat(client.lock("a").tryAcquire()).isPresent();
        assertThat(gone).isFalse();
    }

    @Test
    void namesAreTaken_callsGoOnWithoutPreparing() throws SQLException {
        LockClient client = client(sql -> {});
        client.lock("a").acquire().close();
        for (Connection each : opened) {
            for (int i = 1; i < ENOUGH; i++) {
                execute(each, "PREPARE \"S_" + i + "\" AS SELECT 1");
            }
        }
        cycles(client);
        assertThat(prepared()).isZero();
    }

    private static void execute(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    /** How many statements of ours the database remembers. */
    private int prepared() throws SQLException {
        int count = 0;
        for (Connection each : opened) {
            count += prepared(each).size();
        }
        return count;
    }

    private static List<String> prepared(Connection connection) throws SQLException {
        List<String> names = new ArrayList<>();
        if (connection.isClosed()) {
            return names;
        }
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(
                        "SELECT name FROM pg_prepared_statements WHERE statement LIKE '%free_at%'")) {
            while (rows.next()) {
                names.add(rows.getString(1));
            }
        }
        return names;
    }
}
