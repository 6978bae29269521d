package io.holdfast.engine;

import io.holdfast.spi.TimeSource;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;

/**
 * Tasks run at once on the thread that hands them over, timers when the test says so, renewals never: nothing that a
 * model checker cannot follow.
 */
final class InlineRuntime implements EngineRuntime, TimeSource {
    private final ConcurrentLinkedQueue<Runnable> timers = new ConcurrentLinkedQueue<>();
    private volatile long nanos;

    /** Sets both clocks. */
    void at(long nanos) {
        this.nanos = nanos;
    }

    /** Runs the timer that was set first, if there is one. */
    void fire() {
        Runnable timer = timers.poll();
        if (timer != null) {
            timer.run();
        }
    }

    @Override
    public TimeSource time() {
        return this;
    }

    @Override
    public long nanoTime() {
        return nanos;
    }

    @Override
    public long wallMillis() {
        return nanos / 1_000_000;
    }

    @Override
    public Executor worker() {
        return Runnable::run;
    }

    @Override
    public Executor renewals() {
        return task -> {};
    }

    @Override
    public Executor callbacks() {
        return Runnable::run;
    }

    @Override
    public Runnable schedule(Runnable task, long delayNanos) {
        timers.add(task);
        return () -> {};
    }

    @Override
    public long random(long bound) {
        return 0;
    }

    @Override
    public void pause(long nanos) {}

    @Override
    public void close() {}
}
