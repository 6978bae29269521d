package io.holdfast.jdbc;

import java.io.PrintWriter;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.logging.Logger;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** A data source without a pool, whose connections a test can replace. */
record TestDataSource(Source source) implements DataSource {

    /** Where a connection comes from. */
    interface Source {
        Connection connect() throws SQLException;
    }

    @Override
    public Connection getConnection() throws SQLException {
        return source.connect();
    }

    @Override
    public Connection getConnection(String user, String password) throws SQLException {
        return source.connect();
    }

    @Override
    public @Nullable PrintWriter getLogWriter() {
        return null;
    }

    @Override
    public void setLogWriter(@Nullable PrintWriter out) {}

    @Override
    public void setLoginTimeout(int seconds) {}

    @Override
    public int getLoginTimeout() {
        return 0;
    }

    @Override
    public Logger getParentLogger() {
        return Logger.getLogger("io.holdfast.jdbc");
    }

    @Override
    public <T> T unwrap(Class<T> type) throws SQLException {
        throw new SQLException("nothing is inside");
    }

    @Override
    public boolean isWrapperFor(Class<?> type) {
        return false;
    }
}
