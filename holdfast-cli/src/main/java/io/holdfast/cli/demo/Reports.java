package io.holdfast.cli.demo;

import java.io.PrintStream;

/** What a worker says, line by line, from any thread. */
final class Reports {
    private final PrintStream out;

    Reports(PrintStream out) {
        this.out = out;
    }

    void say(WorkerLine.Kind kind) {
        say(kind, 0, 0);
    }

    synchronized void say(WorkerLine.Kind kind, long token, long number) {
        out.print(WorkerLine.now(kind, token, number) + "\n");
        out.flush();
    }
}
