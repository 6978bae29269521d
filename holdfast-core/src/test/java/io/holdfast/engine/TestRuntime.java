package io.holdfast.engine;

import io.holdfast.spi.TimeSource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Time that stands still until the test moves it, and threads that are the test's own: what the engine hands to an
 * executor or a timer runs when the test calls {@link #run} or {@link #advance}, in the order in which it was handed
 * over. A closed runtime does what the real one does: finishes what is queued, forgets its timers, drops what comes
 * later.
 */
@SuppressWarnings("NonAtomicVolatileUpdate") // one thread writes, others read
final class TestRuntime implements EngineRuntime, TimeSource {
    private static final int MOST_TASKS_AT_ONE_INSTANT = 10_000;
    private static final long REAL_PAUSE_NANOS = 50_000;

    private record Timer(long dueNanos, long sequence, Runnable task) implements Comparable<Timer> {
        @Override
        public int compareTo(Timer other) {
            long byTime = dueNanos - other.dueNanos;
            return byTime == 0 ? Long.compare(sequence, other.sequence) : byTime < 0 ? -1 : 1;
        }
    }

    private record Queued(Lane lane, Runnable task) {}

    /**
     * One of the engine's executors. Stopped, it keeps its tasks: a thread that hangs or has not been scheduled yet.
     */
    final class Lane implements Executor {
        private volatile boolean stopped;
        private volatile boolean hangs;
        private volatile boolean outOfThreads;

        @Override
        public void execute(Runnable task) {
            if (outOfThreads) {
                throw new OutOfMemoryError("unable to create native thread");
            }
            mutex.lock();
            try {
                if (!closed) {
                    ready.add(new Queued(this, task));
                }
            } finally {
                mutex.unlock();
            }
        }

        void stop() {
            stopped = true;
        }

        /** Keeps what it gets even when the runtime is closed, as a pool does whose threads all hang. */
        void stopForGood() {
            hangs = true;
            stopped = true;
        }

        /** From now on it throws, or not, as an executor does whose machine gives no more threads. */
        void outOfThreads(boolean throwing) {
            outOfThreads = throwing;
        }

        /** Lets the lane go on, and runs what it kept. */
        void go() {
            stopped = false;
            run();
        }

        int size() {
            mutex.lock();
            try {
                return (int)
                        ready.stream().filter(queued -> queued.lane == this).count();
            } finally {
                mutex.unlock();
            }
        }
    }

    private final ReentrantLock mutex = new ReentrantLock();
    private final PriorityQueue<Timer> timers = new PriorityQueue<>();
    private final List<Queued> ready = new ArrayList<>();
    private final Lane worker = new Lane();
    private final Lane renewals = new Lane();
    private final Lane callbacks = new Lane();

    private final long startNanos;
    private volatile long elapsedNanos;
    private volatile long wallShiftMillis;
    private volatile Runnable onNanoTime = () -> {};
    private volatile double chance = 0.5;
    private volatile boolean closed;
    private volatile boolean timerOutOfThreads;
    private volatile int closings;
    private long sequence;
    private int tasksAtThisInstant;

    TestRuntime() {
        this(-20_000_000_000L);
    }

    /** @param startNanos what the monotonic clock says first; it may be any number */
    TestRuntime(long startNanos) {
        this.startNanos = startNanos;
    }

    // ---- what the test does

    /** Lets time pass on both clocks; whatever becomes due on the way runs at its own time. */
    void advance(Duration by) {
        long targetNanos = nanoTime() + by.toNanos();
        run();
        for (Timer timer = due(targetNanos); timer != null; timer = due(targetNanos)) {
            pass(timer.dueNanos - nanoTime());
            count();
            timer.task.run();
            run();
        }
        pass(targetNanos - nanoTime());
        run();
    }

    /** Lets time pass on both clocks while nothing runs: a pause of this process, or a call that takes its time. */
    void jump(Duration by) {
        pass(by.toNanos());
    }

    /** Sets the wall clock forward or back. Forward is also what a suspended machine looks like from inside. */
    void stepWall(Duration by) {
        wallShiftMillis += by.toMillis();
    }

    /** Runs everything that is ready now, and what it leads to. */
    void run() {
        for (Queued next = takeReady(); next != null; next = takeReady()) {
            count();
            next.task.run();
        }
    }

    /** Runs this at every look at the monotonic clock: the place where another thread would get its turn. */
    void onNanoTime(Runnable hook) {
        onNanoTime = hook;
    }

    /** As {@link Lane#outOfThreads}, for timers. */
    void timerOutOfThreads(boolean throwing) {
        timerOutOfThreads = throwing;
    }

    /** What chance chooses from now on: zero for the least, one for the most. */
    void chance(double part) {
        chance = part;
    }

    int timers() {
        mutex.lock();
        try {
            return timers.size();
        } finally {
            mutex.unlock();
        }
    }

    int closings() {
        return closings;
    }

    private void pass(long nanos) {
        mutex.lock();
        try {
            elapsedNanos += Math.max(0, nanos);
            tasksAtThisInstant = nanos > 0 ? 0 : tasksAtThisInstant;
        } finally {
            mutex.unlock();
        }
    }

    private void count() {
        tasksAtThisInstant++;
        if (tasksAtThisInstant > MOST_TASKS_AT_ONE_INSTANT) {
            throw new AssertionError("the engine goes round in circles: " + MOST_TASKS_AT_ONE_INSTANT
                    + " tasks ran and no time has passed");
        }
    }

    private Timer due(long byNanos) {
        mutex.lock();
        try {
            Timer first = timers.peek();
            return first == null || first.dueNanos - byNanos > 0 ? null : timers.poll();
        } finally {
            mutex.unlock();
        }
    }

    private Queued takeReady() {
        mutex.lock();
        try {
            for (Iterator<Queued> all = ready.iterator(); all.hasNext(); ) {
                Queued next = all.next();
                if (!next.lane.stopped) {
                    all.remove();
                    return next;
                }
            }
            return null;
        } finally {
            mutex.unlock();
        }
    }

    // ---- what the engine sees

    @Override
    public TimeSource time() {
        return this;
    }

    @Override
    public long nanoTime() {
        onNanoTime.run();
        return startNanos + elapsedNanos;
    }

    @Override
    public long wallMillis() {
        return 1_800_000_000_000L + elapsedNanos / 1_000_000 + wallShiftMillis;
    }

    @Override
    public Lane worker() {
        return worker;
    }

    @Override
    public Lane renewals() {
        return renewals;
    }

    @Override
    public Lane callbacks() {
        return callbacks;
    }

    @Override
    public Runnable schedule(Runnable task, long delayNanos) {
        mutex.lock();
        try {
            if (closed) {
                return () -> {};
            }
            if (timerOutOfThreads) {
                throw new OutOfMemoryError("unable to create native thread");
            }
            sequence++;
            Timer timer = new Timer(startNanos + elapsedNanos + delayNanos, sequence, task);
            timers.add(timer);
            return () -> cancel(timer);
        } finally {
            mutex.unlock();
        }
    }

    private void cancel(Timer timer) {
        mutex.lock();
        try {
            timers.remove(timer);
        } finally {
            mutex.unlock();
        }
    }

    @Override
    public long random(long bound) {
        return Math.min(bound - 1, (long) (chance * bound));
    }

    /** Time passes, work gets done, and real threads of the test get their turn. */
    @Override
    public void pause(long nanos) {
        LockSupport.parkNanos(REAL_PAUSE_NANOS);
        advance(Duration.ofNanos(nanos));
    }

    @Override
    public void close() {
        mutex.lock();
        try {
            closings++;
            closed = true;
            timers.clear();
            worker.stopped = worker.hangs;
            renewals.stopped = renewals.hangs;
            callbacks.stopped = callbacks.hangs;
        } finally {
            mutex.unlock();
        }
        run();
    }
}
