package io.holdfast.cli.embedded;

import io.holdfast.cli.process.Ending;
import io.holdfast.cli.process.ProcessTable;
import io.holdfast.cli.process.Shell;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/**
 * A server for this process alone. It ends when it is closed, and when this process ends in any way: a shell between
 * the two reads from a pipe that the system closes with this process, and ends the server then.
 */
public final class EmbeddedRedis implements AutoCloseable {
    private static final int TRIES = 3;
    private static final long PATIENCE_MILLIS = 15_000;
    private static final long STEP_MILLIS = 20;
    private static final String GUARD = """
            "$1" "$2" &
            server=$!
            echo $server
            while read -r nothing; do :; done
            kill -9 $server
            """;

    private final Endpoint endpoint;
    private final Shell guard;
    private final long pid;

    private EmbeddedRedis(Endpoint endpoint, Shell guard, long pid) {
        this.endpoint = endpoint;
        this.guard = guard;
        this.pid = pid;
    }

    /** Starts a server whose files are in this folder, which exists and is the caller's to delete. */
    public static EmbeddedRedis start(Path folder) {
        for (int i = 1; ; i++) {
            EmbeddedRedis server = launch(folder);
            if (until(() -> server.endpoint.answers() || !server.isAlive()) && server.isAlive()) {
                return server;
            }
            server.close();
            if (i == TRIES || Ending.hasBegun()) { // once or twice, somebody else may have taken the port meanwhile
                throw new UncheckedIOException("the embedded Redis did not start", new IOException(lastWords(folder)));
            }
        }
    }

    private static EmbeddedRedis launch(Path folder) {
        Path program = RedisProgram.in(folder);
        Path settings = folder.resolve("redis.conf");
        Endpoint endpoint = Endpoint.fresh();
        endpoint.writeSettings(settings, folder, false);
        Shell guard = new Shell(GUARD, program.toString(), settings.toString());
        return new EmbeddedRedis(endpoint, guard, Long.parseLong(guard.firstLine()));
    }

    static boolean until(BooleanSupplier condition) {
        long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(PATIENCE_MILLIS);
        while (System.nanoTime() < end) {
            if (condition.getAsBoolean()) {
                return true;
            }
            try {
                TimeUnit.MILLISECONDS.sleep(STEP_MILLIS);
            } catch (InterruptedException stopped) {
                Thread.currentThread().interrupt();
                return false;
            }
        }
        return false;
    }

    static String lastWords(Path folder) {
        try {
            List<String> lines = Files.readAllLines(folder.resolve("redis.log"), StandardCharsets.UTF_8);
            return String.join("; ", lines.subList(Math.max(0, lines.size() - 3), lines.size()));
        } catch (IOException nothing) {
            return "it wrote no log";
        }
    }

    /** How to connect, password included. */
    public String url() {
        return endpoint.url();
    }

    /** One that ended stays in the system's table until the guard ends too. */
    private boolean isAlive() {
        return ProcessHandle.of(pid)
                .filter(found -> !ProcessTable.hasEnded(found))
                .isPresent();
    }

    /** Ends the server and waits for that. */
    @Override
    public void close() {
        guard.close();
    }
}
