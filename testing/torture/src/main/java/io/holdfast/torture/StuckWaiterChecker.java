package io.holdfast.torture;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** Looks for a waiter of a free lock that waited, while all was well, for longer than it takes to find out. */
final class StuckWaiterChecker {
    private StuckWaiterChecker() {}

    /**
     * @param calm when all servers were well, nothing was shut and no dead client could still hold anything
     * @param boundNanos how long a free lock may go unnoticed
     */
    static List<Violation> check(List<Hold> holds, List<Wait> waits, List<Period> calm, long boundNanos) {
        List<Violation> found = new ArrayList<>();
        for (Wait wait : waits) {
            for (Period period : calm) {
                long from = Math.max(wait.startNanos(), period.startNanos());
                long to = Math.min(wait.endNanos(), period.endNanos());
                if (to - from > boundNanos) {
                    look(holds, wait, from, to, boundNanos, found);
                }
            }
        }
        return found;
    }

    private static void look(List<Hold> holds, Wait wait, long from, long to, long boundNanos, List<Violation> found) {
        List<Hold> mine = holds.stream()
                .filter(hold -> hold.subject() == wait.subject() && hold.endNanos() > from && hold.startNanos() < to)
                .sorted(Comparator.comparingLong(Hold::startNanos))
                .toList();
        long freeSince = from;
        for (Hold hold : mine) {
            if (hold.startNanos() - freeSince > boundNanos) {
                break;
            }
            freeSince = Math.max(freeSince, hold.endNanos());
        }
        long until = firstStartAfter(mine, freeSince, to);
        if (until - freeSince > boundNanos) {
            found.add(new Violation(
                    Rule.STUCK_WAITER,
                    freeSince + boundNanos,
                    wait.subject() + " was free for " + Text.seconds(until - freeSince) + " from " + freeSince
                            + " while a thread of " + wait.worker() + " waited for it since " + wait.startNanos()));
        }
    }

    private static long firstStartAfter(List<Hold> holds, long nanos, long otherwise) {
        return holds.stream()
                .mapToLong(Hold::startNanos)
                .filter(start -> start >= nanos)
                .min()
                .orElse(otherwise);
    }
}
