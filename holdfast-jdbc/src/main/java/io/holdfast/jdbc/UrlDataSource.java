package io.holdfast.jdbc;

import java.io.PrintWriter;
import java.sql.Connection;
import java.sql.Driver;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.Objects;
import java.util.Properties;
import java.util.logging.Logger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** Connections of a driver, one for each call. Never tells its password, and keeps the driver from doing so. */
final class UrlDataSource implements DataSource {
    /** Passwords in URLs, as {@code password=…} and as {@code //user:…@}. */
    private static final Pattern SECRET =
            Pattern.compile("(?i)(?:(?:password|passwd|pwd)[a-z0-9]*=|//[^:/@]*:(?=[^/]*@))([^&;,)@]+)");

    /** MariaDB's driver sends every statement whole unless it is told otherwise. */
    private static final String PREPARES = "useServerPrepStmts";

    private final Driver driver;
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
        try {
            this.driver = DriverManager.getDriver(url);
        } catch (SQLException unknown) {
            throw new IllegalArgumentException("no driver takes this URL, which begins with '"
                    + url.replaceFirst("(jdbc:[^:/]*).*", "$1")
                    + ":'; write it as the driver wants it, and put the driver on the class path");
        }
    }

    @Override
    public Connection getConnection() throws SQLException {
        return getConnection(user, password);
    }

    @Override
    public Connection getConnection(String name, String secret) throws SQLException {
        Properties login = new Properties();
        if (!name.isEmpty()) {
            login.setProperty("user", name);
        }
        if (!secret.isEmpty()) {
            login.setProperty("password", secret);
        }
        if (url.startsWith("jdbc:mariadb:") && !url.contains(PREPARES)) {
            login.setProperty(PREPARES, "true"); // few statements, each many times
        }
        Connection connection;
        try {
            connection = driver.connect(url, login);
        } catch (SQLException trouble) {
            throw told(trouble);
        }
        if (connection == null) {
            throw new SQLException("the driver does not take " + shown() + "; write the URL as the driver wants it");
        }
        return connection;
    }

    /** Drivers quote a URL that they do not like, with all that is in it. */
    private SQLException told(SQLException trouble) {
        String harmless = String.valueOf(trouble.getMessage()).replace(url, shown());
        if (!password.isEmpty()) {
            harmless = harmless.replace(password, "…");
        }
        for (Matcher secrets = SECRET.matcher(url); secrets.find(); ) {
            harmless = harmless.replace(secrets.group(1), "…");
        }
        if (harmless.equals(trouble.getMessage())) {
            return trouble;
        }
        SQLException told = new SQLException(harmless, trouble.getSQLState(), trouble.getErrorCode());
        told.setStackTrace(trouble.getStackTrace());
        return told;
    }

    private String shown() {
        return url.replaceAll("[?;].*", "").replaceAll("//[^/@]*@", "//");
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
        return "connections of " + shown();
    }
}
