package io.holdfast.testing.zookeeper;

import io.holdfast.testing.process.Folders;
import io.holdfast.testing.process.Ports;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * One ZooKeeper server, alone or a member of a {@link ZooKeeperEnsemble}. Thread-safe but for starting and stopping.
 */
public final class ZooKeeperServer implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final long PAUSE_MILLIS = 20;

    private final Path folder;
    private final int port;
    private final Map<String, String> settings = new TreeMap<>();
    private final List<String> flags;
    private final int securePort = Ports.free();
    private @Nullable ServerProcess process;

    ZooKeeperServer(int tickMillis, Map<String, String> more) {
        this(tickMillis, more, List.of());
    }

    ZooKeeperServer(int tickMillis, Map<String, String> more, List<String> flags) {
        this.flags = List.copyOf(flags);
        this.port = Ports.free();
        try {
            this.folder = Files.createTempDirectory("holdfast-zookeeper-");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        settings.put("dataDir", folder.resolve("data").toString());
        settings.put("clientPort", String.valueOf(port));
        settings.put("clientPortAddress", Ports.HOST);
        settings.put("tickTime", String.valueOf(tickMillis));
        settings.put("maxClientCnxns", "0");
        settings.putAll(more);
    }

    /** A server alone, with the ticks of a default one, that gives sessions of up to five minutes. */
    public static ZooKeeperServer start() {
        return start(2_000, Map.of("maxSessionTimeout", "300000"));
    }

    /** A server alone, with more lines in its configuration. */
    public static ZooKeeperServer start(int tickMillis, Map<String, String> more) {
        return start(tickMillis, more, List.of());
    }

    /** A server alone, with more lines in its configuration and more flags for its JVM. */
    public static ZooKeeperServer start(int tickMillis, Map<String, String> more, List<String> flags) {
        ZooKeeperServer server = new ZooKeeperServer(tickMillis, more, flags);
        server.startAgain();
        return server;
    }

    /** A server alone that speaks TLS at a second port. */
    public static ZooKeeperServer startSecure(Path keyStore, String password) {
        ZooKeeperServer server = new ZooKeeperServer(
                2_000,
                Map.of(
                        "serverCnxnFactory",
                        "org.apache.zookeeper.server.NettyServerCnxnFactory",
                        "ssl.keyStore.location",
                        keyStore.toString(),
                        "ssl.keyStore.password",
                        password,
                        "ssl.clientAuth",
                        "none"));
        server.settings.put("secureClientPort", String.valueOf(server.securePort));
        server.settings.put("secureClientPortAddress", Ports.HOST);
        server.startAgain();
        return server;
    }

    /** For a connect string of a client that speaks TLS. */
    public String secureAddress() {
        return Ports.HOST + ":" + securePort;
    }

    /** Runs the server on the data that it has, and returns when it answers. */
    public void startAgain() {
        launch();
        awaitAnswer();
    }

    void launch() {
        try {
            Files.createDirectories(data());
            Path config = folder.resolve("zoo.cfg");
            List<String> lines = settings.entrySet().stream()
                    .map(each -> each.getKey() + "=" + each.getValue())
                    .toList();
            Files.write(config, lines);
            process = ServerProcess.start(folder, config, flags);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    void awaitAnswer() {
        long deadlineNanos = System.nanoTime() + PATIENCE.toNanos();
        while (mode().isEmpty()) {
            if (System.nanoTime() - deadlineNanos > 0 || process == null || !process.isAlive()) {
                throw new IllegalStateException("No answer of " + address() + ":\n" + ServerProcess.output(folder));
            }
            pause();
        }
    }

    static void pause() {
        try {
            Thread.sleep(PAUSE_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("Interrupted while waiting for ZooKeeper", e);
        }
    }

    /** {@code standalone}, {@code leader} or {@code follower}; empty while it serves nobody. */
    public String mode() {
        return FourLetters.ask(port, "srvr")
                .lines()
                .filter(line -> line.startsWith("Mode: "))
                .map(line -> line.substring("Mode: ".length()))
                .findFirst()
                .orElse("");
    }

    /** Answers one of the server's short questions, for instance {@code mntr}. */
    public String ask(String word) {
        return FourLetters.ask(port, word);
    }

    public String host() {
        return Ports.HOST;
    }

    public int port() {
        return port;
    }

    /** For a connect string. */
    public String address() {
        return Ports.HOST + ":" + port;
    }

    /** Where its data is. */
    public Path data() {
        return folder.resolve("data");
    }

    Path folder() {
        return folder;
    }

    Map<String, String> settings() {
        return settings;
    }

    private ServerProcess running() {
        if (process == null) {
            throw new IllegalStateException(address() + " does not run");
        }
        return process;
    }

    /** Of the server itself; another one after each start. */
    public long pid() {
        return running().pid();
    }

    /** SIGTERM, and waits for its end. */
    public void stop() {
        running().signal("TERM");
        running().awaitEnd();
    }

    /** SIGKILL, and waits for its end. */
    public void kill() {
        running().kill();
    }

    /** SIGSTOP: connections stay open, and nobody answers. */
    public void pauseProcess() {
        running().signal("STOP");
    }

    /** SIGCONT. */
    public void resumeProcess() {
        running().signal("CONT");
    }

    /** Deletes its data; it must not run. */
    public void wipe() {
        Folders.delete(data());
    }

    @Override
    public void close() {
        ServerProcess.killIfAny(process);
        Folders.delete(folder);
    }
}
