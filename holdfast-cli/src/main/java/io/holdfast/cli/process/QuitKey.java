package io.holdfast.cli.process;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Java keeps QUIT for itself and starts others with that signal blocked, so that the key for it does nothing. The
 * {@code env} of GNU can take the block away and then becomes the command itself, in the same process. Where there is
 * another {@code env}, commands begin as Java starts them.
 */
final class QuitKey {
    private static final List<String> UNBLOCKING = List.of("/usr/bin/env", "--default-signal=QUIT");

    private final Optional<Process> probe;

    private QuitKey(Optional<Process> probe) {
        this.probe = probe;
    }

    /** Begins to find out whether it can be done. */
    static QuitKey probe() {
        ProcessBuilder builder = new ProcessBuilder(with(List.of("true")))
                .redirectInput(Path.of("/dev/null").toFile())
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .redirectError(ProcessBuilder.Redirect.DISCARD);
        try {
            return new QuitKey(Optional.of(builder.start()));
        } catch (IOException none) {
            return new QuitKey(Optional.empty());
        }
    }

    /** The same command, and the key works, where that can be done. */
    List<String> unblock(List<String> command) {
        String program = command.get(0);
        boolean meansMore = program.startsWith("-") || program.indexOf('=') >= 0; // an option or an assignment, to env
        return meansMore || !works() ? command : with(command);
    }

    private boolean works() {
        return probe.map(process -> process.onExit().join().exitValue() == 0).orElse(false);
    }

    private static List<String> with(List<String> command) {
        List<String> words = new ArrayList<>(UNBLOCKING);
        words.addAll(command);
        return words;
    }
}
