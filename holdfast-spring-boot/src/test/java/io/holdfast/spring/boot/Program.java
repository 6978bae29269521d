package io.holdfast.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A program in a JVM of its own. */
final class Program {
    private Program() {}

    /** Runs it to its good end, and returns what it said. */
    static String run(String classPath, List<String> options, String... command) throws Exception {
        return run(0, classPath, options, command);
    }

    /** Runs it to this end, and returns what it said. */
    static String run(int exit, String classPath, List<String> options, String... command) throws Exception {
        List<String> line = new ArrayList<>();
        line.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        line.add("-XX:TieredStopAtLevel=1");
        line.addAll(options);
        line.add("-cp");
        line.add(classPath);
        line.addAll(Arrays.asList(command));
        Process process = new ProcessBuilder(line).redirectErrorStream(true).start();
        try {
            String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertThat(process.waitFor(60, TimeUnit.SECONDS)).as(said).isTrue();
            assertThat(process.exitValue()).as(said).isEqualTo(exit);
            return said;
        } finally {
            process.destroyForcibly();
        }
    }
}
