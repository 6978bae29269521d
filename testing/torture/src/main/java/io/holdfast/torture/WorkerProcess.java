package io.holdfast.torture;

import io.holdfast.testing.process.JavaProcess;
import io.holdfast.testing.redis.ClockShim;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** One {@link Worker}, seen from outside. */
final class WorkerProcess {
    private static final List<String> FLAGS =
            List.of("-Xmx128m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xshare:auto");

    private final String name;
    private final JavaProcess process;
    private final ClockShim clock = new ClockShim();

    WorkerProcess(String name, WorkerSettings settings, Path errors) {
        this.name = name;
        String classes = System.getProperty("java.class.path");
        process = JavaProcess.start(name, FLAGS, classes, Worker.class, settings.arguments(), errors);
        if (ClockShim.isSupported()) {
            clock.attach(process.pid());
        }
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

    /** Takes nothing more until {@link #go}. Completes when nothing is held. */
    CompletableFuture<String> quiet() {
        process.tell("quiet");
        CompletableFuture<String> answer = new CompletableFuture<>();
        Threads.start("quiet-" + name, () -> {
            try {
                answer.complete(String.valueOf(process.out().readLine()));
            } catch (IOException e) {
                answer.completeExceptionally(e);
            }
        });
        return answer;
    }

    /** Collects garbage, again and again, until {@link #go}. */
    void collect() {
        process.tell("collect");
    }

    void go() {
        process.tell("go");
    }

    void stop() {
        process.tell("stop");
    }

    boolean endsWithin(Duration patience) {
        return process.endsWithin(patience);
    }

    int exitCode() {
        return process.exitCode();
    }

    /** SIGKILL. */
    void kill() {
        process.kill();
    }

    /** SIGSTOP, and SIGCONT after some time. */
    void pauseFor(long millis) {
        process.pauseFor(Duration.ofMillis(millis));
    }

    @Override
    public String toString() {
        return name;
    }
}
