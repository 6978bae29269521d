package io.holdfast.jdbc;

import java.io.PrintWriter;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.Objects;
import java.util.logging.Logger;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** Connections of a driver, one for each call. Never tells its password. */
final class UrlDataSource implements DataSource {
    private final String url;
    private final String user;
    private final String password;

    UrlDataSource(String url, String user, String password) {
        this.url = Objects.requireNonNull(url, "url");
        this.user = Objects.requireNonNull(user, "user");
        this.password = Objects.requireNonNull(password, "password");
        if (!url.startsWith("jdbc:")) {
            throw new IllegalArgumentException("the URL begins with '" + url.replaceFirst("[:/?@].*", "")
                    + "', expected 'jdbc:', for instance jdbc:postgresql://host/database");
        }
    }

    @Override
    public Connection getConnection() throws SQLException {
        return user.isEmpty() ? DriverManager.getConnection(url) : getConnection(user, password);
    }

    @Override
    public Connection getConnection(String name, String secret) throws SQLException {
        return DriverManager.getConnection(url, name, secret);
    }

    @Override
    public @Nullable PrintWriter getLogWriter() {
        return null;
    }

    @Override
    public void setLogWriter(@Nullable PrintWriter out) {}

    @Override
    public void setLoginTimeout(int seconds) throws SQLException {
        throw new SQLException("set it in the URL, as the driver wants it");
    }

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
        throw new SQLException("there is nothing inside");
    }

    @Override
    public boolean isWrapperFor(Class<?> type) {
        return false;
    }

    @Override
    public String toString() {
        return "connections of " + url.replaceAll("[?;].*", "").replaceAll("//[^/@]*@", "//");
    }
}
