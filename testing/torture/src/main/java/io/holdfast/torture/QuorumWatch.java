package io.holdfast.torture;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/**
 * Looks on while a quorum is broken: which clients must go on, and which must be told that they cannot. Thread-safe.
 */
final class QuorumWatch {
    /** Somebody in each worker gets something within that time. */
    private static final Duration BOUND = Duration.ofMillis(2_500);

    private static final Duration REPLACEMENT = Duration.ofSeconds(40);

    private final History history;
    private final Crew crew;
    private final Harms harms;
    private final int spare;
    private final List<Violation> found = new ArrayList<>();
    private volatile boolean over;

    QuorumWatch(History history, Crew crew, Harms harms, int spare) {
        this.history = history;
        this.crew = crew;
        this.harms = harms;
        this.spare = spare;
    }

    synchronized void complain(Rule rule, String what) {
        found.add(new Violation(rule, System.nanoTime(), what));
    }

    synchronized List<Violation> found() {
        return List.copyOf(found);
    }

    /** Nothing is expected any more. */
    void end() {
        over = true;
    }

    boolean isOver() {
        return over;
    }

    /** Waits until a worker has had a lease; that it gets one at all is checked elsewhere. */
    void awaitLease(int worker, long sinceNanos) {
        Patience.until(
                REPLACEMENT,
                () -> history.lastAcquiredNanos(crew.workers().get(worker).name()) > sinceNanos);
    }

    /** Whoever reaches a majority is served. */
    void mustGoOn(Collection<Integer> workers, Period during, String why) {
        for (Period good : harms.whenAtMost(spare, workers, during)) {
            if (good.nanos() > BOUND.toNanos()) {
                for (int worker : workers) {
                    String name = crew.workers().get(worker).name();
                    if (!history.hasAcquired(name, good)) {
                        complain(
                                Rule.AVAILABILITY,
                                name + " had nothing for " + Text.seconds(good.nanos()) + " with " + why);
                    }
                }
            }
        }
    }

    /** Whoever reaches no majority is told so, and not that somebody else has what it wants. */
    void mustNotBeBusy(String worker, Period cutOff) {
        history.read();
        List<String> busy = history.busy(worker, cutOff);
        if (!busy.isEmpty()) {
            complain(Rule.OUTAGE, worker + " could reach no majority and was told that somebody else has " + busy);
        }
    }
}
