package io.holdfast.jdbc;

import io.holdfast.LockClient;
import io.holdfast.fence.JdbcFence;
import io.holdfast.jdbc.backend.Schema;
import io.holdfast.jdbc.database.Dialect;
import io.holdfast.jdbc.database.Statements;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Objects;
import javax.sql.DataSource;

/**
 * Opens clients whose locks live in tables of a database: PostgreSQL, MySQL, MariaDB or H2, found by the name that the
 * database gives itself.
 *
 * <p><b>Guarantees.</b> All that {@link LockClient} promises. Taking a free lock is one statement, giving it back when
 * nobody waits another one; each commits by itself. Everything else reads a row and writes it back if nobody was
 * faster.
 * So no row stays locked between two statements, and a client that stands still keeps nobody from anything but what it
 * holds, until its lease ends. The database judges leases by its own clock. Tokens of a name grow; the row of a name
 * that nobody has used for ten minutes may be deleted, and its tokens go on from that clock.
 *
 * <p><b>Not guaranteed.</b> A lock is not part of a transaction of yours: what must end with the transaction is
 * {@code SELECT … FOR UPDATE}, or {@link JdbcFence}, which refuses late holders. With
 * {@link io.holdfast.Safety#AVAILABLE} a replica that takes over without the last commits may grant a lock twice;
 * {@link io.holdfast.Safety#STRICT} refuses new locks for a while instead. A database clock that is set forward ends
 * leases early; one that is set back makes them last longer, and tokens of deleted rows may come again. Databases with
 * several writers at a time are not supported, and only {@link JdbcLocksBuilder#examine()} notices them.
 *
 * <p><b>Connections.</b> A client keeps its own: up to four for callers, one for renewals, one for what is done in the
 * background, and on PostgreSQL one that listens. It opens them on threads of its own, so that a transaction of the
 * calling thread never contains a statement of a lock. A pool must have room for them, and must bear that they are kept
 * for half an hour; a plain data source serves as well.
 *
 * <p><b>Threads.</b> Safe for use by any number of threads.
 *
 * <p><b>Failures.</b> {@link io.holdfast.LockStoreException} when the database cannot be reached or cannot be used; the
 * message says what to change. {@link io.holdfast.LockRefusedException} while it grants nothing new. {@link
 * UnsupportedOperationException} when the database is another product.
 *
 * <pre>{@code
 * try (LockClient locks = JdbcLocks.over(dataSource)) {
 *     try (Lease lease = locks.lock("order:42").acquire()) {
 *         ship(lease.token());
 *     }
 * }
 * }</pre>
 *
 * @since 0.1
 */
public final class JdbcLocks {
    private JdbcLocks() {}

    /**
     * Opens a client with the default options. The tables must exist.
     *
     * @param dataSource where connections come from
     * @return the client, to be closed
     */
    public static LockClient over(DataSource dataSource) {
        return builder(dataSource).connect();
    }

    /**
     * Begins a client with options.
     *
     * @param dataSource where connections come from
     * @return what to set them on
     */
    public static JdbcLocksBuilder builder(DataSource dataSource) {
        return new JdbcLocksBuilder(Objects.requireNonNull(dataSource, "dataSource"));
    }

    /**
     * Begins a client with options, for a database without a data source.
     *
     * @param url as the driver wants it, for instance {@code jdbc:postgresql://host/database}; refused with {@link
     *     IllegalArgumentException} if there is no driver for it
     * @param user who logs in; empty if the URL says it
     * @param password the user's password; empty if the URL says it, or none is needed. Neither it nor one in the URL
     *     is part of a message
     * @return what to set them on
     */
    public static JdbcLocksBuilder builder(String url, String user, String password) {
        return new JdbcLocksBuilder(new UrlDataSource(url, user, password));
    }

    /**
     * Creates the tables {@code holdfast_lock}, {@code holdfast_client} and {@code holdfast_meta}, and that of
     * {@link JdbcFence}, as far as they do not exist.
     *
     * @param connection to the database. In a transaction: MySQL and MariaDB commit it, in PostgreSQL the tables are
     *     there when you have committed
     * @throws SQLException what the database says
     */
    public static void createTables(Connection connection) throws SQLException {
        Statements statements = new Statements(Dialect.of(connection), JdbcLocksBuilder.DEFAULT_TABLE);
        new Schema(statements).create(connection, false);
        JdbcFence.create().createTable(connection);
    }
}
