package io.holdfast.torture;

import java.util.List;
import java.util.SplittableRandom;

/** Numbers that look random and are the same for the same seed. Not thread-safe. */
final class Rng {
    private final SplittableRandom random;

    private Rng(long seed) {
        this.random = new SplittableRandom(seed);
    }

    /** Numbers of their own for each purpose, so that one more draw here changes nothing there. */
    static Rng of(long seed, long... purpose) {
        long mixed = seed;
        for (long part : purpose) {
            mixed = new SplittableRandom(mixed * 31 + part).nextLong();
        }
        return new Rng(mixed);
    }

    /** From zero up to and without the bound. */
    int below(int bound) {
        return random.nextInt(bound);
    }

    /** Both ends included. */
    long between(long least, long most) {
        return random.nextLong(least, most + 1);
    }

    boolean chance(int percent) {
        return below(100) < percent;
    }

    <T> T pick(List<T> choices) {
        return choices.get(below(choices.size()));
    }
}
