package io.holdfast.cli;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Finds out whether a command can be run, as a shell does, before anybody waits for a lock in vain. */
final class Program {
    private static final Pattern BETWEEN = Pattern.compile(":");
    private static final String USUAL_PATH = "/usr/bin:/bin";

    private Program() {}

    /**
     * Says no with the exit code that a shell would give.
     *
     * @param program a path if there is a slash in it, else a name to look for
     * @param path the folders to look in, with colons between them
     */
    static void check(String program, @Nullable String path) {
        boolean isPath = program.indexOf('/') >= 0;
        List<Path> places = isPath
                ? List.of(Path.of(program))
                : BETWEEN.splitAsStream(path == null ? USUAL_PATH : path)
                        .map(folder -> Path.of(folder, program))
                        .filter(Files::isRegularFile)
                        .toList();
        if (places.stream().anyMatch(place -> Files.isRegularFile(place) && Files.isExecutable(place))) {
            return;
        }
        if (places.stream().noneMatch(Files::exists)) {
            throw new CommandException(
                    ExitCodes.NOT_FOUND, "'" + program + "' is not there" + (isPath ? "" : ", in no folder of PATH"));
        }
        throw new CommandException(
                ExitCodes.NOT_EXECUTABLE,
                "'" + program + "' cannot be run: it is "
                        + (Files.isDirectory(places.get(0)) ? "a folder" : "not executable"));
    }
}
