package io.holdfast.torture;

import io.holdfast.Safety;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** One {@link Crowd}, seen from outside: closing it kills it. */
final class CrowdProcess implements AutoCloseable {
    private static final int PATIENCE_SECONDS = 30;

    private final Process process;

    CrowdProcess(String url, Mode mode, Safety safety, Subject subject, int size) {
        try {
            process = new ProcessBuilder(
                            Path.of(System.getProperty("java.home"), "bin", "java")
                                    .toString(),
                            "-Xmx256m",
                            "-XX:+UseSerialGC",
                            "-XX:TieredStopAtLevel=1",
                            "-cp",
                            System.getProperty("java.class.path"),
                            Crowd.class.getName(),
                            url,
                            safety.name(),
                            mode.longestLease().toString(),
                            subject.name(),
                            String.valueOf(size))
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
        } catch (IOException e) {
            throw new UncheckedIOException("could not start a crowd", e);
        }
    }

    /** Waits until it stands in the line; those in it by the end of the patience must do. */
    void awaitLine() {
        BufferedReader out = process.inputReader();
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
        process.destroyForcibly();
        try {
            process.waitFor(Duration.ofSeconds(10).toSeconds(), TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        }
    }
}
