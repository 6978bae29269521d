package io.holdfast.simulation;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.LongConsumer;
import java.util.logging.Level;
import java.util.logging.Logger;

/** Many runs of one profile, one seed after another. */
final class Campaign {
    /** The engine warns of what a simulation does to it all the time. Kept here, because nobody else keeps it. */
    private static final Logger ENGINE_LOG = Logger.getLogger("io.holdfast");

    private final Profile profile;
    private final Sabotage sabotage;
    private final Stats total = new Stats();
    private final List<Outcome> bad = new ArrayList<>();
    private long seeds;

    Campaign(Profile profile) {
        this(profile, Sabotage.NONE);
    }

    Campaign(Profile profile, Sabotage sabotage) {
        this.profile = profile;
        this.sabotage = sabotage;
    }

    /** Keeps the engine's log quiet: what it warns of is what is done to it here. */
    static void hush() {
        ENGINE_LOG.setLevel(Level.OFF);
    }

    /** Runs the seeds from one up to and without another. Several threads may do this at the same time. */
    Campaign run(long fromSeed, long toSeed, LongConsumer progress) {
        for (long seed = fromSeed; seed < toSeed; seed++) {
            add(Simulation.run(seed, profile, sabotage, false));
            progress.accept(seed);
        }
        return this;
    }

    private synchronized void add(Outcome outcome) {
        seeds++;
        total.add(outcome.stats());
        if (outcome.violation() != null) {
            bad.add(outcome);
        }
    }

    Profile profile() {
        return profile;
    }

    synchronized long seeds() {
        return seeds;
    }

    Stats total() {
        return total;
    }

    /** The runs that broke a rule, the smallest seed first. */
    synchronized List<Outcome> bad() {
        return bad.stream().sorted(Comparator.comparingLong(Outcome::seed)).toList();
    }
}
