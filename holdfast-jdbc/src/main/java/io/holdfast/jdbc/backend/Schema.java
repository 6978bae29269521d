package io.holdfast.jdbc.backend;

import io.holdfast.LockStoreException;
import io.holdfast.jdbc.database.Dialect;
import io.holdfast.jdbc.database.KeptConnection;
import io.holdfast.jdbc.database.Statements;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The tables: whether they are there and fit, and how they come into being. */
public final class Schema {
    /** The version of the tables that this code reads and writes. */
    static final int VERSION = 1;

    private static final String NO_LOG = "CREATE UNLOGGED TABLE";

    private final Statements statements;

    public Schema(Statements statements) {
        this.statements = statements;
    }

    /** Creates what does not exist. */
    public void create(Connection connection, boolean unlogged) throws SQLException {
        if (unlogged && statements.dialect() != Dialect.POSTGRESQL) {
            throw new UnsupportedOperationException("unlogged() is for PostgreSQL, and this is "
                    + connection.getMetaData().getDatabaseProductName() + "; leave it out");
        }
        try (Statement statement = connection.createStatement()) {
            for (String create : statements.schema()) {
                boolean locks = create.contains(statements.table() + "_lock ");
                String text = unlogged && locks ? create.replace("CREATE TABLE", NO_LOG) : create;
                try {
                    statement.execute(text);
                } catch (SQLException trouble) {
                    // PostgreSQL's IF NOT EXISTS does not see a table that somebody else is creating at this instant.
                    if (!Dialect.isCreatedMeanwhile(trouble)) {
                        throw trouble;
                    }
                    statement.execute(text);
                }
            }
        }
        describe(connection);
    }

    /** Writes the one row that says which store it is, unless it is there. */
    private void describe(Connection connection) throws SQLException {
        String insert = "INSERT INTO " + statements.table() + "_meta (one, version, store, mark, shut_until) SELECT 1, "
                + VERSION + ", '" + UUID.randomUUID() + "', '" + Meta.UNUSED
                + "', 0 FROM (SELECT 1 AS one) o WHERE NOT EXISTS (SELECT 1 FROM " + statements.table() + "_meta)";
        try (PreparedStatement statement = connection.prepareStatement(insert)) {
            statement.executeUpdate();
        } catch (SQLException trouble) {
            if (!Dialect.didNothing(trouble)) {
                throw trouble;
            }
        }
    }

    /** Refuses tables that this version cannot use. */
    Meta check(KeptConnection connection) throws SQLException {
        if (find(connection) == null) { // made by the script
            describe(connection.connection());
        }
        return look(connection);
    }

    private @Nullable Meta find(KeptConnection connection) throws SQLException {
        try {
            return Meta.find(connection);
        } catch (SQLException trouble) {
            if (Dialect.isMissingTable(trouble)) {
                throw missing(trouble);
            }
            throw trouble;
        }
    }

    /** The same, without writing anything. */
    Meta look(KeptConnection connection) throws SQLException {
        Meta meta = find(connection);
        if (meta == null) {
            meta = new Meta(0, VERSION, "", Meta.UNUSED, 0); // the first client describes them
        }
        if (meta.version() > VERSION) {
            throw new LockStoreException(
                    "the tables " + statements.table() + "_* have version " + meta.version()
                            + ", and this client knows " + VERSION + "; use the newest Holdfast in every application",
                    null);
        }
        checkTables(connection);
        checkEngine(connection);
        checkClock(connection);
        return meta;
    }

    /** The other two: somebody may have created or dropped them one by one. */
    private void checkTables(KeptConnection connection) throws SQLException {
        try (ResultSet locks = connection.call("witness").query();
                ResultSet clients = connection.call("whoIs").with("client", "").query()) {
            locks.next();
            clients.next();
        } catch (SQLException trouble) {
            if (Dialect.isMissingTable(trouble)) {
                throw missing(trouble);
            }
            throw trouble;
        }
    }

    private LockStoreException missing(@Nullable SQLException trouble) {
        String table = statements.table();
        return new LockStoreException(
                "the tables " + table + "_lock, " + table + "_client and " + table + "_meta do not exist, or one of"
                        + " them does not; create them with createTables() of the builder, with"
                        + " JdbcLocks.createTables(connection), with 'holdfast init' at the prompt, or with schema-"
                        + statements.dialect().file() + " from holdfast-jdbc",
                trouble);
    }

    /** MyISAM and its like have no transactions: two could write the same row. */
    private void checkEngine(KeptConnection connection) throws SQLException {
        if (statements.dialect() != Dialect.MYSQL) {
            return;
        }
        try (ResultSet engine = connection.call("engine").query()) {
            if (engine.next() && !"InnoDB".equalsIgnoreCase(engine.getString(1))) {
                throw new LockStoreException(
                        "the table " + statements.table() + "_lock uses the engine " + engine.getString(1)
                                + ", and locks need InnoDB; ALTER TABLE " + statements.table()
                                + "_lock ENGINE = InnoDB",
                        null);
            }
        }
    }

    /** With {@code --sysdate-is-now} a statement that waited for a row would judge leases by an old time. */
    private void checkClock(KeptConnection connection) throws SQLException {
        if (statements.dialect() != Dialect.MYSQL) {
            return;
        }
        try (ResultSet clocks = connection.call("clockTwice").query()) {
            if (clocks.next() && clocks.getLong(1) == clocks.getLong(3)) {
                throw new LockStoreException(
                        "the server's SYSDATE() stands still within a statement; start it without --sysdate-is-now",
                        null);
            }
        }
    }

    /** Whether a crash empties the locks. */
    boolean isUnlogged(KeptConnection connection) throws SQLException {
        if (statements.dialect() != Dialect.POSTGRESQL) {
            return false;
        }
        try (ResultSet kind = connection.call("isUnlogged").query()) {
            return kind.next() && kind.getBoolean(1);
        }
    }
}
