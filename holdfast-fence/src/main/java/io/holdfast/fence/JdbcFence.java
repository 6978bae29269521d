package io.holdfast.fence;

import io.holdfast.Lease;
import io.holdfast.LockStoreException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLTransactionRollbackException;
import java.sql.Statement;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * A fence in the database of the data: one row per name, with the greatest token that has entered.
 *
 * <p>{@link #enter(Connection, Lease)} comes first in a transaction, before anything is read. It is accepted when
 * nobody has entered yet, when the token is greater than the stored one, or when token and holder are the stored ones.
 * It locks the row until the transaction ends.
 *
 * <p><b>Guarantees.</b> Of the transactions that enter for one name, one runs at a time, and each sees what the ones
 * before it committed. Once a transaction with a greater token has entered and committed, none with a smaller one does;
 * equal tokens of two holders do not both. So a holder that was paused past its lease cannot write, and the holder
 * after it reads nothing that it could still change. That holds even where a clock, or the store of the locks, does not
 * keep its promises.
 *
 * <p><b>Not guaranteed.</b> Anything about transactions that do not enter, or that read before they do. A row that is
 * deleted, and a database that falls back to an older state, have forgotten. Locks with several holders at once,
 * semaphores and read locks, cannot be fenced: the newest holder shuts out the others.
 *
 * <p><b>Databases.</b> PostgreSQL, MySQL, MariaDB and H2, at {@code READ COMMITTED} and above. The table is made by
 * {@link #createTable}, or with the scripts {@code schema-postgresql.sql}, {@code schema-mysql.sql} and
 * {@code schema-h2.sql} beside this class.
 *
 * <p><b>Threads.</b> Immutable; a connection is used by the calling thread only. <b>Interruption.</b> That of the JDBC
 * driver.
 *
 * <p><b>Failures.</b> A refusal is a {@link StaleTokenException}. What the database says is thrown as it is, an
 * {@link SQLException}: deadlocks and serialization failures (SQL states that begin with 40) mean that the transaction
 * has to be run again, as without a fence.
 *
 * <pre>{@code
 * try (Lease lease = lock.acquire(); Connection connection = dataSource.getConnection()) {
 *     connection.setAutoCommit(false);
 *     fence.enter(connection, lease);
 *     long balance = read(connection);
 *     write(connection, balance - 10);
 *     connection.commit();
 * }
 * }</pre>
 *
 * @since 0.1
 */
public final class JdbcFence {
    /** The table, unless another one is named. */
    public static final String DEFAULT_TABLE = "holdfast_fence";

    /** What databases take without quotes, PostgreSQL being the strictest. */
    private static final Pattern TABLE =
            Pattern.compile("([A-Za-z_][A-Za-z0-9_]{0,62}\\.)?[A-Za-z_][A-Za-z0-9_]{0,62}");

    /**
     * How often the row may not be there although it was: once is rare, and a snapshot that is too old will not change.
     */
    private static final int ATTEMPTS = 3;

    private static final String SERIALIZATION_FAILURE = "40001";

    private static final String CURRENT = Texts.sql("current.sql");
    private static final String AND_LOCK = " FOR UPDATE";

    private final String table;

    private JdbcFence(String table) {
        this.table = table;
    }

    /**
     * Returns a fence in the table {@value #DEFAULT_TABLE}.
     *
     * @return the fence
     */
    public static JdbcFence create() {
        return new JdbcFence(DEFAULT_TABLE);
    }

    /**
     * Returns a fence in a table of your choice.
     *
     * @param table a name without quotes, with its schema if you like: {@code billing.fence}
     * @return the fence
     * @throws IllegalArgumentException if it is no such name
     */
    public static JdbcFence inTable(String table) {
        Objects.requireNonNull(table, "table");
        if (!TABLE.matcher(table).matches()) {
            throw new IllegalArgumentException(
                    "table is '" + table
                            + "', expected letters, digits and underscores, at most 63, with a schema and a dot before if wanted");
        }
        return new JdbcFence(table);
    }

    /**
     * Enters with a lease that this process holds. The lease is asked first: one that is known to be over is refused
     * without a trip to the database. That saves work; the protection is the row.
     *
     * @param connection in a transaction in which nothing has been read yet
     * @param lease of the lock that protects the data
     * @throws StaleTokenException if somebody else has entered since; roll back
     * @throws io.holdfast.LockLostException if the lease was lost
     * @throws IllegalStateException if the lease was closed, or the connection is in auto-commit mode
     * @throws LockStoreException if the table does not exist
     * @throws UnsupportedOperationException if the database is not one of those that are known
     * @throws SQLException what the database says
     */
    public void enter(Connection connection, Lease lease) throws SQLException {
        lease.ensureValid();
        enter(connection, FenceEntry.of(lease));
    }

    /**
     * Enters for a lease that another process holds, which handed over its token.
     *
     * @param connection in a transaction in which nothing has been read yet
     * @param name of the row, usually that of the lock
     * @param token of the lease
     * @param holder the lease's {@link Lease#id()}
     * @throws StaleTokenException if somebody else has entered since; roll back
     * @throws IllegalArgumentException if a part is out of the bounds of {@link FenceEntry}
     * @throws IllegalStateException if the connection is in auto-commit mode
     * @throws LockStoreException if the table does not exist
     * @throws UnsupportedOperationException if the database is not one of those that are known
     * @throws SQLException what the database says
     */
    public void enter(Connection connection, String name, long token, String holder) throws SQLException {
        enter(connection, new FenceEntry(name, token, holder));
    }

    private void enter(Connection connection, FenceEntry entry) throws SQLException {
        if (connection.getAutoCommit()) {
            throw new IllegalStateException("the connection is in auto-commit mode, so the fence of '" + entry.name()
                    + "' would be open again before anything is read: call setAutoCommit(false) first,"
                    + " and commit() after the last write");
        }
        Dialect dialect = Dialect.of(connection);
        try {
            enter(connection, dialect, entry);
        } catch (SQLException trouble) {
            throw explained(dialect, entry.name(), trouble);
        }
    }

    private void enter(Connection connection, Dialect dialect, FenceEntry entry) throws SQLException {
        for (int attempt = 1; attempt <= ATTEMPTS; attempt++) {
            if (advance(connection, dialect, entry) == 1 && dialect.countTells()) {
                return;
            }
            Optional<FenceEntry> stored = read(connection, entry.name(), AND_LOCK);
            if (stored.isPresent() && stored.get().equals(entry)) {
                return;
            }
            if (stored.isPresent() && stored.get().token() >= entry.token()) {
                throw new StaleTokenException(entry, stored.get());
            }
        }
        throw new SQLTransactionRollbackException(
                "this transaction does not see who has entered the fence of '" + entry.name()
                        + "' since it began; roll back and run it again",
                SERIALIZATION_FAILURE);
    }

    /** Returns how many rows the database says it changed. */
    private int advance(Connection connection, Dialect dialect, FenceEntry entry) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(inTable(dialect.enterSql(), table))) {
            statement.setBytes(1, entry.nameBytes());
            statement.setLong(2, entry.token());
            statement.setString(3, entry.holder());
            return statement.executeUpdate();
        } catch (SQLException trouble) {
            if (dialect == Dialect.H2 && Dialect.DUPLICATE_KEY.equals(trouble.getSQLState())) {
                return 0;
            }
            throw trouble;
        }
    }

    /**
     * Reads the last entry, without locking anything.
     *
     * @param connection in whatever mode; not in a transaction that is to enter later
     * @param name of the row
     * @return empty when nobody ever has
     * @throws LockStoreException if the table does not exist
     * @throws SQLException what the database says
     */
    public Optional<FenceEntry> current(Connection connection, String name) throws SQLException {
        Dialect dialect = Dialect.of(connection);
        try {
            return read(connection, name, "");
        } catch (SQLException trouble) {
            throw explained(dialect, name, trouble);
        }
    }

    private Optional<FenceEntry> read(Connection connection, String name, String lock) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(inTable(CURRENT, table) + lock)) {
            statement.setBytes(1, FenceEntry.bytes(name));
            try (ResultSet rows = statement.executeQuery()) {
                return rows.next()
                        ? Optional.of(new FenceEntry(name, rows.getLong(1), rows.getString(2)))
                        : Optional.empty();
            }
        }
    }

    /**
     * Creates the table unless it exists; for the start of a program, or for tests. MySQL and MariaDB commit an open
     * transaction first, as they do before every such statement. Of several that create it at once, those with
     * auto-commit on all succeed.
     *
     * @param connection of a user who may create tables
     * @throws UnsupportedOperationException if the database is not one of those that are known
     * @throws SQLException what the database says
     */
    public void createTable(Connection connection) throws SQLException {
        Dialect dialect = Dialect.of(connection);
        try {
            execute(connection, inTable(Texts.sql(dialect.schemaFile()), table));
        } catch (SQLException trouble) {
            // PostgreSQL's IF NOT EXISTS does not see a table that somebody else is creating at this instant.
            if (!connection.getAutoCommit() || !dialect.isCreatedMeanwhile(trouble)) {
                throw trouble;
            }
            execute(connection, inTable(Texts.sql(dialect.schemaFile()), table));
        }
    }

    private static void execute(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private static String inTable(String sql, String table) {
        return sql.replace(DEFAULT_TABLE, table);
    }

    private SQLException explained(Dialect dialect, String name, SQLException trouble) {
        if (dialect.isMissingTable(trouble)) {
            throw new LockStoreException(
                    null,
                    name,
                    "the fence of '" + name + "' has no table: " + table + " does not exist in this database."
                            + " Create it with JdbcFence.createTable(connection), or run "
                            + dialect.schemaFile() + " from holdfast-fence",
                    trouble);
        }
        return trouble;
    }
}
