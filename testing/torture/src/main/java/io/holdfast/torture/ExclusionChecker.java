package io.holdfast.torture;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;

/** Sweeps over all holds of each subject in the order of time and looks for an instant at which too much was held. */
final class ExclusionChecker {
    private ExclusionChecker() {}

    static List<Violation> check(List<Hold> holds) {
        List<Violation> found = new ArrayList<>();
        for (Subject subject : Subject.values()) {
            sweep(
                    holds.stream()
                            .filter(hold -> hold.subject() == subject && hold.endNanos() > hold.startNanos())
                            .sorted(Comparator.comparingLong(Hold::startNanos))
                            .toList(),
                    found);
        }
        return found;
    }

    private static void sweep(List<Hold> holds, List<Violation> found) {
        PriorityQueue<Hold> open = new PriorityQueue<>(Comparator.comparingLong(Hold::endNanos));
        int used = 0;
        for (Hold hold : holds) {
            for (Hold first = open.peek();
                    first != null && first.endNanos() <= hold.startNanos();
                    first = open.peek()) {
                open.remove();
                used -= first.weight();
            }
            used += hold.weight();
            if (used > hold.subject().capacity()) {
                long overlapNanos =
                        open.stream().mapToLong(Hold::endNanos).max().orElse(0) - hold.startNanos();
                found.add(new Violation(
                        Rule.EXCLUSION,
                        hold.startNanos(),
                        hold + " beside " + open + ", for " + Text.millis(Math.min(overlapNanos, length(hold)))));
            }
            open.add(hold);
        }
    }

    private static long length(Hold hold) {
        return hold.endNanos() - hold.startNanos();
    }
}
