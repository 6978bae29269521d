package io.holdfast.torture;

import io.holdfast.Safety;
import io.holdfast.testing.process.JavaProcess;
import java.io.BufferedReader;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** One {@link Crowd}, seen from outside: closing it kills it. */
final class CrowdProcess implements AutoCloseable {
    private static final int PATIENCE_SECONDS = 30;

    private static final List<String> FLAGS = List.of("-Xmx256m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1");

    private final JavaProcess process;

    CrowdProcess(String url, Mode mode, Safety safety, Subject subject, int size) {
        process = JavaProcess.program("crowd", Crowd.class)
                .flags(FLAGS)
                .arguments(List.of(
                        url, safety.name(), mode.longestLease(safety).toString(), subject.name(), String.valueOf(size)))
                .errors(Redirect.DISCARD)
                .start();
    }

    /** Waits until it stands in the line; those in it by the end of the patience must do. */
    void awaitLine() {
        BufferedReader out = process.out();
        CompletableFuture<String> line = new CompletableFuture<>();
        Threads.start("crowd", () -> {
            try {
                line.complete(String.valueOf(out.readLine()));
            } catch (IOException e) {
                line.completeExceptionally(e);
            }
        });
        try {
            line.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        } catch (ExecutionException | TimeoutException e) {
            // Not all of them are there.
        }
    }

    @Override
    public void close() {
        process.kill();
    }
}
