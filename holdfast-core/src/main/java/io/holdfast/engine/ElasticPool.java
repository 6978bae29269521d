package io.holdfast.engine;

import java.util.concurrent.LinkedTransferQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Threads that come when there is work and none of them is idle, up to a number, and go after a while. Further work
 * waits in line.
 *
 * <p><b>Stalls.</b> While work waits and none of it has come to an end for a second, the number grows, up to a limit:
 * tasks that wait for each other, or for ever, do not keep the others waiting at once.
 *
 * <p><b>No more threads.</b> A machine or a user that has all the threads it may have delays work. {@link #execute}
 * never throws because of that: the task waits for a thread that is there, or for the next look.
 */
final class ElasticPool extends ThreadPoolExecutor {

    /** Takes a task only for a thread that waits for one, so that the pool makes a new thread otherwise. */
    private static final class Backlog extends LinkedTransferQueue<Runnable> {
        private static final long serialVersionUID = 1;

        @Override
        public boolean offer(Runnable task) {
            return tryTransfer(task);
        }

        void append(Runnable task) {
            super.offer(task);
        }
    }

    private static final long IDLE_SECONDS = 10;
    private static final long LOOK_MILLIS = 1_000;
    private static final long RETRY_MILLIS = 100;

    private final Backlog backlog;
    private final ScheduledExecutorService timer;
    private final int usual;
    private final int most;

    /**
     * Whether a look is on its way; those that follow each other are the only ones to touch the number of ended tasks.
     */
    private final AtomicBoolean looking = new AtomicBoolean();

    private long endedBefore;

    /**
     * @param kept how many threads never go
     * @param usual how many there are while tasks come to an end
     * @param most how many there are if none does
     * @param timer looks after tasks that wait
     */
    ElasticPool(int kept, int usual, int most, ThreadFactory threads, ScheduledExecutorService timer) {
        this(kept, usual, most, threads, timer, new Backlog());
    }

    private ElasticPool(
            int kept, int usual, int most, ThreadFactory threads, ScheduledExecutorService timer, Backlog backlog) {
        super(kept, usual, IDLE_SECONDS, TimeUnit.SECONDS, backlog, threads);
        this.backlog = backlog;
        this.timer = timer;
        this.usual = usual;
        this.most = most;
        setRejectedExecutionHandler((task, pool) -> append(task));
    }

    @Override
    public void execute(Runnable task) {
        try {
            super.execute(task);
        } catch (Throwable noThread) {
            append(task);
        }
    }

    /** After the end there is nothing left to do. */
    private void append(Runnable task) {
        if (!isShutdown()) {
            backlog.append(task);
            lookLater();
        }
    }

    private void lookLater() {
        if (looking.compareAndSet(false, true)) {
            endedBefore = getCompletedTaskCount();
            schedule();
        }
    }

    private void schedule() {
        long delayMillis = getPoolSize() == 0 ? RETRY_MILLIS : LOOK_MILLIS;
        try {
            timer.schedule(this::look, delayMillis, TimeUnit.MILLISECONDS);
        } catch (RejectedExecutionException closed) {
            looking.set(false);
        }
    }

    private void look() {
        long ended = getCompletedTaskCount();
        if (backlog.isEmpty()) {
            setMaximumPoolSize(usual);
            looking.set(false);
            if (!backlog.isEmpty()) {
                lookLater();
            }
            return;
        }
        boolean stalled = ended == endedBefore;
        endedBefore = ended;
        if (stalled) {
            setMaximumPoolSize(Math.min(most, getMaximumPoolSize() + usual));
        }
        refill();
        schedule();
    }

    /** Lets threads come for work that waits, until there are enough or no more can be started. */
    private void refill() {
        int size = getPoolSize();
        int before = -1;
        while (size < getMaximumPoolSize() && size > before) {
            Runnable task = backlog.poll();
            if (task == null) {
                return;
            }
            execute(task);
            before = size;
            size = getPoolSize();
        }
    }
}
