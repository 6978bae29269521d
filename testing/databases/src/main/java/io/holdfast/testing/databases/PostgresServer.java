package io.holdfast.testing.databases;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/** A PostgreSQL server with its defaults, but for what makes it slow and keeps data over a power failure. */
public final class PostgresServer implements TestDatabase {
    /** Nobody, on every Linux. */
    private static final int NOBODY = 65_534;

    private final ServerProcess server;
    private final String url;

    private PostgresServer(ServerProcess server, String url) {
        this.server = server;
        this.url = url;
    }

    public static PostgresServer start() {
        boolean arm = System.getProperty("os.arch", "").matches("aarch64|arm64");
        Path programs = Programs.unpacked(arm ? "postgres-linux-arm_64.txz" : "postgres-linux-x86_64.txz");
        Path folder = ServerProcess.newFolder("postgresql");
        List<String> asWhom = List.of();
        if (isOfRoot(folder)) {
            give(folder, NOBODY);
            asWhom = List.of("setpriv", "--reuid=" + NOBODY, "--regid=" + NOBODY, "--clear-groups");
        }
        Path data = folder.resolve("data");
        ServerProcess.run(
                folder.resolve("initdb.log"),
                words(
                        asWhom,
                        programs.resolve("bin/initdb").toString(),
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
        int port = ServerProcess.freePort();
        ServerProcess server = new ServerProcess(
                folder,
                "QUIT",
                words(
                        asWhom,
                        programs.resolve("bin/postgres").toString(),
                        "-D",
                        data.toString(),
                        "-h",
                        ServerProcess.HOST,
                        "-p",
                        String.valueOf(port),
                        "-k",
                        folder.toString(),
                        "-F"));
        String url = "jdbc:postgresql://" + ServerProcess.HOST + ":" + port + "/postgres?user=postgres";
        server.awaitAnswer(url);
        return new PostgresServer(server, url);
    }

    /** Does it belong to root? Files of this JVM belong to its user. */
    private static boolean isOfRoot(Path path) {
        try {
            return Integer.valueOf(0).equals(Files.getAttribute(path, "unix:uid"));
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

    private static List<String> words(List<String> asWhom, String... command) {
        List<String> words = new ArrayList<>(asWhom);
        words.addAll(List.of(command));
        return words;
    }

    /** For a program that connects by itself. */
    public String url() {
        return url;
    }

    @Override
    public Connection connect() throws SQLException {
        return DriverManager.getConnection(url);
    }

    @Override
    public void close() {
        server.close();
    }

    @Override
    public String toString() {
        return "PostgreSQL";
    }
}
