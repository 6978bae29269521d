package io.holdfast.simulation;

import io.holdfast.spi.TimeSource;

/** A process on a machine of its own: it has clocks, can be paused, put to sleep with its machine, and killed. */
final class SimProcess {
    private static final long PAUSE_AT_LEAST_NANOS = SimWorld.MILLI;

    private final SimWorld world;
    private final int index;
    private final String name;
    private final SimClocks clocks;
    private final Stats stats;
    private final Stalls stalls;
    private final TimeSource engineTime = new EngineTime();
    private long pausedUntilNanos;
    private boolean stalled;
    private long stalledUntilNanos;
    private boolean killed;

    /**
     * Pauses between any two lines of the engine that ask for the time.
     *
     * @param perTenThousand how often
     * @param longestNanos how long at most
     */
    record Stalls(Rng rng, int perTenThousand, long longestNanos) {}

    SimProcess(SimWorld world, int index, SimClocks clocks, Stats stats, Stalls stalls) {
        this.world = world;
        this.index = index;
        this.name = "c" + index;
        this.clocks = clocks;
        this.stats = stats;
        this.stalls = stalls;
    }

    int index() {
        return index;
    }

    String name() {
        return name;
    }

    /** For the store, the network and the checks, who may look at any time. */
    SimClocks clocks() {
        return clocks;
    }

    /** For the engine, whose process may be paused whenever it looks. */
    TimeSource engineTime() {
        return engineTime;
    }

    boolean isPaused() {
        return pausedUntilNanos > world.now();
    }

    /** Whether one of its threads was stopped somewhere inside the engine and has not gone on yet. */
    boolean isStalled() {
        return stalled;
    }

    long pausedUntilNanos() {
        return pausedUntilNanos;
    }

    /** When it last began to run again; now, if it does not run. */
    long stoppedUntilNanos() {
        return stalled || isPaused() ? world.now() : Math.max(pausedUntilNanos, stalledUntilNanos);
    }

    boolean isKilled() {
        return killed;
    }

    void ensureAlive() {
        if (killed) {
            throw new ProcessKilledError(name);
        }
    }

    /** Stops every thread for some time; the clocks go on. */
    void pause(long nanos) {
        if (world.isTraced()) {
            world.trace(name, "is paused for " + Trace.seconds(nanos) + " s");
        }
        pausedUntilNanos = Math.max(pausedUntilNanos, world.now() + nanos);
    }

    /** Stops every thread and the monotonic clock. */
    void suspend(long nanos) {
        if (world.isTraced()) {
            world.trace(name, "and its machine sleep for " + Trace.seconds(nanos) + " s");
        }
        pausedUntilNanos = world.now() + nanos;
        clocks.fallAsleep();
        world.post(null, pausedUntilNanos, clocks::wakeUp);
    }

    void kill() {
        world.trace(name, "is killed");
        killed = true;
    }

    private void stall() {
        ensureAlive();
        if (stalls.perTenThousand > 0
                && world.canSleep()
                && !isPaused()
                && !stalled
                && stalls.rng.chance(stalls.perTenThousand)
                && stats.isFaulty()) {
            stats.count(FaultKind.STALL);
            pause(stalls.rng.between(PAUSE_AT_LEAST_NANOS, stalls.longestNanos));
            // The engine may hold a mutex here, so that none of its other tasks may run before this one goes on.
            stalled = true;
            try {
                world.sleep(this, 0);
            } finally {
                stalled = false;
                stalledUntilNanos = world.now();
            }
        }
    }

    private final class EngineTime implements TimeSource {
        @Override
        public long nanoTime() {
            stall();
            return clocks.nanoTime();
        }

        @Override
        public long wallMillis() {
            stall();
            return clocks.wallMillis();
        }
    }
}
