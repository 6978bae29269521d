package io.holdfast.testing.redis;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/** A process that runs redis-server, its output in a file. */
final class RedisProcess {
    private static final int TAIL_LINES = 25;
    private static final Duration KILL_PATIENCE = Duration.ofSeconds(60);

    private final Process process;
    private final Path log;
    private final long logStart;
    private final AtomicBoolean guarded = new AtomicBoolean(true);

    private RedisProcess(Process process, Path log, long logStart) {
        this.process = process;
        this.log = log;
        this.logStart = logStart;
    }

    /** Fails in the phase "test" of the build, which is for tests without servers. */
    static RedisProcess start(List<String> command, Path dir, Path log) {
        if ("none".equals(System.getProperty("holdfast.servers"))) {
            throw new IllegalStateException("no server may be started in this phase of the build: tag the test class"
                    + " @Tag(\"integration\"), and it runs in the phase of that name");
        }
        try {
            long logStart = Files.exists(log) ? Files.size(log) : 0;
            Process process = new ProcessBuilder(command)
                    .directory(dir.toFile())
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()))
                    .start();
            Guardian.started(process.pid());
            return new RedisProcess(process, log, logStart);
        } catch (IOException e) {
            throw new UncheckedIOException("Could not run " + command.get(0), e);
        }
    }

    long pid() {
        return process.pid();
    }

    boolean isAlive() {
        return process.isAlive();
    }

    /** At once, whatever it is doing: nothing is written to the disk any more. */
    void kill() {
        process.destroyForcibly();
        awaitEnd(KILL_PATIENCE);
    }

    boolean endsWithin(Duration patience) {
        try {
            return process.waitFor(patience.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("Interrupted while process " + pid() + " ended", e);
        }
    }

    void awaitEnd(Duration patience) {
        if (!endsWithin(patience)) {
            throw new IllegalStateException("Process " + pid() + " did not end within " + patience + tail());
        }
        if (guarded.compareAndSet(true, false)) {
            Guardian.ended(pid());
        }
    }

    /** Stops it where it is; connections stay open, and the system still takes bytes for it. */
    void pause() {
        signal("STOP");
        Await.until("process " + pid() + " is stopped", () -> state() == 'T');
    }

    void resume() {
        signal("CONT");
        Await.until("process " + pid() + " runs", () -> state() != 'T');
    }

    private void signal(String name) {
        try {
            Process kill = new ProcessBuilder("kill", "-" + name, String.valueOf(pid()))
                    .redirectErrorStream(true)
                    .start();
            String output = new String(kill.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            if (kill.waitFor() != 0) {
                throw new IllegalStateException("No signal " + name + " to process " + pid() + ": " + output);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("Interrupted while sending a signal to process " + pid(), e);
        }
    }

    private char state() {
        try {
            String stat = Files.readString(Path.of("/proc", String.valueOf(pid()), "stat"));
            return stat.charAt(stat.lastIndexOf(')') + 2);
        } catch (IOException e) {
            throw new UncheckedIOException("Process " + pid() + " has ended", e);
        }
    }

    /** What this process, not an earlier one with the same file, has written. */
    String output() {
        try {
            byte[] all = Files.readAllBytes(log);
            int from = (int) Math.min(logStart, all.length);
            return new String(all, from, all.length - from, StandardCharsets.UTF_8);
        } catch (IOException e) {
            return "(no output: " + e + ")";
        }
    }

    String tail() {
        List<String> lines = output().lines().toList();
        return "\n  " + String.join("\n  ", lines.subList(Math.max(0, lines.size() - TAIL_LINES), lines.size()));
    }
}
