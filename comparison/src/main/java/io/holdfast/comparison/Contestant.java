package io.holdfast.comparison;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** One library with its store and its workers, which stay warm from round to round. */
final class Contestant implements AutoCloseable {
    private static final Duration LONGEST_ROUND = Duration.ofSeconds(90);

    /** Until all workers of a round have read their task. */
    private static final Duration LEAD = Duration.ofMillis(40);

    /** That part of a round is not counted. */
    static final int RAMP = 5;

    private final Library library;
    private final Store store;
    private final Path folder;
    private final Witness witness;
    private final List<WorkerProcess> workers = new ArrayList<>();
    private Duration lease = Duration.ZERO;
    private int started;

    Contestant(Library library, Store store, Path folder) {
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

    WorkerProcess newWorker(Duration leaseOfAll) throws IOException {
        Path log = folder.resolve(library.label() + "-" + ++started + ".log");
        return WorkerProcess.start(library, store.address(), leaseOfAll, witnessFile(), log);
    }

    /** Has as many workers alive as asked for and no more, with leases that long. */
    void staff(int size, Duration leaseOfAll) throws IOException, InterruptedException {
        if (!lease.equals(leaseOfAll)) {
            dismiss(0);
            lease = leaseOfAll;
        }
        workers.removeIf(each -> !each.isAlive());
        dismiss(size);
        List<WorkerProcess> fresh = new ArrayList<>();
        while (workers.size() < size) {
            WorkerProcess worker = newWorker(leaseOfAll);
            workers.add(worker);
            fresh.add(worker);
        }
        for (WorkerProcess worker : fresh) {
            worker.awaitStart();
        }
    }

    private void dismiss(int keep) {
        while (workers.size() > keep) {
            workers.remove(workers.size() - 1).close();
        }
    }

    List<WorkerProcess> workers() {
        return workers;
    }

    /** All workers do the workload at the same time. */
    Measured run(Workload workload, String name, Duration time) throws InterruptedException {
        witness.reset();
        long startNanos = System.nanoTime() + LEAD.toNanos();
        long countNanos = startNanos + time.toNanos() / RAMP;
        long stopNanos = startNanos + time.toNanos();
        for (int i = 0; i < workers.size(); i++) {
            Task task = new Task(workload, name, i + 1, workload.threads(), startNanos, countNanos, stopNanos);
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
        dismiss(0);
        store.close();
    }
}
