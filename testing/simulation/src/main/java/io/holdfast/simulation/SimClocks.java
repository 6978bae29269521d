package io.holdfast.simulation;

import io.holdfast.spi.TimeSource;

/**
 * The two clocks of one machine, seen from true time: each runs a little too fast or too slow, the wall clock can be
 * set, and the monotonic one stands still while the machine sleeps.
 */
final class SimClocks implements TimeSource {
    private static final long MILLION = 1_000_000;

    private final SimWorld world;
    private final long originNanos;
    private final long originMillis;
    private final long ppm;
    private long sleptNanos;
    private long asleepSinceNanos;
    private boolean asleep;
    private long setByMillis;

    /** @param ppm how much faster than true time, in millionths; negative for slower */
    SimClocks(SimWorld world, long originNanos, long originMillis, long ppm) {
        this.world = world;
        this.originNanos = originNanos;
        this.originMillis = originMillis;
        this.ppm = ppm;
    }

    @Override
    public long nanoTime() {
        long now = asleep ? asleepSinceNanos : world.now();
        return originNanos + drifted(now - sleptNanos);
    }

    @Override
    public long wallMillis() {
        return originMillis + setByMillis + drifted(world.now()) / SimWorld.MILLI;
    }

    void set(long byMillis) {
        setByMillis += byMillis;
    }

    void fallAsleep() {
        asleep = true;
        asleepSinceNanos = world.now();
    }

    void wakeUp() {
        asleep = false;
        sleptNanos += world.now() - asleepSinceNanos;
    }

    /** In how much true time this clock counts that much; a little less rather than more. */
    long trueNanos(long countedNanos) {
        return countedNanos - parts(countedNanos);
    }

    private long drifted(long trueNanos) {
        return trueNanos + parts(trueNanos);
    }

    private long parts(long nanos) {
        return nanos / MILLION * ppm + nanos % MILLION * ppm / MILLION;
    }
}
