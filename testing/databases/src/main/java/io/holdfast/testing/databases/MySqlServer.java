package io.holdfast.testing.databases;

import io.holdfast.testing.process.Ports;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;

/**
 * A MySQL server with its defaults, but for what makes it slow and keeps data over a power failure. It is no part of
 * the class path: {@link Packages} downloads it. The driver is MySQL's own.
 */
public final class MySqlServer extends DatabaseServer {
    private static final String DATABASE = "holdfast";

    private final String version;

    private MySqlServer(ServerProcess server, int port, String version) {
        super(server, port);
        this.version = version;
    }

    /**
     * The newest that Debian has.
     *
     * @param options for the server, as on its command line
     */
    public static MySqlServer newest(String... options) throws SQLException {
        return start(Packages.debian(), "UTC0", options);
    }

    /** The newest on a machine with another local time, such as {@code CET-1CEST,M3.5.0,M10.5.0/3}. */
    public static MySqlServer inZone(String zone) throws SQLException {
        return start(Packages.debian(), zone);
    }

    /** The oldest that Holdfast promises to work with: 8.0. */
    public static MySqlServer oldest(String... options) throws SQLException {
        return start(Packages.ubuntu("mysql-server-core-8.0"), "UTC0", options);
    }

    /** The newest, and it confirms nothing before it is on disk. */
    public static MySqlServer durable() throws SQLException {
        return newest("--innodb-flush-log-at-trx-commit=1");
    }

    private static MySqlServer start(Packages packages, String zone, String... options) throws SQLException {
        Path folder = ServerProcess.newFolder("mysql");
        List<String> command = new ArrayList<>(List.of("env", "TZ=" + zone));
        command.addAll(packages.command("/usr/sbin/mysqld"));
        command.addAll(List.of(
                "--no-defaults",
                "--user=" + System.getProperty("user.name"),
                "--basedir=" + packages.path("/usr"),
                "--datadir=" + folder.resolve("data"),
                "--innodb-buffer-pool-size=16M",
                "--performance-schema=OFF",
                "--skip-log-bin"));
        List<String> initialize = new ArrayList<>(command);
        initialize.add("--initialize-insecure"); // root has no password
        ServerProcess.run(folder.resolve("initialize.log"), initialize);
        int port = Ports.free();
        command.addAll(List.of(
                "--bind-address=" + ServerProcess.HOST,
                "--port=" + port,
                "--socket=" + folder.resolve("socket"),
                "--mysqlx=OFF",
                "--secure-file-priv=NULL",
                "--auto-generate-certs=OFF",
                "--caching-sha2-password-auto-generate-rsa-keys=OFF",
                "--innodb-flush-log-at-trx-commit=0"));
        command.addAll(List.of(options));
        ServerProcess server = new ServerProcess(folder, "KILL", command);
        String root = url(port, "");
        server.awaitAnswer(root);
        try (Connection connection = DriverManager.getConnection(root);
                Statement statement = connection.createStatement()) {
            statement.execute("CREATE DATABASE " + DATABASE);
            return new MySqlServer(server, port, connection.getMetaData().getDatabaseProductVersion());
        }
    }

    private static String url(int port, String database) {
        return "jdbc:mysql://" + ServerProcess.HOST + ":" + port + "/" + database + "?user=root&sslMode=DISABLED";
    }

    @Override
    public String url(int otherPort) {
        return url(otherPort, DATABASE);
    }

    /** As it names itself, such as {@code 8.0.28}. */
    public String version() {
        return version;
    }

    /** A connection with options of the driver, such as {@code useServerPrepStmts=true}. */
    public Connection connect(String options) throws SQLException {
        return DriverManager.getConnection(url() + "&" + options);
    }

    @Override
    public String toString() {
        return "MySQL";
    }
}
