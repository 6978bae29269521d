package io.holdfast.testing;

import io.holdfast.engine.EngineRuntime;
import io.holdfast.spi.TimeSource;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.PriorityQueue;
import java.util.Random;
import java.util.concurrent.Executor;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * A runtime without a thread: everything the engine wants done is done inside {@link #advance}, on the thread that
 * calls it, in the order of its time. The same calls with the same seed give the same run.
 *
 * <p><b>Not guaranteed.</b> A call of the engine that blocks its caller cannot be driven by the same thread; use the
 * asynchronous forms, or call it from another thread while this one advances the clock.
 *
 * <p><b>Threads.</b> Any thread may hand in tasks; one thread drives.
 *
 * @since 0.1
 */
public final class ManualRuntime implements EngineRuntime {
    /** Half a century: no test gets there, and the sum with any time does not overflow past its neighbours. */
    private static final long LONGEST_DELAY_NANOS = Long.MAX_VALUE / 6;

    private final ManualTime time;
    private final Random random;
    private final ReentrantLock lock = new ReentrantLock();
    private final Deque<Runnable> ready = new ArrayDeque<>();
    private final PriorityQueue<Timer> timers = new PriorityQueue<>();
    private long sequence;
    private boolean closed;

    /**
     * Creates a runtime.
     *
     * @param time its clocks
     * @param seed of all chance
     */
    public ManualRuntime(ManualTime time, long seed) {
        this.time = time;
        this.random = new Random(seed);
    }

    /** Creates a runtime with new clocks and seed zero. */
    public ManualRuntime() {
        this(new ManualTime(), 0);
    }

    /**
     * Lets time pass on both clocks and does everything that is due on the way, each task at its time. An exception
     * from a task comes out here.
     *
     * @param duration how much, not negative
     */
    public void advance(Duration duration) {
        if (duration.isNegative()) {
            throw new IllegalArgumentException("duration is " + duration + ", expected zero or more");
        }
        long target = time.nanoTime() + duration.toNanos();
        runReady();
        Timer next = peekDue(target);
        while (next != null) {
            moveTo(next.dueNanos);
            runReady();
            next = peekDue(target);
        }
        moveTo(target);
    }

    /** Does everything that can be done without time passing. Call it after moving one of the clocks by hand. */
    public void runReady() {
        Runnable task = pollReady();
        while (task != null) {
            task.run();
            task = pollReady();
        }
    }

    /**
     * Returns how many tasks wait for their time.
     *
     * @return zero when nothing will ever happen by itself
     */
    public int scheduled() {
        lock.lock();
        try {
            return timers.size();
        } finally {
            lock.unlock();
        }
    }

    @Override
    public TimeSource time() {
        return time;
    }

    /**
     * Returns the clocks, to move one of them alone.
     *
     * @return the same as {@link #time()}
     */
    public ManualTime clocks() {
        return time;
    }

    @Override
    public Executor worker() {
        return this::enqueue;
    }

    @Override
    public Executor renewals() {
        return this::enqueue;
    }

    @Override
    public Executor callbacks() {
        return this::enqueue;
    }

    @Override
    public Runnable schedule(Runnable task, long delayNanos) {
        lock.lock();
        try {
            if (closed) {
                return () -> {};
            }
            long laterNanos = Math.min(Math.max(0, delayNanos), LONGEST_DELAY_NANOS);
            Timer timer = new Timer(task, time.nanoTime() + laterNanos, sequence++);
            timers.add(timer);
            return () -> cancel(timer);
        } finally {
            lock.unlock();
        }
    }

    @Override
    public long random(long bound) {
        lock.lock();
        try {
            return Math.floorMod(random.nextLong(), bound);
        } finally {
            lock.unlock();
        }
    }

    /** Advances the clocks; others do what they have to meanwhile. */
    @Override
    public void pause(long nanos) {
        advance(Duration.ofNanos(Math.max(0, nanos)));
    }

    /** Drops what was not done yet, and everything that is handed in afterwards. */
    @Override
    public void close() {
        lock.lock();
        try {
            closed = true;
            ready.clear();
            timers.clear();
        } finally {
            lock.unlock();
        }
    }

    private void enqueue(Runnable task) {
        lock.lock();
        try {
            if (!closed) {
                ready.add(task);
            }
        } finally {
            lock.unlock();
        }
    }

    private void cancel(Timer timer) {
        lock.lock();
        try {
            timers.remove(timer);
        } finally {
            lock.unlock();
        }
    }

    private @Nullable Runnable pollReady() {
        lock.lock();
        try {
            Runnable task = ready.poll();
            if (task == null && peekDue(time.nanoTime()) != null) {
                task = timers.remove().task;
            }
            return task;
        } finally {
            lock.unlock();
        }
    }

    private @Nullable Timer peekDue(long nanoTime) {
        lock.lock();
        try {
            Timer first = timers.peek();
            return first == null || first.dueNanos - nanoTime > 0 ? null : first;
        } finally {
            lock.unlock();
        }
    }

    /** A task may have moved the clock past this instant already, by {@link #pause}. */
    private void moveTo(long nanoTime) {
        long missing = nanoTime - time.nanoTime();
        if (missing > 0) {
            time.advance(Duration.ofNanos(missing));
        }
    }

    private static final class Timer implements Comparable<Timer> {
        private final Runnable task;
        private final long dueNanos;
        private final long order;

        Timer(Runnable task, long dueNanos, long order) {
            this.task = task;
            this.dueNanos = dueNanos;
            this.order = order;
        }

        @Override
        public int compareTo(Timer other) {
            long difference = dueNanos - other.dueNanos;
            return difference == 0 ? Long.compare(order, other.order) : Long.signum(difference);
        }
    }
}
