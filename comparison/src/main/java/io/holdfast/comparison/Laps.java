package io.holdfast.comparison;

import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/** Threads that go in and out of sections until their round ends. */
final class Laps {
    /** The system property that asks for virtual threads. */
    static final String VIRTUAL = "holdfast.bench.virtual";

    private static final int WRITE_EVERY = 10;

    /** Re-entries between two looks at the clock, which costs more than some of them. */
    private static final int BATCH = 200;

    /** How long a holder waits in a hand-over, so that the other side surely waits for it. */
    private static final long HOLD_NANOS = 5_000_000;

    private static final long LOOK_NANOS = 200_000;

    /** One takes half a megabyte; more threads than this note their waits together. */
    private static final int MOST_HISTOGRAMS = 256;

    private final Peer peer;
    private final Witness witness;

    Laps(Peer peer, Witness witness) {
        this.peer = peer;
        this.witness = witness;
    }

    Measured run(Task task) throws Exception {
        ExecutorService threads = threads(task.threads());
        try {
            List<Lap> laps = laps(task);
            Usage before = Usage.now();
            List<Future<?>> parts = new ArrayList<>();
            for (int i = 0; i < task.threads(); i++) {
                int thread = i;
                parts.add(threads.submit(() -> work(task, laps.get(thread), thread)));
            }
            for (Future<?> part : parts) {
                part.get();
            }
            Usage used = Usage.now().minus(before);
            return sum(laps).withUsage(used);
        } finally {
            threads.shutdownNow();
        }
    }

    /** Virtual ones by reflection, because this is compiled for a Java that has none. */
    private static ExecutorService threads(int count) throws ReflectiveOperationException {
        return Boolean.getBoolean(VIRTUAL)
                ? (ExecutorService) Executors.class
                        .getMethod("newVirtualThreadPerTaskExecutor")
                        .invoke(null)
                : Executors.newFixedThreadPool(count);
    }

    private List<Lap> laps(Task task) {
        Supplier<Histogram> waits = Measured::newHistogram;
        if (task.threads() > MOST_HISTOGRAMS) {
            Histogram shared = Measured.sharedHistogram();
            waits = () -> shared;
        }
        Supplier<Histogram> each = waits;
        return Stream.generate(() -> new Lap(task, witness, each.get()))
                .limit(task.threads())
                .toList();
    }

    private static Measured sum(List<Lap> laps) {
        Measured sum = Measured.nothing();
        Set<Histogram> added = Collections.newSetFromMap(new IdentityHashMap<>());
        for (Lap lap : laps) {
            sum = lap.addedTo(sum);
            if (added.add(lap.waits())) {
                sum.waits().add(lap.waits());
            }
        }
        return sum;
    }

    private @Nullable Object work(Task task, Lap lap, int thread) throws Exception {
        String own = task.name() + "-" + thread;
        long untilStart = task.startNanos() - System.nanoTime();
        if (untilStart > 0) {
            LockSupport.parkNanos(untilStart);
        }
        switch (task.workload()) {
            case UNCONTENDED_1, UNCONTENDED_16 -> repeat(lap, peer.mutex(own), Role.UNSEEN);
            case ONE_KEY_16, ONE_KEY_4X4, ONE_KEY_256, ONE_KEY_10000 ->
                repeat(lap, peer.mutex(task.name()), Role.ALONE);
            case SEMAPHORE, SEMAPHORE_4X4 -> repeat(lap, peer.permit(task.name(), Role.PERMITS), Role.PERMIT);
            case READ_WRITE, READ_WRITE_4X4 -> readAndWrite(lap, task.name(), thread);
            case REENTRY -> reenter(lap, peer.reentrant(own), peer.reentrant(own));
            case HANDOVER -> handOver(lap, peer.mutex(task.name()), task.worker());
            case RECOVERY -> inherit(lap, peer.mutex(own));
            case HELD_10000 -> throw new IllegalArgumentException("is held, not run");
        }
        return null;
    }

    private static void repeat(Lap lap, Peer.Section section, Role role) throws Exception {
        while (lap.hasTime()) {
            lap.cycle(section, role);
        }
    }

    private void readAndWrite(Lap lap, String name, int thread) throws Exception {
        Peer.Section read = peer.readLock(name);
        Peer.Section write = peer.writeLock(name);
        for (int turn = thread; lap.hasTime(); turn++) {
            if (turn % WRITE_EVERY == 0) {
                lap.cycle(write, Role.ALONE);
            } else {
                lap.cycle(read, Role.READER);
            }
        }
    }

    private static void reenter(Lap lap, Peer.Section section, Peer.Section again) throws Exception {
        section.enter();
        try {
            while (lap.hasTime()) {
                long before = System.nanoTime();
                for (int i = 0; i < BATCH; i++) {
                    again.enter();
                    again.exit();
                }
                lap.count(BATCH, (System.nanoTime() - before) / BATCH);
            }
        } finally {
            section.exit();
        }
    }

    /** Two JVMs take turns; each holds until the other surely waits, and comes back when the other has the lock. */
    private void handOver(Lap lap, Peer.Section section, int self) throws Exception {
        while (lap.hasTime()) {
            section.enter();
            long enteredNanos = System.nanoTime();
            lap.in(Role.ALONE);
            long before = witness.owner();
            if (before != 0 && before != self) {
                lap.count(1, enteredNanos - witness.releasedNanos());
            }
            witness.owner(self);
            LockSupport.parkNanos(HOLD_NANOS);
            lap.out(Role.ALONE);
            witness.releasedNanos(System.nanoTime());
            section.exit();
            while (witness.owner() == self && lap.hasTime()) {
                LockSupport.parkNanos(LOOK_NANOS);
            }
        }
    }

    /** Waits for a lock whose holder is killed meanwhile; the killer says when. */
    private void inherit(Lap lap, Peer.Section section) throws Exception {
        section.enter();
        long killedNanos = witness.releasedNanos();
        if (killedNanos == 0) {
            lap.violation(); // the holder lives
        } else {
            lap.count(1, System.nanoTime() - killedNanos);
        }
        section.exit();
    }
}
