package io.holdfast.comparison;

import io.holdfast.jdbc.JdbcLocks;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;

/** A database that writes to disk before it answers, with the tables of every library that takes part. */
abstract class DatabaseStore implements Store {
    private final String url;

    DatabaseStore(String url, String[] tables) {
        this.url = url;
        try (Connection connection = connect();
                Statement statement = connection.createStatement()) {
            JdbcLocks.createTables(connection);
            for (String table : tables) {
                statement.execute(table);
            }
        } catch (SQLException trouble) {
            throw new IllegalStateException("could not create tables in " + this, trouble);
        }
    }

    final Connection connect() throws SQLException {
        return DriverManager.getConnection(url);
    }

    final String single(String query, int column) {
        try (Connection connection = connect();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(query)) {
            row.next();
            return row.getString(column);
        } catch (SQLException trouble) {
            throw new IllegalStateException(query, trouble);
        }
    }

    @Override
    public final String address() {
        return url;
    }

    /** How many requests it was sent so far, each answered before the next on that connection. */
    abstract long requests();

    @Override
    public @Nullable Long commandsDuring(Callable<?> work) throws Exception {
        long before = requests();
        work.call();
        return requests() - before;
    }

    /** The first process of the server. */
    abstract long pid();

    @Override
    public long cpuMicros() {
        return ProcessTime.micros(pid());
    }

    static String springTable(String time, String end) {
        return "CREATE TABLE INT_LOCK (LOCK_KEY CHAR(36) NOT NULL, REGION VARCHAR(100) NOT NULL, CLIENT_ID CHAR(36),"
                + " CREATED_DATE " + time + " NOT NULL, EXPIRED_AFTER " + time
                + " NOT NULL, PRIMARY KEY (LOCK_KEY, REGION))" + end;
    }

    static String shedLockTable(String time) {
        return "CREATE TABLE shedlock (name VARCHAR(64) NOT NULL, lock_until " + time + " NOT NULL, locked_at " + time
                + " NOT NULL, locked_by VARCHAR(255) NOT NULL, PRIMARY KEY (name))";
    }
}
