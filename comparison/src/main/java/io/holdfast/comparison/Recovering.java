package io.holdfast.comparison;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Holders are killed with -9 while others wait for their locks. Mostly waiting, so all libraries do it at the same
 * time.
 */
final class Recovering implements Course {
    private static final Duration LEASE = Duration.ofSeconds(6);

    /** Each holder has that many locks, and as many threads wait for them. */
    private static final int LOCKS = 4;

    /** Until the waiters have surely begun to wait, and the holder has renewed what it holds at least once. */
    private static final Duration SETTLE = Duration.ofSeconds(3);

    /** So much later in each round: what is left of a lease depends on when it was renewed. */
    private static final Duration PHASE = Duration.ofMillis(450);

    private static final Duration ENOUGH = Duration.ofSeconds(60);

    private final Workload workload;
    private final Pace pace;
    private final Progress progress;

    Recovering(Workload workload, Pace pace, Progress progress) {
        this.workload = workload;
        this.pace = pace;
        this.progress = progress;
    }

    @Override
    public void run(List<Entry> entries) throws InterruptedException {
        for (int round = 1; round <= pace.recoveries(); round++) {
            progress.show(workload, "all at once, round " + round + " of " + pace.recoveries());
            int now = round;
            Together.attempt(entries, (contestant, tally) -> recover(contestant, tally, now));
        }
    }

    private void recover(Contestant contestant, Tally tally, int round) throws Exception {
        contestant.staff(1, LEASE);
        contestant.witness().reset();
        Task task = new Task(workload, "bench-recovery-" + round, 1, LOCKS, 0, 0, 0, 0);
        WorkerProcess waiting = contestant.workers().get(0);
        try (WorkerProcess holder = contestant.newWorker(LEASE)) {
            holder.awaitStart();
            holder.send("hold " + task.encode());
            holder.reply(ENOUGH);
            long serverBefore = contestant.store().cpuMicros();
            waiting.send("run " + task.encode());
            TimeUnit.NANOSECONDS.sleep(SETTLE.plus(PHASE.multipliedBy(round)).toNanos());
            contestant.witness().releasedNanos(System.nanoTime());
            holder.kill();
            Measured measured = Measured.decode(waiting.reply(ENOUGH));
            tally.add(
                    measured, 1, (double) measured.cycles(), contestant.store().cpuMicros() - serverBefore);
        }
    }
}
