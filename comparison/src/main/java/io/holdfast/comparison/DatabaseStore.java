package io.holdfast.comparison;

import io.holdfast.jdbc.JdbcLocks;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A database that writes to disk before it answers, with the tables of every library that takes part. */
abstract class DatabaseStore implements Store {
    private static final long MICROS_PER_TICK = 10_000;

    /** Of /proc/PID/stat, behind the name: processor time of the process and of its children that ended. */
    private static final int USER = 11;

    private static final int CHILDREN_SYSTEM = 14;

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
        ProcessHandle server = ProcessHandle.of(pid()).orElseThrow();
        return Stream.concat(Stream.of(server), server.descendants())
                        .mapToLong(each -> ticks(each.pid()))
                        .sum()
                * MICROS_PER_TICK;
    }

    private static long ticks(long pid) {
        try {
            String stat = Files.readString(Path.of("/proc", Long.toString(pid), "stat"));
            String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
            long ticks = 0;
            for (int i = USER; i <= CHILDREN_SYSTEM; i++) {
                ticks += Long.parseLong(fields[i]);
            }
            return ticks;
        } catch (java.io.IOException gone) {
            return 0;
        }
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
