package io.holdfast.comparison;

import org.HdrHistogram.Histogram;

/** One thread's part of a round: what it did and what it saw. */
final class Lap {
    private final Task task;
    private final Witness witness;
    private final Histogram waits = Measured.newHistogram();
    private long cycles;
    private long cyclesInTime;
    private long alone;
    private long violations;

    Lap(Task task, Witness witness) {
        this.task = task;
        this.witness = witness;
    }

    boolean hasTime() {
        return System.nanoTime() - task.stopNanos() < 0;
    }

    void cycle(Peer.Section section, Role role) throws Exception {
        long before = System.nanoTime();
        section.enter();
        long after = System.nanoTime();
        in(role);
        while (System.nanoTime() - after < task.insideNanos()) {
            Thread.onSpinWait();
        }
        out(role);
        section.exit();
        count(1, after - before);
    }

    void violation() {
        violations++;
    }

    /** Notes cycles that took as long as this to enter, each. */
    void count(int more, long nanos) {
        cycles += more;
        long now = System.nanoTime();
        if (now - task.countNanos() >= 0) {
            Measured.record(waits, nanos);
            cyclesInTime += now - task.stopNanos() < 0 ? more : 0;
        }
    }

    void in(Role role) {
        boolean good = switch (role) {
            case ALONE -> witness.enterAlone();
            case READER -> witness.enterBeside(Integer.MAX_VALUE);
            case PERMIT -> witness.enterBeside(Role.PERMITS);
            case UNSEEN -> true;
        };
        violations += good ? 0 : 1;
        alone += role == Role.ALONE ? 1 : 0;
    }

    void out(Role role) {
        switch (role) {
            case ALONE -> witness.exitAlone();
            case READER, PERMIT -> witness.exitBeside();
            case UNSEEN -> {}
        }
    }

    /** Without what was used, which only the whole process can tell. */
    Measured measured() {
        return new Measured(cycles, cyclesInTime, alone, violations, new Usage(0, 0), waits);
    }
}
