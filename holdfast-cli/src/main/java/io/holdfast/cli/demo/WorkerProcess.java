package io.holdfast.cli.demo;

import io.holdfast.cli.process.Shell;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** One {@link Worker}, seen from outside. */
final class WorkerProcess {
    /** Ctrl-C goes to everybody in the terminal. Workers leave it to their parent, which ends them in order. */
    private static final String DEAF = "trap '' INT TERM HUP; exec \"$@\"";

    private static final String STOP = "kill -STOP \"$1\" && echo stopped; cat > /dev/null; kill -CONT \"$1\"";
    private static final int TAIL_LINES = 12;
    private static final int PATIENCE_SECONDS = 10;

    private final String name;
    private final Process process;
    private final Path errors;
    private volatile boolean killed;
    private volatile boolean stopped;

    private WorkerProcess(String name, Process process, Path errors) {
        this.name = name;
        this.process = process;
        this.errors = errors;
    }

    /** @param listener gets each line of the worker, and at last that it ended */
    static WorkerProcess start(WorkerSettings settings, Path folder, Consumer<Said> listener) {
        Path errors = folder.resolve(settings.name() + ".err");
        try {
            Process process = new ProcessBuilder(command())
                    .directory(folder.toFile())
                    .redirectError(errors.toFile())
                    .start();
            WorkerProcess worker = new WorkerProcess(settings.name(), process, errors);
            Thread reader = new Thread(() -> worker.listen(listener), settings.name());
            reader.setDaemon(true);
            reader.start();
            settings.lines().forEach(worker::tell);
            return worker;
        } catch (IOException e) {
            throw new UncheckedIOException(settings.name() + " could not be started", e);
        }
    }

    private static List<String> command() {
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        return List.of(
                "sh",
                "-c",
                DEAF,
                "sh",
                java,
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-Xshare:auto",
                "-Xmx64m",
                "-Xss256k",
                "-cp",
                System.getProperty("java.class.path"),
                Worker.class.getName());
    }

    private void listen(Consumer<Said> listener) {
        try (BufferedReader lines = process.inputReader(StandardCharsets.UTF_8)) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                WorkerLine.parse(line).ifPresent(parsed -> listener.accept(new Said(this, parsed)));
            }
        } catch (IOException e) {
            // The same as the end.
        }
        listener.accept(new Said(this, WorkerLine.now(WorkerLine.Kind.ENDED, 0, 0)));
    }

    String name() {
        return name;
    }

    long pid() {
        return process.pid();
    }

    void tell(Order order) {
        tell(order.toString());
    }

    /** Does nothing for a worker that is gone: the listener learns of its end. */
    private void tell(String line) {
        try {
            OutputStream in = process.getOutputStream();
            in.write((line + "\n").getBytes(StandardCharsets.UTF_8));
            in.flush();
        } catch (IOException e) {
            process.destroyForcibly();
        }
    }

    /** SIGKILL. Returns once the process is gone. */
    void kill() {
        killed = true;
        process.destroyForcibly();
        try {
            process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    boolean wasKilled() {
        return killed;
    }

    /**
     * SIGSTOP now, and SIGCONT on close. By a process of its own, so that the worker goes on, and finds that it is
     * alone, also when this one is killed meanwhile.
     */
    Stop stop() {
        Shell shell = new Shell(STOP, String.valueOf(pid()));
        stopped = true;
        return () -> {
            stopped = false;
            shell.close();
        };
    }

    boolean isStopped() {
        return stopped;
    }

    /** A stop that ends when it is closed. */
    interface Stop extends AutoCloseable {
        @Override
        void close();
    }

    /** How it ended, and the last lines of what it had to complain of. */
    String lastWords() {
        try {
            int code = process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS) ? process.exitValue() : -1;
            List<String> lines = Files.readAllLines(errors, StandardCharsets.UTF_8).stream()
                    .filter(line -> !line.startsWith("\t")) // of a stack trace only what was thrown, and why
                    .toList();
            String tail = String.join("\n", lines.subList(Math.max(0, lines.size() - TAIL_LINES), lines.size()));
            return "exit code " + code + (tail.isEmpty() ? ", and it said nothing" : ":\n" + tail);
        } catch (IOException e) {
            return "and what it said cannot be read: " + e.getMessage();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return "";
        }
    }

    @Override
    public String toString() {
        return name;
    }
}
