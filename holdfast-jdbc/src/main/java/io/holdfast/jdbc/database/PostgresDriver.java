package io.holdfast.jdbc.database;

import java.lang.reflect.InvocationTargetException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.jspecify.annotations.Nullable;

/** What only PostgreSQL's driver can do. Found by reflection, so that users of other databases do not need it. */
final class PostgresDriver {
    private static final String TYPE = "org.postgresql.PGConnection";

    private PostgresDriver() {}

    /**
     * Whether a pooler stands between us and the database: it makes up the number of the process that it tells the
     * driver, because no process belongs to the connection for long.
     */
    static boolean isPooled(Connection connection) throws SQLException {
        Object told = invoke(connection, "getBackendPID", new Class<?>[0]);
        if (told == null) {
            return false;
        }
        try (Statement statement = connection.createStatement();
                ResultSet answer = statement.executeQuery("SELECT pg_backend_pid()")) {
            return answer.next() && !told.equals(answer.getInt(1));
        }
    }

    /**
     * Sets how often a statement is used before the driver prepares it at the other end; with 0 it sends every
     * statement whole, and the other end has to remember nothing. Returns what was set before.
     */
    static int prepareAfter(Connection connection, int uses) throws SQLException {
        Object former = invoke(connection, "getPrepareThreshold", new Class<?>[0]);
        invoke(connection, "setPrepareThreshold", new Class<?>[] {int.class}, uses);
        return former == null ? 0 : (int) former;
    }

    private static @Nullable Object invoke(Connection connection, String method, Class<?>[] types, Object... arguments)
            throws SQLException {
        try {
            Class<?> type = Class.forName(TYPE, false, connection.getClass().getClassLoader());
            return type.getMethod(method, types).invoke(connection.unwrap(type), arguments);
        } catch (InvocationTargetException thrown) {
            throw new SQLException(thrown.getCause());
        } catch (ReflectiveOperationException otherDriver) {
            return null;
        }
    }
}
