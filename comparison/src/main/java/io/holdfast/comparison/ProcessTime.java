package io.holdfast.comparison;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/** Processor time that a server has used, with all processes that it started. */
final class ProcessTime {
    private static final long MICROS_PER_TICK = 10_000;

    /** Of /proc/PID/stat, behind the name: processor time of the process and of its children that ended. */
    private static final int USER = 11;

    private static final int CHILDREN_SYSTEM = 14;

    private ProcessTime() {}

    static long micros(long pid) {
        ProcessHandle server = ProcessHandle.of(pid).orElseThrow();
        return Stream.concat(Stream.of(server), server.descendants())
                        .mapToLong(each -> ticks(each.pid()))
                        .sum()
                * MICROS_PER_TICK;
    }

    private static long ticks(long pid) {
        try {
            String stat = Files.readString(Path.of("/proc", Long.toString(pid), "stat"));
            String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
            long ticks = 0;
            for (int i = USER; i <= CHILDREN_SYSTEM; i++) {
                ticks += Long.parseLong(fields[i]);
            }
            return ticks;
        } catch (IOException gone) {
            return 0;
        }
    }
}
