package io.holdfast.testing.databases;

import io.holdfast.testing.process.Ports;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * PgBouncer before a PostgreSQL server. It gives a connection to the server for the time of one transaction, and knows
 * nothing of prepared statements: the hardest of its settings for those behind it. Newer ones know them by default.
 */
public final class PgBouncer extends DatabaseServer {
    private static final String SETTINGS = """
            [databases]
            postgres = host=%s port=%d user=postgres
            [pgbouncer]
            listen_addr = %s
            listen_port = %d
            unix_socket_dir =
            auth_type = any
            pool_mode = transaction
            default_pool_size = %d
            max_client_conn = 900
            max_prepared_statements = 0
            ignore_startup_parameters = extra_float_digits
            """;

    private final PostgresServer database;

    private PgBouncer(ServerProcess server, int port, PostgresServer database) {
        super(server, port);
        this.database = database;
    }

    /**
     * Starts a pooler.
     *
     * @param connections how many it keeps to the server
     */
    public static PgBouncer start(PostgresServer database, int connections) {
        Path folder = PostgresServer.newFolder("pgbouncer");
        Path settings = folder.resolve("pgbouncer.ini");
        int port = Ports.free();
        try {
            Files.writeString(
                    settings,
                    SETTINGS.formatted(database.host(), database.port(), ServerProcess.HOST, port, connections));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        List<String> command = PostgresServer.asOwner(folder, Packages.debian().command("/usr/sbin/pgbouncer"));
        command.add(settings.toString());
        PgBouncer bouncer = new PgBouncer(new ServerProcess(folder, "KILL", command), port, database);
        bouncer.awaitAnswer();
        return bouncer;
    }

    @Override
    public String url(int otherPort) {
        return database.url(otherPort);
    }

    @Override
    public String toString() {
        return database.toString();
    }
}
