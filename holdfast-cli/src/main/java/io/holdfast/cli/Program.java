package io.holdfast.cli;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Pattern;

/** Finds out whether a command can be run, as a shell does, before anybody waits for a lock in vain. */
final class Program {
    private static final Pattern BETWEEN = Pattern.compile(":");
    private static final String USUAL_PATH = "/usr/local/bin:/usr/bin:/bin";

    private Program() {}

    /**
     * Says no with the exit code that a shell would give.
     *
     * @param program a path if there is a slash in it, else a name to look for
     * @param path the folders to look in
     */
    static void check(String program, @org.jspecify.annotations.Nullable String path) {
        if (program.indexOf('\0') >= 0) {
            throw new CommandException(ExitCodes.NOT_FOUND, "no command has a NUL in its name");
        }
        boolean isPath = program.indexOf('/') >= 0;
        boolean runs = isPath
                ? runs(Path.of(program))
                : BETWEEN.splitAsStream(path == null ? USUAL_PATH : path)
                        .anyMatch(folder -> runs(Path.of(folder, program)));
        if (runs) {
            return;
        }
        boolean there = isPath
                ? Files.exists(Path.of(program))
                : BETWEEN.splitAsStream(path == null ? USUAL_PATH : path)
                        .anyMatch(folder -> Files.isRegularFile(Path.of(folder, program)));
        if (!there) {
            throw new CommandException(
                    ExitCodes.NOT_FOUND, "'" + program + "' is not there" + (isPath ? "" : ", in no folder of PATH"));
        }
        throw new CommandException(
                ExitCodes.NOT_EXECUTABLE,
                "'" + program + "' cannot be run: it is "
                        + (Files.isDirectory(Path.of(program)) ? "a folder" : "not executable"));
    }

    private static boolean runs(Path file) {
        return Files.isRegularFile(file) && Files.isExecutable(file);
    }
}
