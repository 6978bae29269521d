package io.holdfast.comparison;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Programs of the system. */
final class Commands {
    private Commands() {}

    /** Whether a program can be started. */
    static boolean has(String program) {
        try {
            return new ProcessBuilder(program, "--version")
                            .redirectErrorStream(true)
                            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                            .start()
                            .waitFor()
                    == 0;
        } catch (IOException missing) {
            return false;
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /** Runs a command to its end, which must be a good one. */
    static void run(String... command) {
        try {
            Process process =
                    new ProcessBuilder(command).redirectErrorStream(true).start();
            String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            if (process.waitFor() != 0) {
                throw new BenchException(String.join(" ", List.of(command)) + " failed: " + said.strip(), null);
            }
        } catch (IOException missing) {
            throw new BenchException(command[0] + " cannot be started: " + missing.getMessage(), missing);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new BenchException(command[0] + " was interrupted", interrupted);
        }
    }
}
