package io.holdfast.testing.databases;

import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.sql.Connection;
import java.sql.Driver;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.Objects;
import java.util.Properties;
import java.util.UUID;

/** H2 in the memory of this JVM. */
public final class H2Database implements TestDatabase {
    private final String url = "jdbc:h2:mem:" + UUID.randomUUID() + ";LOCK_TIMEOUT=30000";

    /** The database exists while one connection is open. */
    private final Connection keeper;

    private final Driver driver;

    private H2Database(Driver driver) throws SQLException {
        this.driver = driver;
        keeper = connect();
    }

    public static H2Database start() throws SQLException {
        return new H2Database(DriverManager.getDriver("jdbc:h2:mem:"));
    }

    /** The oldest that Holdfast promises to work with: 2.0. */
    public static H2Database oldest() throws SQLException {
        try {
            URL jar = OldestVersions.jar("h2").toUri().toURL();
            // Stays open: the database loads classes as long as it lives.
            ClassLoader alone = new URLClassLoader(new URL[] {jar}, ClassLoader.getPlatformClassLoader());
            return new H2Database(
                    (Driver) alone.loadClass("org.h2.Driver").getConstructor().newInstance());
        } catch (MalformedURLException | ReflectiveOperationException e) {
            throw new IllegalStateException("No driver in the oldest H2", e);
        }
    }

    @Override
    public Connection connect() throws SQLException {
        return Objects.requireNonNull(driver.connect(url, new Properties()), url);
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
