package io.holdfast.comparison;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** One library with its store and its workers, which stay warm from round to round. */
final class Contestant implements AutoCloseable {
    private static final Duration LONGEST_ROUND = Duration.ofSeconds(90);

    /** Until all workers of a round have read their task. */
    private static final Duration LEAD = Duration.ofMillis(40);

    /** That part of a round is not counted. */
    static final int RAMP = 5;

    private final Library library;
    private final Store store;
    private final Ground ground;
    private final Path folder;
    private final String classPath;
    private final Witness witness;
    private final Map<Duration, List<WorkerProcess>> staff = new HashMap<>();
    private List<WorkerProcess> workers = List.of();
    private int started;

    Contestant(Library library, Store store, Ground ground, Path folder) {
        this(library, store, ground, folder, System.getProperty("java.class.path"));
    }

    /** Its workers have this class path. */
    Contestant(Library library, Store store, Ground ground, Path folder, String classPath) {
        this.ground = ground;
        this.classPath = classPath;
        this.library = library;
        this.store = store;
        this.folder = folder;
        this.witness = Witness.on(witnessFile());
    }

    Library library() {
        return library;
    }

    Store store() {
        return store;
    }

    Witness witness() {
        return witness;
    }

    private Path witnessFile() {
        return folder.resolve(library.label() + ".witness");
    }

    WorkerProcess newWorker(Duration leaseOfAll) {
        Path log = folder.resolve(library.label() + "-" + ++started + ".log");
        return WorkerProcess.start(library, store, ground, leaseOfAll, witnessFile(), log, classPath);
    }

    /** Has as many workers at work as asked for, with leases that long. Others stay, idle and warm. */
    void staff(int size, Duration leaseOfAll) throws InterruptedException {
        List<WorkerProcess> known = staff.computeIfAbsent(leaseOfAll, made -> new ArrayList<>());
        known.removeIf(each -> !each.isAlive());
        List<WorkerProcess> fresh = new ArrayList<>();
        while (known.size() < size) {
            WorkerProcess worker = newWorker(leaseOfAll);
            known.add(worker);
            fresh.add(worker);
        }
        try {
            for (WorkerProcess worker : fresh) {
                worker.awaitStart();
            }
        } catch (BenchException trouble) {
            fresh.forEach(WorkerProcess::kill); // one that did not start is not there the next time
            known.removeAll(fresh);
            throw trouble;
        }
        workers = List.copyOf(known.subList(0, size));
    }

    /** The workers of this round. */
    List<WorkerProcess> workers() {
        return workers;
    }

    Measured run(Workload workload, String name, Duration time) throws InterruptedException {
        return run(workload, name, time, 0);
    }

    /** All workers do the workload at the same time, staying inside for so long. */
    Measured run(Workload workload, String name, Duration time, long insideNanos) throws InterruptedException {
        witness.reset();
        long startNanos = System.nanoTime() + LEAD.toNanos();
        long countNanos = startNanos + time.toNanos() / RAMP;
        long stopNanos = startNanos + time.toNanos();
        for (int i = 0; i < workers.size(); i++) {
            Task task =
                    new Task(workload, name, i + 1, workload.threads(), startNanos, countNanos, stopNanos, insideNanos);
            workers.get(i).send("run " + task.encode());
        }
        Measured all = Measured.nothing();
        for (WorkerProcess worker : workers) {
            all = all.plus(Measured.decode(worker.reply(time.plus(LONGEST_ROUND))));
        }
        return all.checkedBy(witness);
    }

    @Override
    public void close() {
        staff.values().forEach(each -> each.forEach(WorkerProcess::close));
        store.close();
    }
}
