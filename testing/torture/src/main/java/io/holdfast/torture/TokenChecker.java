package io.holdfast.torture;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.stream.Collectors;

/**
 * Looks for a lease that was handed out after another one ended and has the smaller token, and for a token that was
 * given twice.
 */
final class TokenChecker {
    private TokenChecker() {}

    static List<Violation> check(List<Hold> holds) {
        List<Violation> found = new ArrayList<>();
        for (Subject subject : Subject.values()) {
            List<Hold> mine = holds.stream()
                    .filter(hold -> hold.subject() == subject)
                    .sorted(Comparator.comparingLong(Hold::startNanos))
                    .toList();
            sweep(Rule.TOKEN_ORDER, mine, found);
            twins(mine, found);
        }
        return found;
    }

    /** Looks for a client that was given a smaller token than it had before. */
    static List<Violation> checkEachClient(List<Hold> holds) {
        Map<String, List<Hold>> byClient = holds.stream()
                .sorted(Comparator.comparingLong(Hold::startNanos))
                .collect(Collectors.groupingBy(hold -> hold.worker() + " " + hold.subject()));
        List<Violation> found = new ArrayList<>();
        byClient.values().forEach(mine -> sweep(Rule.OWN_TOKENS, mine, found));
        return found;
    }

    private static void sweep(Rule rule, List<Hold> holds, List<Violation> found) {
        PriorityQueue<Hold> open = new PriorityQueue<>(Comparator.comparingLong(Hold::endNanos));
        Map<Integer, Hold> ended = new HashMap<>();
        for (Hold hold : holds) {
            for (Hold first = open.peek();
                    first != null && first.endNanos() <= hold.startNanos();
                    first = open.peek()) {
                open.remove();
                ended.merge(first.weight(), first, (one, other) -> one.token() > other.token() ? one : other);
            }
            for (Hold before : ended.values()) {
                if (before.excludes(hold.weight()) && before.token() > hold.token()) {
                    found.add(new Violation(rule, hold.startNanos(), hold + " comes after " + before));
                }
            }
            open.add(hold);
        }
    }

    private static void twins(List<Hold> holds, List<Violation> found) {
        Map<Long, Hold> byToken = new HashMap<>();
        for (Hold hold : holds) {
            Hold other = byToken.putIfAbsent(hold.token(), hold);
            if (other != null) {
                found.add(new Violation(Rule.TOKEN_ORDER, hold.startNanos(), hold + " has the same token as " + other));
            }
        }
    }
}
