package io.holdfast.spec.guard;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Visits every state that rules allow, the nearest first, and stops at the first one that is broken. */
public final class Search implements Steps.Sink {
    /** How a state was found. */
    private record Found(@Nullable Found before, String step) {}

    /** A state from which nobody has gone on yet. */
    private record Waiting(Found found, World world) {}

    /**
     * What was found.
     *
     * @param distinct how many different states
     * @param generated how many, the same ones again included
     * @param steps how to get to a state in which two clients hold, as short as possible; empty if none was found
     * @param taken how many times each kind of step was taken
     */
    public record Result(long distinct, long generated, List<String> steps, Map<String, Long> taken) {
        public boolean safe() {
            return steps.isEmpty();
        }
    }

    private final List<int[]> numberings;
    private final Steps steps;
    private final Set<World.Key> seen = new HashSet<>();
    private final Queue<Waiting> waiting = new ArrayDeque<>();
    private final Map<String, Long> taken = new TreeMap<>();
    private long generated;
    private @Nullable Found current;
    private @Nullable Found broken;

    private Search(Rules rules) {
        this.steps = new Steps(rules, this);
        this.numberings = numberings(rules.clients);
    }

    static Result of(Rules rules) {
        Search search = new Search(rules);
        search.found("", "", World.first(rules));
        search.taken.remove("");
        for (Waiting next = search.waiting.poll();
                next != null && search.broken == null;
                next = search.waiting.poll()) {
            search.current = next.found;
            search.steps.from(next.world);
        }
        return new Result(search.seen.size(), search.generated, way(search.broken), search.taken);
    }

    @Override
    public void found(String kind, String details, World world) {
        generated++;
        taken.merge(kind, 1L, Long::sum);
        if (seen.add(world.key(numberings))) {
            Found found = new Found(current, kind + details);
            waiting.add(new Waiting(found, world));
            if (broken == null && world.isBroken()) {
                broken = found;
            }
        }
    }

    private static List<String> way(@Nullable Found found) {
        ArrayDeque<String> way = new ArrayDeque<>();
        for (Found at = found; at != null && at.before != null; at = at.before) {
            way.addFirst(at.step);
        }
        return List.copyOf(way);
    }

    private static List<int[]> numberings(int count) {
        List<int[]> all = new ArrayList<>();
        List<Integer> free = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            free.add(i);
        }
        number(new int[count], 0, free, all);
        return Collections.unmodifiableList(all);
    }

    private static void number(int[] numbering, int from, List<Integer> free, List<int[]> all) {
        if (free.isEmpty()) {
            all.add(numbering.clone());
        }
        for (int number : List.copyOf(free)) {
            numbering[from] = number;
            List<Integer> rest = new ArrayList<>(free);
            rest.remove(Integer.valueOf(number));
            number(numbering, from + 1, rest, all);
        }
    }
}
