package io.holdfast.comparison;

import java.util.concurrent.locks.LockSupport;
import org.HdrHistogram.Histogram;

/** One thread's part of a round: what it did and what it saw. */
final class Lap {
    private static final long SLEEP_NANOS = 100_000;

    private final Task task;
    private final Witness witness;
    private final Histogram waits;
    private long cycles;
    private long cyclesInTime;
    private long alone;
    private long violations;

    /** @param waits where it notes how long entering took; safe for many threads if others note there too */
    Lap(Task task, Witness witness, Histogram waits) {
        this.task = task;
        this.witness = witness;
        this.waits = waits;
    }

    boolean hasTime() {
        return System.nanoTime() - task.stopNanos() < 0;
    }

    void cycle(Peer.Section section, Role role) throws Exception {
        long before = System.nanoTime();
        section.enter();
        long after = System.nanoTime();
        in(role);
        stay(after + task.insideNanos());
        out(role);
        section.exit();
        count(1, after - before);
    }

    /** A long stay leaves the core to others, as work that waits for something does. */
    private void stay(long untilNanos) {
        long left = untilNanos - System.nanoTime();
        boolean sleeps = left >= SLEEP_NANOS;
        for (; left > 0; left = untilNanos - System.nanoTime()) {
            if (sleeps) {
                LockSupport.parkNanos(left);
            } else {
                Thread.onSpinWait();
            }
        }
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

    Histogram waits() {
        return waits;
    }

    /** What was counted before and by this thread; its waits are added by whoever knows who else notes there. */
    Measured addedTo(Measured before) {
        return new Measured(
                before.cycles() + cycles,
                before.cyclesInTime() + cyclesInTime,
                before.alone() + alone,
                before.violations() + violations,
                before.usage(),
                before.waits());
    }
}
