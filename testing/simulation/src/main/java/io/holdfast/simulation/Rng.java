package io.holdfast.simulation;

import java.util.List;

/**
 * A stream of chance (SplitMix64): the same seed gives the same numbers on every machine and in every release of Java.
 */
final class Rng {
    private static final long STEP = 0x9E3779B97F4A7C15L;

    private long state;

    Rng(long seed) {
        this.state = mix(seed);
    }

    /** A stream of its own for each purpose, so that one more draw here changes nothing there. */
    static Rng of(long seed, long purpose, long number) {
        return new Rng(mix(mix(seed) + purpose) * 31 + number);
    }

    static long mix(long value) {
        long mixed = (value ^ (value >>> 30)) * 0xBF58476D1CE4E5B9L;
        mixed = (mixed ^ (mixed >>> 27)) * 0x94D049BB133111EBL;
        return mixed ^ (mixed >>> 31);
    }

    long nextLong() {
        state += STEP;
        return mix(state);
    }

    /** From zero up to and without the bound. */
    long below(long bound) {
        return Math.floorMod(nextLong(), bound);
    }

    int below(int bound) {
        return (int) below((long) bound);
    }

    /** Both ends included. */
    long between(long least, long most) {
        return least + below(most - least + 1);
    }

    /** True for this many of ten thousand draws. */
    boolean chance(int perTenThousand) {
        return below(10_000) < perTenThousand;
    }

    <T> T pick(List<T> choices) {
        return choices.get(below(choices.size()));
    }
}
