package io.holdfast.testing.redis;

import io.holdfast.testing.process.Folders;
import io.holdfast.testing.process.Ports;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * A redis-server process of this machine, on a port and in a folder of its own.
 *
 * <p>Every method that starts a process returns once the server answers; every method that ends one returns once it is
 * gone. The port, the folder and the configuration stay the same over all restarts. {@link #close} kills the server and
 * deletes its folder; a server that is never closed ends with the JVM.
 *
 * <p>Thread-safe. Trouble with a command is thrown as {@link RedisConsoleException} when the server said so and as
 * {@link RedisUnreachableException} when it did not answer.
 *
 * <pre>{@code
 * try (RedisServer server = RedisServer.builder(RedisVersion.V7_0).appendOnly().start()) {
 *     server.command("SET", "key", "value");
 *     server.kill();
 *     server.restart();
 * }
 * }</pre>
 */
public final class RedisServer implements AutoCloseable {
    private static final int PORT_ATTEMPTS = 10;
    private static final Duration SOON = Duration.ofSeconds(1);
    private static final String PORT_TAKEN = "Address already in use";
    private static final Set<RedisServer> OPEN = ConcurrentHashMap.newKeySet();

    static {
        Runtime.getRuntime()
                .addShutdownHook(new Thread(() -> OPEN.forEach(RedisServer::close), "holdfast-redis-shutdown"));
    }

    private final RedisVersion version;
    private final Path dir;
    private final int port;
    private final boolean sentinel;
    private final @Nullable String password;
    private final @Nullable ClockShim clock;
    private volatile RedisProcess process;

    private RedisServer(RedisServerBuilder builder, Path dir, int port) {
        this.version = builder.version();
        this.dir = dir;
        this.port = port;
        this.sentinel = builder.isSentinel();
        this.password = builder.password();
        this.clock = builder.clock();
        this.process = launch();
    }

    /** A lone server that keeps nothing on the disk. */
    public static RedisServer start(RedisVersion version) {
        return builder(version).start();
    }

    public static RedisServerBuilder builder(RedisVersion version) {
        return new RedisServerBuilder(version);
    }

    static RedisServer start(RedisServerBuilder builder) {
        for (int attempt = 1; ; attempt++) {
            Path dir = Folders.temporary("redis");
            int port = ServerPorts.free();
            writeConfiguration(builder, dir, port);
            RedisServer server = new RedisServer(builder, dir, port);
            OPEN.add(server);
            try {
                server.awaitAnswer();
                return server;
            } catch (RuntimeException e) {
                boolean again = server.process.output().contains(PORT_TAKEN) && attempt < PORT_ATTEMPTS;
                server.close();
                if (!again) {
                    throw e;
                }
            }
        }
    }

    private static void writeConfiguration(RedisServerBuilder builder, Path dir, int port) {
        List<String> lines = new ArrayList<>(builder.lines());
        lines.add("port " + port);
        lines.add("dir \"" + dir + "\"");
        try {
            Files.write(dir.resolve("redis.conf"), lines);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private RedisProcess launch() {
        List<String> command = new ArrayList<>();
        command.add(version.binary().toString());
        command.add(dir.resolve("redis.conf").toString());
        if (sentinel) {
            command.add("--sentinel");
        }
        Path log = dir.resolve("redis.log");
        if (clock == null || sentinel) {
            RedisProcess launched = RedisProcess.start(command, dir, log);
            if (clock != null) {
                takeOverClock(clock, launched);
            }
            return launched;
        }
        try (Threshold threshold = Threshold.in(dir)) { // nothing is loaded, or found expired, by the true time
            command.add("--include");
            command.add(threshold.path().toString());
            RedisProcess launched = RedisProcess.start(command, dir, log);
            takeOverClock(clock, launched);
            threshold.awaitArrival(launched);
            return launched;
        }
    }

    private static void takeOverClock(ClockShim clock, RedisProcess launched) {
        try {
            clock.attach(launched.pid());
        } catch (RuntimeException e) {
            // A process that ends at once has a better story to tell.
            if (!launched.endsWithin(SOON)) {
                launched.kill();
                throw e;
            }
        }
    }

    private void awaitAnswer() {
        Await.until("an answer of the server at port " + port, Await.PATIENCE, this::hasAnsweredOrEnded, process::tail);
        if (!process.isAlive()) {
            throw new IllegalStateException("The server at port " + port + " ended at once:" + process.tail());
        }
    }

    private boolean hasAnsweredOrEnded() {
        if (!process.isAlive()) {
            return true;
        }
        try {
            return command("PING") != null;
        } catch (RedisConsoleException e) {
            return e.kind().equals("NOAUTH") || e.kind().equals("MASTERDOWN");
        }
    }

    public RedisVersion version() {
        return version;
    }

    public String host() {
        return Ports.HOST;
    }

    public int port() {
        return port;
    }

    public String uri() {
        return "redis://" + host() + ":" + port;
    }

    /** Of the process that runs now or ran last. */
    public long pid() {
        return process.pid();
    }

    /** The server's folder: redis.conf, redis.log and what the server itself keeps. */
    public Path dir() {
        return dir;
    }

    public boolean isAlive() {
        return process.isAlive();
    }

    /** What the present process has logged. */
    public String log() {
        return process.output();
    }

    /** Ends the process with SIGKILL. Does nothing when it has ended. */
    public void kill() {
        process.kill();
    }

    /** Ends the process the clean way: what it keeps on the disk is complete. */
    public void stop() {
        try {
            command("SHUTDOWN", "NOSAVE");
        } catch (RedisUnreachableException e) {
            // It hangs up instead of answering.
        }
        process.awaitEnd(Await.PATIENCE);
    }

    /** SIGSTOP: the process stands still, its connections stay open. */
    public void pause() {
        process.pause();
    }

    /** SIGCONT. */
    public void resume() {
        process.resume();
    }

    /** Kills the process where it still runs and starts it again with whatever is on the disk. */
    public synchronized void restart() {
        kill();
        for (int attempt = 1; ; attempt++) {
            process = launch();
            try {
                awaitAnswer();
                return;
            } catch (IllegalStateException e) {
                kill();
                if (!process.output().contains(PORT_TAKEN) || attempt >= PORT_ATTEMPTS) {
                    throw e;
                }
            }
        }
    }

    /** Like {@link #restart}, with all data lost. */
    public synchronized void restartEmpty() {
        kill();
        AofCopy.deleteData(dir);
        restart();
    }

    /** The append-only file as it is on the disk now. */
    public AofCopy copyAof() {
        return AofCopy.of(dir);
    }

    /** Like {@link #restart}, with the append-only file rolled back to the copy. */
    public synchronized void restartFrom(AofCopy copy) {
        kill();
        copy.restoreTo(dir);
        restart();
    }

    /**
     * Takes the last commands off the append-only file, as a power failure may when the file is not flushed at each
     * write. Kills the process first where it still runs.
     */
    public synchronized void truncateAof(int commands) {
        kill();
        AofFile.truncate(dir, commands);
    }

    /** Sends one command on a connection of its own. */
    public @Nullable Object command(String... words) {
        try (RedisConsole console = console()) {
            return console.command(words);
        }
    }

    /** Like {@link #command}, without patience for a server that stands still. */
    @Nullable
    Object ask(String... words) {
        try (RedisConsole console = console(SOON)) {
            return console.command(words);
        }
    }

    /** A connection that stays, past the password where there is one. */
    public RedisConsole console() {
        return console(RedisConsole.TIMEOUT);
    }

    /** The same, with another bound for each reply. */
    public RedisConsole console(Duration timeout) {
        RedisConsole console = RedisConsole.connect(host(), port, timeout);
        if (password != null) {
            try {
                console.command("AUTH", password);
            } catch (RuntimeException e) {
                console.close();
                throw e;
            }
        }
        return console;
    }

    /** Does it take writes, as far as it knows itself? False also when it does not answer soon. */
    boolean isMaster() {
        if (!isAlive()) {
            return false;
        }
        try (RedisConsole console = console(SOON)) {
            return "master"
                    .equals(Replies.fields(console.command("INFO", "replication"))
                            .get("role"));
        } catch (RedisUnreachableException e) {
            return false;
        }
    }

    /** Is it a replica that has caught up once and is connected to its master? */
    boolean isLinkUp() {
        return "up".equals(info("replication").get("master_link_status"));
    }

    public void flushAll() {
        command("FLUSHALL");
    }

    public void scriptFlush() {
        command("SCRIPT", "FLUSH");
    }

    /** Cuts the connections of one kind, {@code normal} or {@code pubsub}; returns how many there were. */
    public long clientKill(String type) {
        Object killed = command("CLIENT", "KILL", "TYPE", type);
        return killed instanceof Long count ? count : 0;
    }

    /** The fields of one section of INFO. */
    public Map<String, String> info(String section) {
        return Replies.fields(command("INFO", section));
    }

    /** What the server counted for each command, by its name in lower case ({@code config|get} where it has parts). */
    public Map<String, CommandStat> commandStats() {
        Map<String, CommandStat> stats = new LinkedHashMap<>();
        info("commandstats")
                .forEach((name, text) -> stats.put(name.substring("cmdstat_".length()), CommandStat.parse(text)));
        return stats;
    }

    /** Sets all that {@link #commandStats} counts to zero. */
    public void resetStats() {
        command("CONFIG", "RESETSTAT");
    }

    @Override
    public void close() {
        kill();
        Folders.delete(dir);
        OPEN.remove(this);
    }

    @Override
    public String toString() {
        return "redis " + version + " at " + host() + ":" + port;
    }
}
