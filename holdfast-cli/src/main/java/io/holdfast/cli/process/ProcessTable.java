package io.holdfast.cli.process;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** What Linux tells of a process in {@code /proc/PID/stat}. Nothing is known on other systems. */
public final class ProcessTable {
    private static final int STATE = 0;
    private static final int GROUP = 2;
    private static final int TERMINALS_GROUP = 5;

    private ProcessTable() {}

    /**
     * Whether another process and this one are both in the group that their terminal talks to: then the system itself
     * sends what is typed there, Ctrl-C for instance, to each of them.
     */
    static boolean sharesTheForeground(long pid) {
        return isInForeground("self") && isInForeground(String.valueOf(pid));
    }

    private static boolean isInForeground(String process) {
        return fields(process)
                .map(fields -> fields[GROUP].equals(fields[TERMINALS_GROUP]))
                .orElse(false);
    }

    /** Whether a process has ended, also if nobody has asked for its exit code yet. */
    public static boolean hasEnded(ProcessHandle process) {
        return !process.isAlive()
                || fields(String.valueOf(process.pid()))
                        .map(fields -> fields[STATE].equals("Z"))
                        .orElse(false);
    }

    /** Those behind the name of the program, which stands in parentheses and may contain anything. */
    private static Optional<String[]> fields(String process) {
        try {
            String line = Files.readString(Path.of("/proc", process, "stat"), StandardCharsets.ISO_8859_1);
            String[] fields = line.substring(line.lastIndexOf(')') + 2).split(" ", -1);
            return fields.length > TERMINALS_GROUP ? Optional.of(fields) : Optional.empty();
        } catch (IOException gone) {
            return Optional.empty();
        }
    }
}
