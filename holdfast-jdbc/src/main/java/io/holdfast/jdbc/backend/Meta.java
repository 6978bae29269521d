package io.holdfast.jdbc.backend;

import io.holdfast.jdbc.database.KeptConnection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The one row that describes the tables.
 *
 * @param nowMicros the database's clock
 * @param version of the tables
 * @param store a name that is nobody else's
 * @param mark which server wrote the tables last, and the witness in them
 * @param shutUntilMicros until when nothing new is granted, for guarded clients
 */
record Meta(long nowMicros, int version, String store, String mark, long shutUntilMicros) {

    /** The mark of tables that no guarded client has used. */
    static final String UNUSED = "unused";

    static Meta read(KeptConnection connection) throws SQLException {
        Meta meta = find(connection);
        if (meta == null) {
            throw new SQLException("the table " + connection.statements().table() + "_meta is empty");
        }
        return meta;
    }

    /** Null when the tables are new. */
    static @Nullable Meta find(KeptConnection connection) throws SQLException {
        try (ResultSet row = connection.call("meta").query()) {
            return row.next()
                    ? new Meta(
                            row.getLong(1),
                            row.getInt(2),
                            row.getString(3),
                            Objects.requireNonNullElse(row.getString(4), UNUSED),
                            row.getLong(5))
                    : null;
        }
    }
}
