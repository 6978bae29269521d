package io.holdfast.testing.zookeeper;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A JVM that runs a ZooKeeper server. A shell stands between it and this JVM and kills it when this JVM is gone, in
 * whatever way: the system closes the pipe at whose end the shell waits.
 *
 * <p>It does not wait for the disk: what it wrote survives its own death, and nobody pulls a plug here.
 */
final class ServerProcess {
    private static final Duration DEATH = Duration.ofSeconds(60);
    private static final String MAIN = "org.apache.zookeeper.server.quorum.QuorumPeerMain";
    private static final String SCRIPT = """
            trap '' INT HUP
            exec 3<&0
            "$@" 3<&- & pid=$!
            echo $pid
            (cat > /dev/null; kill -9 $pid) <&3 3<&- 2> /dev/null > /dev/null & guard=$!
            wait $pid
            kill -9 $guard
            """;

    private final Process shell;
    private final long pid;

    private ServerProcess(Process shell, long pid) {
        this.shell = shell;
        this.pid = pid;
    }

    /** Fails in the phase "test" of the build, which is for tests without servers. */
    static ServerProcess start(Path folder, Path config, List<String> flags) {
        if ("none".equals(System.getProperty("holdfast.servers"))) {
            throw new IllegalStateException("no server may be started in this phase of the build: tag the test class"
                    + " @Tag(\"integration\"), and it runs in the phase of that name");
        }
        List<String> command = new ArrayList<>(List.of("sh", "-c", SCRIPT, "sh"));
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of(
                "-Xmx96m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-Xshare:auto",
                "-Dzookeeper.admin.enableServer=false",
                "-Dzookeeper.forceSync=no",
                "-Dzookeeper.jmx.log4j.disable=true",
                // An election in which a message was lost asks again after this time at the latest, not after a minute.
                "-Dzookeeper.fastleader.maxNotificationInterval=1000",
                "-Dzookeeper.4lw.commands.whitelist=*"));
        command.addAll(flags);
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), MAIN, config.toString()));
        try {
            Process shell = new ProcessBuilder(command)
                    .redirectError(ProcessBuilder.Redirect.appendTo(
                            folder.resolve("server.log").toFile()))
                    .start();
            String pid = shell.inputReader(StandardCharsets.US_ASCII).readLine();
            return new ServerProcess(shell, Long.parseLong(String.valueOf(pid)));
        } catch (IOException e) {
            throw new UncheckedIOException("Could not run a ZooKeeper server", e);
        }
    }

    /** What it wrote, for messages. */
    static String output(Path folder) {
        try {
            return Files.readString(folder.resolve("server.log"));
        } catch (IOException e) {
            return "(no output: " + e + ")";
        }
    }

    boolean isAlive() {
        return shell.isAlive();
    }

    long pid() {
        return pid;
    }

    void signal(String name) {
        run("kill", "-" + name, String.valueOf(pid));
    }

    /** SIGKILL. Returns once it is gone. */
    void kill() {
        if (isAlive()) {
            try {
                signal("KILL");
            } catch (IllegalStateException gone) {
                // it was faster
            }
        }
        awaitEnd();
    }

    void awaitEnd() {
        try {
            if (!shell.waitFor(DEATH.toSeconds(), TimeUnit.SECONDS)) {
                throw new IllegalStateException("ZooKeeper server " + pid + " does not end");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("Interrupted while ZooKeeper server " + pid + " ended", e);
        }
    }

    private static void run(String... words) {
        try {
            Process process =
                    new ProcessBuilder(words).redirectErrorStream(true).start();
            String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            if (process.waitFor() != 0) {
                throw new IllegalStateException(String.join(" ", words) + ": " + said);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("Interrupted", e);
        }
    }

    /** For null-safe closing. */
    static void killIfAny(@Nullable ServerProcess process) {
        if (process != null) {
            process.kill();
        }
    }
}
