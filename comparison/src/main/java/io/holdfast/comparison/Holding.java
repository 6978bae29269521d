package io.holdfast.comparison;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;

/**
 * Many locks held at once. Nothing is done but renewing, so all libraries hold at the same time, each on its own
 * server; what counts is processor time. They do it in JVMs of their own, which end with it: what a library forgets to
 * stop does not run on beside what is measured next. A window is as long as the time between two renewals of a lease.
 */
final class Holding implements Course {
    private static final int RENEWALS_PER_LEASE = 3;
    private static final int LEASES_PER_CYCLE = 2;

    /** So that it matters little whether a renewal falls into the last moment or just behind it. */
    private static final int COUNTED_WINDOWS = 2;

    private static final Duration ENOUGH = Duration.ofMinutes(3);

    private final Workload workload;
    private final Pace pace;
    private final Progress progress;
    private final Duration window;
    private final double cyclesPerWindow;
    private final Map<Contestant, Measured> waits = new ConcurrentHashMap<>();
    private final Map<Contestant, WorkerProcess> workers = new ConcurrentHashMap<>();
    private final Map<Contestant, Used> before = new ConcurrentHashMap<>();

    Holding(Workload workload, Pace pace, Progress progress) {
        this.workload = workload;
        this.pace = pace;
        this.progress = progress;
        this.cyclesPerWindow = (double) pace.heldLocks() / (LEASES_PER_CYCLE * RENEWALS_PER_LEASE);
        this.window = pace.heldLease().dividedBy(RENEWALS_PER_LEASE);
    }

    @Override
    public void run(List<Entry> entries) throws InterruptedException {
        try {
            hold(entries);
        } finally {
            workers.values().forEach(WorkerProcess::close);
        }
    }

    private void hold(List<Entry> entries) throws InterruptedException {
        progress.show(workload, "acquiring");
        Together.attempt(entries, this::hold);
        TimeUnit.NANOSECONDS.sleep(window.toNanos()); // the first renewals of all have begun
        for (Entry entry : entries) {
            entry.attempt((contestant, tally) -> before.put(contestant, used(contestant)));
        }
        for (int round = 1; round <= pace.rounds(); round++) {
            progress.show(workload, "all at once, window " + round + " of " + pace.rounds());
            TimeUnit.NANOSECONDS.sleep(window.toNanos());
            for (Entry entry : entries) {
                entry.attempt(this::look);
            }
        }
        progress.show(workload, "counting commands");
        Together.attempt(entries, this::count);
        Together.attempt(entries, (contestant, tally) -> ask(contestant, "leave"));
    }

    private void hold(Contestant contestant, Tally tally) throws Exception {
        WorkerProcess worker = contestant.newWorker(pace.heldLease());
        workers.put(contestant, worker);
        worker.awaitStart();
        Task task = new Task(workload, "bench-held", 1, pace.heldLocks(), 0, 0, 0, 0);
        waits.put(contestant, Measured.decode(ask(contestant, "hold " + task.encode())));
    }

    private void look(Contestant contestant, Tally tally) throws Exception {
        Used now = used(contestant);
        Used then = Objects.requireNonNull(before.put(contestant, now));
        Histogram acquiring = Objects.requireNonNull(waits.get(contestant)).waits();
        Usage used = now.client.minus(then.client);
        Measured measured = new Measured(pace.heldLocks(), 0, 0, 0, used, acquiring);
        tally.add(measured, 1, cyclesPerWindow, now.serverMicros - then.serverMicros);
    }

    private void count(Contestant contestant, Tally tally) throws Exception {
        Long commands = contestant.store().commandsDuring(() -> {
            TimeUnit.NANOSECONDS.sleep(COUNTED_WINDOWS * window.toNanos());
            return null;
        });
        tally.commandsPerCycle(commands == null ? null : (double) commands / COUNTED_WINDOWS / cyclesPerWindow);
    }

    private List<String> ask(Contestant contestant, String request) throws InterruptedException {
        WorkerProcess worker = Objects.requireNonNull(workers.get(contestant));
        worker.send(request);
        return worker.reply(ENOUGH);
    }

    private Used used(Contestant contestant) throws InterruptedException {
        Measured soFar = Measured.decode(ask(contestant, "usage"));
        return new Used(soFar.usage(), contestant.store().cpuMicros());
    }

    /** What both sides have used so far. */
    private record Used(Usage client, long serverMicros) {}
}
