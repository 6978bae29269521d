package io.holdfast.comparison;

import io.holdfast.testing.databases.PostgresServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.Statement;
import java.util.concurrent.Callable;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** PostgreSQL. Requests are counted in its log, which is on only while they are. */
final class PostgresStore extends DatabaseStore {
    /** What begins a transaction travels with the first statement of it. */
    private static final Pattern REQUEST = Pattern.compile("(execute [^:]+|statement): (?!BEGIN)");

    private static final String LOG = "bench.log";

    private final PostgresServer server;

    PostgresStore() {
        this(PostgresServer.start("fsync=on", "logging_collector=on", "log_directory=.", "log_filename=" + LOG));
    }

    private PostgresStore(PostgresServer server) {
        super(server.url(), new String[] {springTable("TIMESTAMP", ""), shedLockTable("TIMESTAMP")});
        this.server = server;
    }

    @Override
    long pid() {
        return server.pid();
    }

    private Path folder() {
        return Path.of(single("SHOW data_directory", 1));
    }

    @Override
    public @Nullable Long commandsDuring(Callable<?> work) throws Exception {
        log("all");
        Long requests = super.commandsDuring(work);
        log("none");
        return requests;
    }

    private void log(String which) throws Exception {
        try (Connection connection = connect();
                Statement statement = connection.createStatement()) {
            statement.execute("ALTER SYSTEM SET log_statement = '" + which + "'");
            statement.execute("SELECT pg_reload_conf()");
        }
    }

    @Override
    long requests() {
        try (Stream<String> lines = Files.lines(folder().resolve(LOG), StandardCharsets.ISO_8859_1)) {
            return lines.filter(line -> REQUEST.matcher(line).find()).count();
        } catch (IOException trouble) {
            throw new UncheckedIOException(trouble);
        }
    }

    @Override
    public void close() {
        server.close();
    }
}
