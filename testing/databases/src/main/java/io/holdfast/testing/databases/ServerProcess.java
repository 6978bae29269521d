package io.holdfast.testing.databases;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A database server in a folder of its own.
 *
 * <p>A shell starts it, waits at the end of a pipe from this JVM and ends the server, and deletes its folder, when the
 * pipe is closed: by {@link #close}, or by the system when the JVM is gone, in whatever way. A line in the pipe starts
 * the server again, once it has ended.
 */
final class ServerProcess implements AutoCloseable {
    static final String HOST = "127.0.0.1";

    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final long PAUSE_MILLIS = 20;
    private static final String SCRIPT = """
            trap '' INT TERM HUP
            signal=$1
            folder=$2
            shift 2
            start() { "$@" & echo $! > "$folder/draft"; mv "$folder/draft" "$folder/pid"; }
            start "$@"
            while read -r again; do wait $!; start "$@"; done
            kill -CONT $!
            kill "-$signal" $!
            wait
            rm -rf "$folder"
            """;

    private final Process shell;
    private final @Nullable SmallDisk disk;
    private final Path pid;
    private final Path log;

    /**
     * Fails in the phase "test" of the build, which is for tests without servers.
     *
     * @param signal what ends the server at once
     */
    ServerProcess(Path folder, String signal, List<String> command) {
        this(folder, signal, command, null);
    }

    /** The same for one that has its files on a disk of its own. */
    ServerProcess(Path folder, String signal, List<String> command, @Nullable SmallDisk disk) {
        if ("none".equals(System.getProperty("holdfast.servers"))) {
            throw new IllegalStateException("no server may be started in this phase of the build: tag the test class"
                    + " @Tag(\"integration\"), and it runs in the phase of that name");
        }
        this.disk = disk;
        this.pid = folder.resolve("pid");
        this.log = folder.resolve("server.log");
        List<String> words = new ArrayList<>(List.of("sh", "-c", SCRIPT, "sh", signal, folder.toString()));
        words.addAll(command);
        this.shell = start(disk == null ? words : disk.around(words), log);
    }

    /** Makes the folder of one server. */
    static Path newFolder(String purpose) {
        try {
            return Files.createTempDirectory("holdfast-" + purpose + "-");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Process start(List<String> words, Path log) {
        try {
            return new ProcessBuilder(words)
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()))
                    .start();
        } catch (IOException e) {
            throw new UncheckedIOException("Could not run " + words, e);
        }
    }

    /** Runs a program to its end. */
    static void run(Path log, List<String> words) {
        expectSuccess(words + ", see " + log, start(words, log));
    }

    static void expectSuccess(String what, Process process) {
        try {
            if (!process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS) || process.exitValue() != 0) {
                process.destroyForcibly();
                throw new IllegalStateException("Failed: " + what);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("Interrupted during " + what, e);
        }
    }

    /** Returns once the server lets somebody in. */
    void awaitAnswer(String url) {
        long deadlineNanos = System.nanoTime() + PATIENCE.toNanos();
        while (true) {
            try (Connection first = DriverManager.getConnection(url)) {
                if (first.isValid(1)) {
                    return;
                }
            } catch (SQLException e) {
                if (System.nanoTime() - deadlineNanos > 0) {
                    String output = output();
                    close();
                    throw new IllegalStateException("No answer of " + url + ":\n" + output, e);
                }
            }
            pause();
        }
    }

    long pid() {
        await("no process was started", () -> Files.exists(pid));
        try {
            return Long.parseLong(Files.readString(pid).strip());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** It and its children, which can be no more while it is stopped. */
    private List<Long> stopped() {
        long parent = pid();
        signal("STOP", List.of(parent));
        await("process " + parent + " goes on", () -> "TtZ".contains(state(parent)));
        List<Long> all = new ArrayList<>(List.of(parent));
        ProcessHandle.of(parent).ifPresent(handle -> handle.descendants().forEach(child -> all.add(child.pid())));
        return all;
    }

    /** Only for one that has a disk of its own. The shell that watches over the server sees it, too. */
    void fillDisk() {
        Objects.requireNonNull(disk, "disk").fill(shell.pid());
    }

    void freeDisk() {
        Objects.requireNonNull(disk, "disk").free(shell.pid());
    }

    void kill() {
        List<Long> all = stopped();
        signal("KILL", all);
        await("processes " + all + " go on", () -> all.stream().allMatch(each -> "Z".contains(state(each))));
    }

    void restart() {
        try {
            Files.delete(pid);
            shell.getOutputStream().write('\n');
            shell.getOutputStream().flush();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    void signalAll(String name) {
        signal(name, stopped());
    }

    private static void signal(String name, List<Long> pids) {
        List<String> words = new ArrayList<>(List.of("kill", "-" + name));
        pids.forEach(each -> words.add(String.valueOf(each)));
        try {
            // Whoever has ended meanwhile needs no signal.
            new ProcessBuilder(words)
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start()
                    .waitFor();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("Interrupted while sending a signal", e);
        }
    }

    /** As the system has it, or empty when the process is gone. */
    private static String state(long pid) {
        try {
            String stat = Files.readString(Path.of("/proc", String.valueOf(pid), "stat"));
            int at = stat.lastIndexOf(')') + 2;
            return stat.substring(at, at + 1);
        } catch (IOException e) {
            return "";
        }
    }

    static void await(String complaint, BooleanSupplier condition) {
        long deadlineNanos = System.nanoTime() + PATIENCE.toNanos();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - deadlineNanos > 0) {
                throw new IllegalStateException("After " + PATIENCE + " " + complaint);
            }
            pause();
        }
    }

    private static void pause() {
        try {
            Thread.sleep(PAUSE_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("Interrupted while waiting for a database", e);
        }
    }

    private String output() {
        try {
            return Files.readString(log);
        } catch (IOException e) {
            return "(no output: " + e + ")";
        }
    }

    @Override
    public void close() {
        try {
            shell.getOutputStream().close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        try {
            if (!shell.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
                throw new IllegalStateException("The server did not end:\n" + output());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
