package io.holdfast.testing.databases;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.UUID;

/** H2 in the memory of this JVM. */
public final class H2Database implements TestDatabase {
    private final String url = "jdbc:h2:mem:" + UUID.randomUUID() + ";LOCK_TIMEOUT=30000";

    /** The database exists while one connection is open. */
    private final Connection keeper;

    private H2Database() throws SQLException {
        keeper = connect();
    }

    public static H2Database start() throws SQLException {
        return new H2Database();
    }

    @Override
    public Connection connect() throws SQLException {
        return DriverManager.getConnection(url);
    }

    @Override
    public void close() {
        try {
            keeper.close();
        } catch (SQLException e) {
            throw new IllegalStateException("H2 did not end", e);
        }
    }

    @Override
    public String toString() {
        return "H2";
    }
}
