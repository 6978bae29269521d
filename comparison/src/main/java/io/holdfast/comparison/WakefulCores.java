package io.holdfast.comparison;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * Keeps the cores from falling asleep, with a process for each that runs only when nothing else wants to.
 *
 * <p>With one thread that sends a request and waits, client and server take turns and the cores sleep in between.
 * Waking one up takes tens of microseconds on a virtual machine, several times what is to be measured, and it is
 * nobody's merit how often a library needs that. On a machine with work to do the cores are awake.
 */
final class WakefulCores implements AutoCloseable {
    /** Ends with this process, however that ends. */
    private static final List<String> COMMAND = List.of(
            "chrt",
            "--idle",
            "0",
            "sh",
            "-c",
            "while kill -0 $0 2>/dev/null; do :; done",
            Long.toString(ProcessHandle.current().pid()));

    private final List<Process> processes = new ArrayList<>();

    private WakefulCores() {}

    /** Starts them, if the machine has the commands for it. */
    static WakefulCores start() {
        WakefulCores cores = new WakefulCores();
        try {
            for (int i = 0; i < Runtime.getRuntime().availableProcessors(); i++) {
                cores.processes.add(new ProcessBuilder(COMMAND).start());
            }
        } catch (IOException missing) {
            cores.close();
        }
        return cores;
    }

    /** The cores may sleep. */
    static WakefulCores none() {
        return new WakefulCores();
    }

    @Override
    public void close() {
        for (Process process : processes) {
            process.destroyForcibly();
        }
        processes.clear();
    }

    @Override
    public String toString() {
        return !processes.isEmpty() && processes.stream().allMatch(Process::isAlive)
                ? "the cores are kept awake by idle processes"
                : "the cores may fall asleep: chrt is not here, or may not prevent it";
    }
}
