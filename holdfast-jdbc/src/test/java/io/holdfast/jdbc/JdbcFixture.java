package io.holdfast.jdbc;

import io.holdfast.LockClient;
import io.holdfast.jdbc.backend.Schema;
import io.holdfast.jdbc.database.Dialect;
import io.holdfast.jdbc.database.Statements;
import io.holdfast.spi.LockBackend;
import io.holdfast.spi.TimeSource;
import io.holdfast.tck.BackendFixture;
import io.holdfast.testing.databases.TestDatabase;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;

/** Tables of their own in a database that outlives the fixture. */
final class JdbcFixture implements BackendFixture {
    private static final AtomicInteger COUNT = new AtomicInteger();

    private final TestDatabase database;
    private final DataSource source;
    private final String table = "t" + COUNT.incrementAndGet();

    JdbcFixture(TestDatabase database) {
        this.database = database;
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
        for (String each : new String[] {"_lock", "_client", "_meta"}) {
            execute("DROP TABLE " + table + each);
        }
    }
}
