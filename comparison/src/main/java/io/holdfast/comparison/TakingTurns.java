package io.holdfast.comparison;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * The workloads that run for a while: the libraries take turns, one round each, so that a noisy minute hits them all.
 */
final class TakingTurns implements Course {
    private static final Duration LEASE = Duration.ofSeconds(30);

    /** Long enough for two threads to meet inside that should not. */
    private static final long INSIDE_NANOS = 20_000;

    /** So few leave the cores asleep most of the time. */
    private static final int FEW_THREADS = 2;

    private static final double NANOS_PER_SECOND = 1e9;

    private final Workload workload;
    private final Pace pace;
    private final boolean sleepy;
    private final long insideNanos;
    private final Progress progress;
    private int runs;

    TakingTurns(Workload workload, Pace pace, boolean sleepy, Duration inside, Progress progress) {
        this.insideNanos = inside.toNanos();
        this.workload = workload;
        this.pace = pace;
        this.sleepy = sleepy;
        this.progress = progress;
    }

    @Override
    public void run(List<Entry> entries) throws InterruptedException {
        if (sleepy || workload.jvms() * workload.threads() > FEW_THREADS) {
            takeTurns(entries);
            return;
        }
        try (WakefulCores cores = WakefulCores.start()) {
            progress.note(cores.toString());
            takeTurns(entries);
        }
    }

    private void takeTurns(List<Entry> entries) throws InterruptedException {
        for (Entry entry : entries) {
            progress.show(workload, entry.library(), "warming up");
            entry.attempt(this::prepare);
        }
        List<Entry> order = new ArrayList<>(entries);
        for (int round = 1; round <= pace.rounds(); round++) {
            Collections.rotate(order, 1);
            for (Entry entry : order) {
                progress.show(workload, entry.library(), "round " + round + " of " + pace.rounds());
                entry.attempt(this::round);
            }
        }
    }

    private void prepare(Contestant contestant, Tally tally) throws Exception {
        contestant.staff(workload.jvms(), LEASE);
        if (!pace.warmUp().isZero()) {
            Measured warm =
                    contestant.run(workload, newName(), pace.warmUp().multipliedBy(workload.patience()), INSIDE_NANOS);
            tally.violations(warm.violations());
        }
        Measured[] counted = new Measured[1];
        Long commands = contestant
                .store()
                .commandsDuring(() -> counted[0] = contestant.run(
                        workload, newName(), pace.counting().multipliedBy(workload.patience()), INSIDE_NANOS));
        tally.violations(counted[0].violations());
        if (commands != null && counted[0].cycles() > 0) {
            tally.commandsPerCycle((double) commands / counted[0].cycles());
        }
    }

    private void round(Contestant contestant, Tally tally) throws Exception {
        long serverBefore = contestant.store().cpuMicros();
        Duration round = pace.round().multipliedBy(workload.patience());
        Measured measured = contestant.run(workload, newName(), round, insideNanos);
        long serverMicros = contestant.store().cpuMicros() - serverBefore;
        double seconds = (round.toNanos() - round.toNanos() / Contestant.RAMP) / NANOS_PER_SECOND;
        tally.add(measured, seconds, (double) Math.max(1, measured.cycles()), serverMicros);
    }

    private String newName() {
        return "bench-" + workload.label() + "-" + ++runs;
    }
}
