package io.holdfast.cli.demo;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * A small script that begins something, says so, and ends it when its standard input ends: when it is closed here, or when this process is gone in whatever way.
 */
final class Shell implements AutoCloseable {
    private static final int PATIENCE_SECONDS = 10;

    private final Process process;

    /** Returns once the script has written its first line. */
    Shell(String script, String... arguments) {
        List<String> command = new ArrayList<>(List.of("sh", "-c", "trap '' INT TERM HUP\n" + script, "sh"));
        command.addAll(List.of(arguments));
        try {
            process = new ProcessBuilder(command)
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
            if (process.inputReader().readLine() == null) {
                throw new IllegalStateException("the shell could not do its work: " + script);
            }
        } catch (IOException e) {
            throw new UncheckedIOException("no shell could be started", e);
        }
    }

    /** Returns once the script has ended. */
    @Override
    public void close() {
        try {
            process.getOutputStream().close();
            process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS);
        } catch (IOException gone) {
            process.destroyForcibly();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
