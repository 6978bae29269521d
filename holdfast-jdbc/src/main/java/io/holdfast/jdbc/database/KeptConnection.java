package io.holdfast.jdbc.database;

import io.holdfast.LockStoreException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A connection of our own with its prepared statements. Every statement commits by itself. For one thread at a time.
 *
 * <p>Behind a pooler each statement may reach another session of the database, which others use before and after. Then
 * nothing is set in the session, and nothing is prepared there: a prepared statement of somebody else may have the name
 * of ours.
 */
public final class KeptConnection implements AutoCloseable {
    private final Connection connection;
    private final Statements statements;
    private final long openedNanos;
    private final Map<Sql, PreparedStatement> prepared = new HashMap<>();
    private final boolean pooled;
    private final boolean prepares;
    private int formerPrepareAfter;
    private long shutUntilMicros;
    private long mostShutMicros;
    private int timeoutMillis;
    private int formerTimeoutMillis;

    /** Sets the connection up. It is closed if that fails. */
    public KeptConnection(Connection connection, Statements statements, long openedNanos) throws SQLException {
        this.connection = connection;
        this.statements = statements;
        this.openedNanos = openedNanos;
        try {
            insist("autocommit", () -> connection.setAutoCommit(true));
            pooled = statements.dialect() == Dialect.POSTGRESQL && PostgresDriver.isPooled(connection);
            prepares = !pooled && statements.mayPrepare();
            if (!pooled) {
                insist(
                        "READ COMMITTED",
                        () -> connection.setTransactionIsolation(Connection.TRANSACTION_READ_COMMITTED));
                execute(statements.dialect().begin());
            }
            if (!prepares) {
                formerPrepareAfter = PostgresDriver.prepareAfter(connection, 0);
            }
        } catch (SQLException | RuntimeException unfit) {
            connection.close();
            throw unfit;
        }
    }

    private interface Setting {
        void set() throws SQLException;
    }

    private static void insist(String what, Setting setting) throws SQLException {
        try {
            setting.set();
        } catch (SQLException refused) {
            if (String.valueOf(refused.getSQLState()).startsWith("08")) { // it is gone, which is another matter
                throw refused;
            }
            throw new LockStoreException(
                    "a connection refuses " + what + ", which locks need, and says '" + refused.getMessage()
                            + "'; give JdbcLocks a data source of its own, without global transactions",
                    refused);
        }
    }

    public Connection connection() {
        return connection;
    }

    public Statements statements() {
        return statements;
    }

    long openedNanos() {
        return openedNanos;
    }

    /** Whether a pooler stands between us and the database. */
    public boolean isPooled() {
        return pooled;
    }

    /** Whether it was opened before the database lost a prepared statement. */
    boolean isOutdated() {
        return prepares && !statements.mayPrepare();
    }

    /** Until when the database behind this connection grants nothing new, on its own clock; zero if it does. */
    public long shutUntilMicros() {
        return shutUntilMicros;
    }

    /** Whether it is shut at a time of the database's clock. Once that is over it does not begin again. */
    public boolean isShut(long nowMicros) {
        if (shutUntilMicros <= nowMicros) {
            shutUntilMicros = 0;
        }
        return shutUntilMicros != 0;
    }

    /** The same at a time that the database has just told. A clock that was set back shuts nobody for longer. */
    public boolean isShutNow(long toldMicros) {
        shutUntilMicros = Math.min(shutUntilMicros, toldMicros + mostShutMicros);
        return isShut(toldMicros);
    }

    /**
     * Shuts it.
     *
     * @param micros until when, on the database's clock
     * @param mostMicros how long that can be at most
     */
    public void shutUntil(long micros, long mostMicros) {
        shutUntilMicros = micros;
        mostShutMicros = mostMicros;
    }

    /** Sets how long an answer may take. */
    public void timeout(int millis) throws SQLException {
        if (millis != timeoutMillis && statements.dialect() != Dialect.H2) {
            if (timeoutMillis == 0) {
                formerTimeoutMillis = connection.getNetworkTimeout();
            }
            connection.setNetworkTimeout(Runnable::run, millis);
            timeoutMillis = millis;
        }
    }

    public Call call(String name) throws SQLException {
        return new Call(statements.of(name));
    }

    /** A statement that has so many keys. */
    public Call call(String name, int count) throws SQLException {
        return new Call(statements.of(name, count));
    }

    private void execute(Iterable<String> commands) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            for (String command : commands) {
                statement.execute(command);
            }
        }
    }

    /** Gives the connection back as it was: it may belong to a pool. */
    @Override
    public void close() {
        try {
            if (!pooled) {
                execute(statements.dialect().end());
            }
            if (!prepares) {
                PostgresDriver.prepareAfter(connection, formerPrepareAfter);
            }
            if (timeoutMillis != 0) {
                connection.setNetworkTimeout(Runnable::run, formerTimeoutMillis);
            }
        } catch (SQLException | RuntimeException broken) {
            // it is closed anyway
        }
        drop();
    }

    /** Closes a connection that is of no use any more. */
    public void drop() {
        try {
            connection.close();
        } catch (SQLException | RuntimeException broken) {
            // nobody needs it
        }
    }

    /** One use of a statement: values for its names, then {@link #update} or {@link #query}. */
    public final class Call {
        private final Sql sql;
        private final PreparedStatement statement;

        private Call(Sql sql) throws SQLException {
            this.sql = sql;
            PreparedStatement known = prepared.get(sql);
            if (known == null) {
                known = statements.dialect().tokenIsKey()
                        ? connection.prepareStatement(sql.text(), Statement.RETURN_GENERATED_KEYS)
                        : connection.prepareStatement(sql.text());
                prepared.put(sql, known);
            }
            this.statement = known;
        }

        private interface Setter {
            void set(int position) throws SQLException;
        }

        private Call each(String name, Setter setter) throws SQLException {
            List<String> names = sql.names();
            for (int i = 0; i < names.size(); i++) {
                if (names.get(i).equals(name)) {
                    setter.set(i + 1);
                }
            }
            return this;
        }

        public Call with(String name, long value) throws SQLException {
            return each(name, i -> statement.setLong(i, value));
        }

        public Call with(String name, int value) throws SQLException {
            return each(name, i -> statement.setInt(i, value));
        }

        public Call with(String name, String value) throws SQLException {
            return each(name, i -> statement.setString(i, value));
        }

        public Call with(String name, byte @Nullable [] value) throws SQLException {
            return each(name, i -> statement.setBytes(i, value));
        }

        /** No value, of a type of {@link java.sql.Types}. */
        Call without(String name, int type) throws SQLException {
            return each(name, i -> statement.setNull(i, type));
        }

        Call with(String name, String[] values) throws SQLException {
            return each(name, i -> statement.setArray(i, connection.createArrayOf("text", values)));
        }

        /** A value for each place of the name {@code key}, in order. */
        Call keys(Iterable<byte[]> keys) throws SQLException {
            int at = 0;
            for (byte[] key : keys) {
                at = next("key", at);
                statement.setBytes(at, key);
            }
            return this;
        }

        /** The same for statements that name the keys first, and then each key with its claim. */
        Call claims(Iterable<ClaimKey> claims) throws SQLException {
            int at = 0;
            for (ClaimKey claim : claims) {
                at = next("key", at);
                statement.setBytes(at, claim.row());
            }
            for (ClaimKey claim : claims) {
                at = next("key", at);
                statement.setBytes(at, claim.row());
                at = next("seq", at);
                statement.setLong(at, claim.sequence());
            }
            return this;
        }

        private int next(String name, int after) {
            int i = after;
            while (!sql.names().get(i).equals(name)) {
                i++;
            }
            return i + 1;
        }

        /** Returns how many rows it changed. */
        public int update() throws SQLException {
            try {
                return statement.executeUpdate();
            } catch (SQLException trouble) {
                throw statements.noticed(trouble);
            }
        }

        public ResultSet query() throws SQLException {
            try {
                return statement.executeQuery();
            } catch (SQLException trouble) {
                throw statements.noticed(trouble);
            }
        }

        /** The key that the last update generated. */
        long key() throws SQLException {
            try (ResultSet keys = statement.getGeneratedKeys()) {
                if (!keys.next()) {
                    throw new SQLException("the driver returned no generated key for " + sql.text());
                }
                return keys.getLong(1);
            }
        }
    }
}
