package io.holdfast.engine;

import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import java.util.stream.IntStream;

/**
 * Lets the parts of a round run into each other on real threads, over and over, each time a little shifted against each
 * other. What a part or the check after it throws fails the test.
 */
final class Duel {
    private static final long SEED = 20_250_101;
    private static final int MOST_SHIFT = 120;
    private static final int SPINS_BEFORE_YIELD = 200;

    /** Things that happen at the same time, and what must be true afterwards. */
    interface Round {
        List<Runnable> parts();

        void check();
    }

    private final int rounds;
    private final Supplier<Round> next;
    private final AtomicInteger begun = new AtomicInteger();
    private final AtomicInteger ready = new AtomicInteger();
    private final AtomicInteger done = new AtomicInteger();
    private volatile List<Runnable> parts = List.of();
    private volatile boolean over;

    private Duel(int rounds, Supplier<Round> next) {
        this.rounds = rounds;
        this.next = next;
    }

    /** Runs so many rounds. */
    static void of(int rounds, Supplier<Round> next) throws Exception {
        new Duel(rounds, next).run();
    }

    private void run() throws Exception {
        int size = next.get().parts().size();
        List<Actor<Boolean>> helpers = IntStream.range(1, size)
                .mapToObj(part -> Actor.does("duel-" + part, () -> help(part)))
                .toList();
        Random shifts = new Random(SEED);
        try {
            for (int i = 0; i < rounds; i++) {
                Round round = next.get();
                parts = round.parts();
                ready.set(0);
                done.set(0);
                begun.incrementAndGet();
                await(() -> ready.get() == size - 1);
                ready.incrementAndGet();
                shifted(shifts, parts.get(0));
                await(() -> done.get() == size - 1 || helpers.stream().anyMatch(Actor::isDone));
                if (helpers.stream().anyMatch(Actor::isDone)) {
                    break;
                }
                round.check();
            }
        } finally {
            over = true;
            begun.incrementAndGet();
        }
        for (Actor<Boolean> helper : helpers) {
            helper.result();
        }
    }

    private boolean help(int part) {
        Random shifts = new Random(SEED + part);
        for (int seen = 0; ; seen++) {
            int last = seen;
            await(() -> begun.get() > last);
            if (over) {
                return true;
            }
            int all = parts.size();
            ready.incrementAndGet();
            await(() -> ready.get() == all);
            shifted(shifts, parts.get(part));
            done.incrementAndGet();
        }
    }

    private static void shifted(Random shifts, Runnable part) {
        for (int i = shifts.nextInt(MOST_SHIFT); i > 0; i--) {
            Thread.onSpinWait();
        }
        part.run();
    }

    @SuppressWarnings("ThreadPriorityCheck") // two parties may share one core; spinning on would only delay the other
    private static void await(BooleanSupplier condition) {
        for (int i = 0; !condition.getAsBoolean(); i++) {
            if (i < SPINS_BEFORE_YIELD) {
                Thread.onSpinWait();
            } else {
                Thread.yield();
            }
        }
    }
}
