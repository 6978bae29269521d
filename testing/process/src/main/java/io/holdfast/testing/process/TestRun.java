package io.holdfast.testing.process;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Test classes that run once more, in a JVM with other jars: another version of a client library, or another library.
 * What they print is shown if one fails.
 */
public final class TestRun {
    private static final Pattern SUMMARY = Pattern.compile("RAN (\\d+)");

    private TestRun() {}

    /**
     * Runs test classes.
     *
     * @param name what messages call it
     * @param jars changes the class path of this JVM, entry by entry
     * @param tags which tests, as a tag expression
     * @param patience how long all of them may take
     * @param selectors {@code class:…} or {@code method:…#…}, as JUnit writes them
     * @return how many tests were run, all of them green
     * @throws AssertionError if one failed, with what it printed
     */
    public static int green(
            String name, UnaryOperator<List<String>> jars, String tags, Duration patience, List<String> selectors) {
        List<String> arguments = new ArrayList<>(List.of(tags));
        arguments.addAll(selectors);
        try {
            Path errors = Files.createTempFile("holdfast-" + name, ".err");
            Queue<String> lines = new ConcurrentLinkedQueue<>();
            CountDownLatch silent = new CountDownLatch(1);
            JavaProcess child = JavaProcess.start(
                    name,
                    List.of("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"),
                    String.join(System.getProperty("path.separator"), jars.apply(classPath())),
                    TestRunProgram.class,
                    arguments,
                    errors);
            child.listen(lines::add, silent::countDown);
            try {
                boolean ended = child.endsWithin(patience) && silent.await(1, TimeUnit.MINUTES);
                String printed = String.join("\n", lines) + "\n";
                var summary = SUMMARY.matcher(printed);
                if (!ended || child.exitCode() != 0 || !summary.find()) {
                    throw new AssertionError(name + (ended ? " failed" : " did not end within " + patience) + ":\n"
                            + printed + tail(Files.readString(errors)));
                }
                return Integer.parseInt(summary.group(1));
            } finally {
                child.kill();
                Files.deleteIfExists(errors);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while " + name + " ran", e);
        }
    }

    /** Returns the class path of this JVM. */
    public static List<String> classPath() {
        return Arrays.asList(
                System.getProperty("java.class.path").split(Pattern.quote(System.getProperty("path.separator")), -1));
    }

    private static String tail(String text) {
        List<String> lines = text.lines().toList();
        return lines.subList(Math.max(0, lines.size() - 100), lines.size()).stream()
                .collect(Collectors.joining("\n"));
    }
}
