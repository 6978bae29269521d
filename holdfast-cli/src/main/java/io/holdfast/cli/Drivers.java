package io.holdfast.cli;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.Driver;
import java.sql.DriverManager;
import java.sql.DriverPropertyInfo;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.util.List;
import java.util.Properties;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import java.util.logging.LogManager;
import java.util.logging.Logger;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Database drivers: those that the command has, and those of a folder. */
final class Drivers {
    private Drivers() {}

    /** Sees to it that there is a driver for the URL, or says what to do. */
    static void prepare(String url, @Nullable Path folder) {
        // They write to the error stream, and quote URLs with all that is in them.
        LogManager.getLogManager().reset();
        try {
            if (folder != null) {
                register(url, folder);
            }
            if (DriverManager.drivers().noneMatch(driver -> takes(driver, url))) {
                throw new IllegalArgumentException("no driver takes this URL, which begins with '"
                        + url.replaceFirst("(jdbc:[^:/]*).*", "$1")
                        + ":'; write it as the driver wants it, and put the driver's archive into "
                        + (folder == null ? "a folder that --drivers or HOLDFAST_DRIVERS names" : folder));
            }
        } catch (IOException unreadable) {
            throw new UncheckedIOException("the folder of --drivers or HOLDFAST_DRIVERS cannot be read", unreadable);
        }
    }

    private static boolean takes(Driver driver, String url) {
        try {
            return driver.acceptsURL(url);
        } catch (SQLException refused) {
            return false;
        }
    }

    private static void register(String url, Path folder) throws IOException {
        List<URL> archives;
        try (Stream<Path> files = Files.list(folder)) {
            archives = files.filter(file -> file.toString().endsWith(".jar"))
                    .sorted()
                    .map(Drivers::address)
                    .toList();
        }
        // Open as long as this process: a driver loads its classes when it needs them.
        URLClassLoader loader = new URLClassLoader(archives.toArray(URL[]::new), Drivers.class.getClassLoader());
        try {
            for (Driver driver : ServiceLoader.load(Driver.class, loader)) {
                if (driver.getClass().getClassLoader() == loader && takes(driver, url)) {
                    DriverManager.registerDriver(new FromFolder(driver));
                }
            }
        } catch (ServiceConfigurationError | SQLException broken) {
            throw new IllegalArgumentException(
                    "a driver in " + folder + " cannot be used: " + broken.getMessage(), broken);
        }
    }

    private static URL address(Path archive) {
        try {
            return archive.toUri().toURL();
        } catch (MalformedURLException impossible) {
            throw new UncheckedIOException(impossible);
        }
    }

    /** The manager gives out only drivers whose class the caller can see. */
    private record FromFolder(Driver driver) implements Driver {
        @Override
        public @Nullable Connection connect(String url, Properties info) throws SQLException {
            return driver.connect(url, info);
        }

        @Override
        public boolean acceptsURL(String url) throws SQLException {
            return driver.acceptsURL(url);
        }

        @Override
        public DriverPropertyInfo[] getPropertyInfo(String url, Properties info) throws SQLException {
            return driver.getPropertyInfo(url, info);
        }

        @Override
        public int getMajorVersion() {
            return driver.getMajorVersion();
        }

        @Override
        public int getMinorVersion() {
            return driver.getMinorVersion();
        }

        @Override
        public boolean jdbcCompliant() {
            return driver.jdbcCompliant();
        }

        @Override
        public Logger getParentLogger() throws SQLFeatureNotSupportedException {
            return driver.getParentLogger();
        }
    }
}
