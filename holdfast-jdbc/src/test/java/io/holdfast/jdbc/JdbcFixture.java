package io.holdfast.jdbc;

import io.holdfast.LockClient;
import io.holdfast.jdbc.backend.Schema;
import io.holdfast.jdbc.database.Dialect;
import io.holdfast.jdbc.database.Statements;
import io.holdfast.spi.LockBackend;
import io.holdfast.spi.TimeSource;
import io.holdfast.tck.BackendFixture;
import io.holdfast.tck.Wire;
import io.holdfast.testing.databases.DatabaseServer;
import io.holdfast.testing.databases.TestDatabase;
import io.holdfast.testing.redis.FaultProxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** Tables of their own in a database that outlives the fixture. */
final class JdbcFixture implements BackendFixture {
    private static final AtomicInteger COUNT = new AtomicInteger();

    private final TestDatabase database;
    private final DataSource source;
    private final String table = "t" + COUNT.incrementAndGet();
    private final @Nullable DatabaseServer behind;
    private @Nullable ProxyWire wire;

    JdbcFixture(TestDatabase database) {
        this(database, null);
    }

    /** With a wire before the server. */
    static JdbcFixture wired(DatabaseServer server) {
        return new JdbcFixture(server, server);
    }

    private JdbcFixture(TestDatabase database, @Nullable DatabaseServer behind) {
        this.database = database;
        this.behind = behind;
        this.source = new TestDataSource(database::connect);
        try (Connection connection = database.connect()) {
            new Schema(new Statements(Dialect.of(connection), table)).create(connection, false);
        } catch (SQLException trouble) {
            throw new IllegalStateException(trouble);
        }
    }

    @Override
    public LockBackend newBackend() {
        return newBackend(TimeSource.system());
    }

    @Override
    public LockBackend newBackend(TimeSource time) {
        return JdbcLocks.builder(source).table(table).newBackend(time);
    }

    @Override
    public Optional<Runnable> forgetEverything() {
        return Optional.of(() -> execute("DELETE FROM " + table + "_lock"));
    }

    @Override
    public Optional<Wire> wire() {
        if (wire == null && behind != null) {
            wire = new ProxyWire(behind);
        }
        return Optional.ofNullable(wire);
    }

    private final class ProxyWire implements Wire {
        private final FaultProxy proxy;
        private final DataSource far;

        ProxyWire(DatabaseServer server) {
            proxy = FaultProxy.ofBytes(server.host(), server.port());
            far = new TestDataSource(FaultBench.through(proxy, server));
        }

        @Override
        public LockBackend newBackend(TimeSource clocks) {
            return JdbcLocks.builder(far)
                    .table(table)
                    .requestTimeout(Duration.ofMillis(500))
                    .newBackend(clocks);
        }

        @Override
        public void dropNextReply() {
            proxy.dropReplies(1);
        }

        @Override
        public void holdRequests(Duration time) {
            proxy.holdRequests(time);
        }

        @Override
        public long faults() {
            return proxy.swallowedReplies() + proxy.everHeld();
        }
    }

    /** How the names of its tables begin. */
    String table() {
        return table;
    }

    LockClient newClient() {
        return JdbcLocks.builder(source).table(table).connect();
    }

    private void execute(String sql) {
        try (Connection connection = database.connect();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        } catch (SQLException trouble) {
            throw new IllegalStateException(trouble);
        }
    }

    @Override
    public void close() {
        if (wire != null) {
            wire.proxy.close();
        }
        for (String each : new String[] {"_lock", "_client", "_meta"}) {
            execute("DROP TABLE " + table + each);
        }
    }
}
