package io.holdfast.simulation;

import io.holdfast.engine.EnginePeek;
import io.holdfast.engine.EngineRuntime;
import io.holdfast.spi.TimeSource;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.Executor;

/**
 * Time, threads and chance of one simulated process. Each task waits a little for its thread, so that their order
 * varies.
 */
final class SimRuntime implements EngineRuntime {
    /** As the real runtime: that long the tasks that were handed in before the end have to finish. */
    private static final long CLOSE_NANOS = 2 * SimWorld.SECOND;

    private static final long LONGEST_DELAY_NANOS = 1_000_000 * SimWorld.SECOND;

    private final SimWorld world;
    private final SimProcess process;
    private final boolean calm;
    private final Sabotage sabotage;
    private final long seed;
    private final Rng taskRng;
    private final Rng engineRng;
    private final Map<String, Long> tasksByLabel = new HashMap<>();
    private int pending;
    private boolean closing;
    private boolean closed;

    SimRuntime(SimBackend.Setting setting, SimProcess process, boolean calm) {
        this.world = setting.world();
        this.sabotage = setting.sabotage();
        this.process = process;
        this.calm = calm;
        this.seed = Rng.of(setting.seed(), 11, process.index()).nextLong();
        this.taskRng = Rng.of(setting.seed(), 12, process.index());
        this.engineRng = Rng.of(setting.seed(), 13, process.index());
    }

    @Override
    public TimeSource time() {
        return process.engineTime();
    }

    @Override
    public Executor worker() {
        return this::submit;
    }

    @Override
    public Executor renewals() {
        return this::submit;
    }

    @Override
    public Executor callbacks() {
        return this::submit;
    }

    private void submit(Runnable task) {
        if (closing) {
            return;
        }
        pending++;
        String label = EnginePeek.label(task);
        // Closing a client wakes its waiters in the order of a hash set. What a waiter's task waits for its thread
        // must therefore depend on whose task it is, not on which came first.
        long number = label == null ? 0 : tasksByLabel.merge(label, 1L, Long::sum);
        long key = label == null ? 0 : label.hashCode() * 1_000L + number;
        Rng rng = label == null ? taskRng : new Rng(seed + key);
        world.post(process, world.now() + threadDelay(rng), key, false, () -> run(task));
    }

    private long threadDelay(Rng rng) {
        long kind = rng.below(1_000);
        if (kind < 700) {
            return rng.below(50 * SimWorld.MICRO);
        }
        if (kind < 950) {
            return rng.below(500 * SimWorld.MICRO);
        }
        return calm || kind < 998 ? rng.below(4 * SimWorld.MILLI) : rng.below(100 * SimWorld.MILLI);
    }

    private void run(Runnable task) {
        pending--;
        if (!closed) {
            task.run();
        }
    }

    @Override
    public Runnable schedule(Runnable task, long delayNanos) {
        if (closing || sabotage == Sabotage.NO_TIMER) {
            return () -> {};
        }
        return new Timer(task, Math.min(Math.max(0, delayNanos), LONGEST_DELAY_NANOS)).start();
    }

    /** Due by the clock of the process, which may stand still meanwhile. */
    private final class Timer {
        private final Runnable task;
        private final long dueNanos;
        private boolean cancelled;

        Timer(Runnable task, long delayNanos) {
            this.task = task;
            this.dueNanos = process.clocks().nanoTime() + delayNanos;
        }

        Runnable start() {
            SimEvent event = post();
            return () -> {
                cancelled = true;
                event.cancelled = true;
            };
        }

        private SimEvent post() {
            long left = Math.max(0, dueNanos - process.clocks().nanoTime());
            long at = world.now() + process.clocks().trueNanos(left) + taskRng.below(100 * SimWorld.MICRO);
            return world.post(process, at, this::fire);
        }

        private void fire() {
            if (cancelled || closing) {
                return;
            }
            if (dueNanos - process.clocks().nanoTime() > 0) {
                post();
            } else {
                task.run();
            }
        }
    }

    @Override
    public long random(long bound) {
        return engineRng.below(bound);
    }

    @Override
    public void pause(long nanos) {
        world.sleep(process, process.clocks().trueNanos(nanos));
    }

    @Override
    public void park(Object blocker, long nanos) {
        SimThread.current().park(process.clocks().trueNanos(Math.min(nanos, LONGEST_DELAY_NANOS)));
    }

    @Override
    public void unpark(Thread thread) {
        ((SimThread) thread).unpark();
    }

    @Override
    public void close() {
        closing = true;
        long untilNanos = world.now() + CLOSE_NANOS;
        while (pending > 0 && world.now() < untilNanos && world.violation() == null) {
            world.sleep(process, SimWorld.MILLI);
        }
        closed = true;
    }

    /** Tasks that were handed in and have not begun. */
    int pending() {
        return pending;
    }
}
