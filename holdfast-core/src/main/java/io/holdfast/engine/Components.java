package io.holdfast.engine;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;

/** The strongly connected parts of a graph. Two walks, without recursion: a line of threads may be long. */
final class Components {
    private Components() {}

    private record Visit<T>(T node, Iterator<T> next) {}

    /** @param targets where edges lead from a node; those that lead elsewhere do not count */
    static <T> List<Set<T>> of(Collection<T> nodes, Function<T, List<T>> targets) {
        Set<T> all = new LinkedHashSet<>(nodes);
        Map<T, List<T>> reversed = new HashMap<>();
        for (T node : all) {
            targets.apply(node)
                    .forEach(to -> reversed.computeIfAbsent(to, none -> new ArrayList<>())
                            .add(node));
        }
        List<T> finished = new ArrayList<>();
        Set<T> seen = new HashSet<>();
        all.forEach(node -> walk(node, all, targets, seen, finished));
        Collections.reverse(finished);
        List<Set<T>> parts = new ArrayList<>();
        Set<T> taken = new HashSet<>();
        for (T node : finished) {
            List<T> part = new ArrayList<>();
            walk(node, all, each -> reversed.getOrDefault(each, List.of()), taken, part);
            if (!part.isEmpty()) {
                parts.add(new LinkedHashSet<>(part));
            }
        }
        return parts;
    }

    /** Adds what can be reached and was not seen, the last one first. */
    private static <T> void walk(T start, Set<T> all, Function<T, List<T>> targets, Set<T> seen, List<T> finished) {
        Deque<Visit<T>> path = new ArrayDeque<>();
        if (seen.add(start)) {
            path.push(new Visit<>(start, targets.apply(start).iterator()));
        }
        while (!path.isEmpty()) {
            Visit<T> visit = path.peek();
            if (!visit.next.hasNext()) {
                finished.add(path.pop().node);
                continue;
            }
            T to = visit.next.next();
            if (all.contains(to) && seen.add(to)) {
                path.push(new Visit<>(to, targets.apply(to).iterator()));
            }
        }
    }
}
