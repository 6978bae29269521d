package io.holdfast.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.LongStream;

/** What a script under test tells of itself. */
final class Outputs {
    private Outputs() {}

    /** The number that follows a word at the beginning of a line. Waits for it. */
    static long number(Cli cli, String word) {
        Pattern line = Pattern.compile("^" + word + " ([0-9]+)\\r?\\n", Pattern.MULTILINE);
        Matcher found = await(word).atMost(Cli.PATIENCE).until(() -> line.matcher(cli.out()), Matcher::find);
        return Long.parseLong(found.group(1));
    }

    /** The guardian of a {@code run}. */
    static long guardian(long holdfast) {
        return ProcessHandle.of(holdfast)
                .orElseThrow()
                .children()
                .filter(each ->
                        each.info().arguments().map(List::of).orElse(List.of()).contains("holdfast-guardian"))
                .findFirst()
                .orElseThrow()
                .pid();
    }

    /** Whether a process has ended, also where nobody asks for its exit code. */
    static boolean hasEnded(long pid) {
        return state(pid).map("Z"::equals).orElse(true);
    }

    /** Whether a process was stopped and may go on. */
    static boolean isStopped(long pid) {
        return state(pid).map("T"::equals).orElse(false);
    }

    private static Optional<String> state(long pid) {
        try {
            String stat = Files.readString(Path.of("/proc", String.valueOf(pid), "stat"));
            int state = stat.lastIndexOf(')') + 2;
            return Optional.of(stat.substring(state, state + 1));
        } catch (IOException gone) {
            return Optional.empty();
        }
    }

    /** They have ended already. */
    static void assertEnded(long... pids) {
        List<Long> left =
                LongStream.of(pids).filter(pid -> !hasEnded(pid)).boxed().toList();
        kill(pids);
        assertThat(left).as("still running").isEmpty();
    }

    /** Waits for their end. */
    static void awaitEnded(long... pids) {
        try {
            for (long pid : pids) {
                await("end of " + pid).atMost(Cli.PATIENCE).until(() -> hasEnded(pid));
            }
        } finally {
            kill(pids);
        }
    }

    /** A test that fails leaves nobody behind. */
    private static void kill(long... pids) {
        LongStream.of(pids)
                .mapToObj(ProcessHandle::of)
                .flatMap(Optional::stream)
                .forEach(ProcessHandle::destroyForcibly);
    }
}
