package io.holdfast.comparison;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What a worker sees of a library that keeps its word, and of one that does not. */
@Tag("integration")
class LapsTest {
    private static final long ROUND_NANOS = TimeUnit.MILLISECONDS.toNanos(300);

    @TempDir
    Path folder;

    @ParameterizedTest
    @EnumSource(
            value = Workload.class,
            names = {"ONE_KEY_16", "ONE_KEY_256", "READ_WRITE", "SEMAPHORE", "UNCONTENDED_16", "REENTRY"})
    void run_libraryThatExcludes_noViolations(Workload workload) throws Exception {
        Measured measured = run(new Local(), workload);

        assertThat(measured.cycles()).isPositive().isGreaterThanOrEqualTo(measured.cyclesInTime());
        assertThat(measured.waits().getTotalCount()).isPositive();
        assertThat(measured.violations()).isZero();
    }

    @ParameterizedTest
    @EnumSource(
            value = Workload.class,
            names = {"ONE_KEY_16", "ONE_KEY_256", "READ_WRITE", "SEMAPHORE"})
    void run_lockAdmitsUsWhereOthersAreInside_violations(Workload workload) throws Exception {
        Witness elsewhere = Witness.on(folder.resolve("witness"));
        for (int i = 0; i < Role.PERMITS; i++) {
            enterAs(workload, elsewhere);
        }

        assertThat(run(new Local(), workload).violations()).isPositive();
    }

    private static void enterAs(Workload workload, Witness witness) {
        if (workload == Workload.SEMAPHORE) {
            witness.enterBeside(Role.PERMITS);
        } else {
            witness.enterAlone();
        }
    }

    /**
     * A thread that is inside alone adds to the count without care: if two overwrote each other, the count is too
     * small.
     */
    @Test
    void checkedBy_countLostSomebody_violation() throws Exception {
        Witness witness = Witness.on(folder.resolve("witness"));
        Measured measured = run(new Local(), Workload.ONE_KEY_16);

        assertThat(measured.violations()).isZero();
        witness.reset();
        assertThat(measured.checkedBy(witness).violations()).isPositive();
    }

    private Measured run(Peer peer, Workload workload) throws Exception {
        Witness witness = Witness.on(folder.resolve("witness"));
        long now = System.nanoTime();
        Task task = new Task(workload, "a", 1, workload.threads(), now, now, now + ROUND_NANOS, 0);
        return new Laps(peer, witness).run(task).checkedBy(witness);
    }

    @Test
    void encode_taskAndMeasurement_areReadAsTheyWereWritten() {
        Task task = new Task(Workload.HANDOVER, "name-1", 2, 3, -4, 5, 6, 7);
        Measured measured = Measured.nothing().plus(new Measured(1, 2, 3, 4, new Usage(5, 6), Measured.newHistogram()));
        Measured.record(measured.waits(), 1_000_000);

        assertThat(Task.decode(List.of(task.encode().split(" ", -1)))).isEqualTo(task);
        assertThat(Measured.decode(List.of(measured.encode().split(" ", -1)))).isEqualTo(measured);
    }

    /** Locks of this JVM. */
    private record Local(ReentrantReadWriteLock lock, Semaphore permits) implements Peer {
        Local() {
            this(new ReentrantReadWriteLock(), new Semaphore(Role.PERMITS));
        }

        @Override
        public Section mutex(String name) {
            return writeLock(name);
        }

        @Override
        public Section writeLock(String name) {
            return section(lock.writeLock()::lock, lock.writeLock()::unlock);
        }

        @Override
        public Section readLock(String name) {
            return section(lock.readLock()::lock, lock.readLock()::unlock);
        }

        @Override
        public Section permit(String name, int most) {
            return section(permits::acquireUninterruptibly, permits::release);
        }

        private static Section section(Runnable enter, Runnable exit) {
            return new Section() {
                @Override
                public void enter() {
                    enter.run();
                }

                @Override
                public void exit() {
                    exit.run();
                }
            };
        }

        @Override
        public void close() {}
    }
}
