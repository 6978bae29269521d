package io.holdfast.benchmarks;

import io.holdfast.engine.EngineRuntime;
import io.holdfast.spi.TimeSource;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The real runtime of a client, which also tells when the watchdog is at work: on its timer or in one of its renewals.
 */
final class WatchedRuntime implements EngineRuntime {
    private final EngineRuntime real;
    private final AtomicInteger atWork = new AtomicInteger();
    private final AtomicLong begun = new AtomicLong();
    private final AtomicLong rounds = new AtomicLong();

    WatchedRuntime(String name) {
        this.real = EngineRuntime.system(name);
    }

    boolean isAtWork() {
        return atWork.get() > 0;
    }

    /** How often the watchdog began to work; tells two looks apart between which it began and ended. */
    long begun() {
        return begun.get();
    }

    /** How many rounds of renewals there were. */
    long rounds() {
        return rounds.get();
    }

    private Runnable noted(Runnable task) {
        return () -> {
            atWork.incrementAndGet();
            begun.incrementAndGet();
            try {
                task.run();
            } finally {
                atWork.decrementAndGet();
            }
        };
    }

    @Override
    public Executor renewals() {
        return task -> {
            rounds.incrementAndGet();
            real.renewals().execute(noted(task));
        };
    }

    @Override
    public Runnable schedule(Runnable task, long delayNanos) {
        return real.schedule(noted(task), delayNanos);
    }

    @Override
    public TimeSource time() {
        return real.time();
    }

    @Override
    public Executor worker() {
        return real.worker();
    }

    @Override
    public Executor callbacks() {
        return real.callbacks();
    }

    @Override
    public long random(long bound) {
        return real.random(bound);
    }

    @Override
    public void pause(long nanos) {
        real.pause(nanos);
    }

    @Override
    public void close() {
        real.close();
    }
}
