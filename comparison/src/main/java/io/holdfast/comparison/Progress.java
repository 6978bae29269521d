package io.holdfast.comparison;

import java.io.PrintStream;
import java.time.Duration;

/** Says where the run is: one line that changes on a terminal, a line for each workload elsewhere. */
final class Progress {
    private static final int WIDTH = 78;

    private final PrintStream out;
    private final boolean terminal;
    private final int workloads;
    private final long startNanos = System.nanoTime();
    private int done;

    Progress(PrintStream out, boolean terminal, int workloads) {
        this.out = out;
        this.terminal = terminal;
        this.workloads = workloads;
    }

    void begin(Workload workload) {
        done++;
        if (!terminal) {
            out.println(head(workload) + workload.description());
        }
    }

    void show(Workload workload, Library library, String what) {
        show(workload, library.label() + ", " + what);
    }

    void show(Workload workload, String what) {
        if (terminal) {
            String line = head(workload) + what;
            out.print("\r" + line + " ".repeat(Math.max(0, WIDTH - line.length())));
            out.flush();
        }
    }

    /** Something that the reader of a log should know. */
    void note(String what) {
        if (!terminal) {
            out.println(what);
        }
    }

    private String head(Workload workload) {
        Duration time = Duration.ofNanos(System.nanoTime() - startNanos);
        return String.format(
                "[%d/%d %d:%02d] %s: ", done, workloads, time.toMinutes(), time.toSecondsPart(), workload.label());
    }

    void end() {
        if (terminal) {
            out.print("\r" + " ".repeat(WIDTH) + "\r");
            out.flush();
        }
    }
}
