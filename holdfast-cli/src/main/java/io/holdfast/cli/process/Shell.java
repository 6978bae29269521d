package io.holdfast.cli.process;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * A small script that begins something, says so, and ends it when its standard input ends: when it is closed here, or
 * when this process is gone in whatever way.
 */
public final class Shell implements AutoCloseable {
    private static final int PATIENCE_SECONDS = 10;

    private final Process process;
    private final String firstLine;

    /** Returns once the script has written its first line. */
    public Shell(String script, String... arguments) {
        List<String> command = new ArrayList<>(List.of("sh", "-c", "trap '' INT TERM HUP\n" + script, "sh"));
        command.addAll(List.of(arguments));
        try {
            process = new ProcessBuilder(command)
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
            String line = process.inputReader().readLine();
            if (line == null) {
                throw new IllegalStateException("the shell could not do its work: " + script);
            }
            firstLine = line;
        } catch (IOException e) {
            throw new UncheckedIOException("no shell could be started", e);
        }
    }

    /** What the script said first. */
    public String firstLine() {
        return firstLine;
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
