package io.holdfast.torture;

import io.holdfast.testing.redis.ClockShim;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** One {@link Worker}, seen from outside. */
final class WorkerProcess {
    private final String name;
    private final Process process;
    private final BufferedReader out;
    private final ClockShim clock = new ClockShim();

    WorkerProcess(String name, WorkerSettings settings, Path errors) {
        this.name = name;
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx128m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-Xshare:auto",
                "-cp",
                System.getProperty("java.class.path"),
                Worker.class.getName()));
        command.addAll(settings.arguments());
        try {
            process = new ProcessBuilder(command).redirectError(errors.toFile()).start();
        } catch (IOException e) {
            throw new UncheckedIOException("could not start a worker", e);
        }
        if (ClockShim.isSupported()) {
            clock.attach(process.pid());
        }
        out = new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
    }

    /** Its wall clock. */
    ClockShim clock() {
        return clock;
    }

    String name() {
        return name;
    }

    boolean isAlive() {
        return process.isAlive();
    }

    private void tell(String order) {
        try {
            OutputStream in = process.getOutputStream();
            in.write((order + "\n").getBytes(StandardCharsets.UTF_8));
            in.flush();
        } catch (IOException e) {
            throw new UncheckedIOException(name + " does not listen", e);
        }
    }

    /** Takes nothing more until {@link #go}. Completes when nothing is held. */
    CompletableFuture<String> quiet() {
        tell("quiet");
        CompletableFuture<String> answer = new CompletableFuture<>();
        Threads.start("quiet-" + name, () -> {
            try {
                answer.complete(String.valueOf(out.readLine()));
            } catch (IOException e) {
                answer.completeExceptionally(e);
            }
        });
        return answer;
    }

    /** Collects garbage, again and again, until {@link #go}. */
    void collect() {
        tell("collect");
    }

    void go() {
        tell("go");
    }

    void stop() {
        tell("stop");
    }

    boolean endsWithin(Duration patience) {
        try {
            return process.waitFor(patience.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        }
    }

    int exitCode() {
        return process.exitValue();
    }

    /** SIGKILL. */
    void kill() {
        process.destroyForcibly();
        if (!endsWithin(Duration.ofSeconds(10))) {
            throw new IllegalStateException(name + " does not die");
        }
    }

    /**
     * SIGSTOP, and SIGCONT after some time. By a process of its own, so that the worker goes on, and finds that it is alone, also when
     * this one is killed meanwhile.
     */
    void pauseFor(long millis) {
        String seconds = millis / 1_000 + "." + String.format(java.util.Locale.ROOT, "%03d", millis % 1_000);
        long pid = process.pid();
        try {
            new ProcessBuilder("sh", "-c", "kill -STOP " + pid + "; sleep " + seconds + "; kill -CONT " + pid)
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start()
                    .waitFor();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        }
    }

    @Override
    public String toString() {
        return name;
    }
}
