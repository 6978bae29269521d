package io.holdfast.torture;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * Which nodes of a quorum were out for which workers, and when: down, shut after they forgot, standing still or cut
 * off. Knows how many may forget at a time, because more are outside of what is promised. Thread-safe.
 */
final class Harms {
    /** One thing that is wrong. */
    static final class Harm {
        private final Set<Integer> nodes;
        private final Set<Integer> workers;
        private final boolean forgets;
        private final long startNanos = System.nanoTime();
        private long endNanos = Long.MAX_VALUE;

        private Harm(Collection<Integer> nodes, Collection<Integer> workers, boolean forgets) {
            this.nodes = Set.copyOf(nodes);
            this.workers = Set.copyOf(workers);
            this.forgets = forgets;
        }

        /** In rising order. */
        List<Integer> nodes() {
            return List.copyOf(new TreeSet<>(nodes));
        }
    }

    /** While nobody could be served, leases of unreachable clients go on, and so do their places. */
    private static final long AFTERMATH_NANOS =
            Subject.LONGEST_LEASE.plusSeconds(1).toNanos();

    private final int nodes;
    private final int spare;
    private final List<Integer> allWorkers = new ArrayList<>();
    private final List<Harm> harms = new ArrayList<>();
    private final Set<Integer> taken = new HashSet<>();

    /** @param spare how many nodes may forget at a time */
    Harms(int nodes, int spare, int workers) {
        this.nodes = nodes;
        this.spare = spare;
        for (int i = 0; i < workers; i++) {
            allWorkers.add(i);
        }
    }

    List<Integer> allNodes() {
        List<Integer> all = new ArrayList<>();
        for (int i = 0; i < nodes; i++) {
            all.add(i);
        }
        return all;
    }

    List<Integer> allWorkers() {
        return List.copyOf(allWorkers);
    }

    /** So many of the nodes, whatever is wrong with them. */
    List<Integer> someNodes(Rng rng, int count) {
        List<Integer> all = allNodes();
        while (all.size() > count) {
            all.remove(rng.below(all.size()));
        }
        return all;
    }

    /** Nodes are out for some workers from now on. */
    synchronized Harm begin(Collection<Integer> whichNodes, Collection<Integer> whichWorkers) {
        Harm harm = new Harm(whichNodes, whichWorkers, false);
        harms.add(harm);
        return harm;
    }

    synchronized void end(Harm harm) {
        harm.endNanos = System.nanoTime();
    }

    /**
     * Takes up to so many nodes for something that is done to their processes, of those that nobody else does something
     * to. No more than {@link #spare} forget at a time: a node that forgot and is still shut may forget again.
     *
     * @return the harm, of no node if none is possible now
     */
    synchronized Harm take(int most, boolean forgets, Rng rng) {
        Set<Integer> forgetful = new HashSet<>();
        Set<Integer> out = new HashSet<>();
        harms.stream().filter(harm -> harm.endNanos == Long.MAX_VALUE).forEach(harm -> {
            out.addAll(harm.nodes);
            if (harm.forgets) {
                forgetful.addAll(harm.nodes);
            }
        });
        List<Integer> free = new ArrayList<>(allNodes());
        free.removeAll(taken);
        boolean gentle = rng.chance(85);
        Set<Integer> chosen = new HashSet<>();
        while (chosen.size() < most && !free.isEmpty()) {
            Integer node = free.remove(rng.below(free.size()));
            boolean tooForgetful = forgets && !forgetful.contains(node) && forgetful.size() >= spare;
            boolean tooMany = gentle && !out.contains(node) && out.size() >= spare;
            if (!tooForgetful && !tooMany) {
                chosen.add(node);
                forgetful.add(node);
                out.add(node);
            }
        }
        taken.addAll(chosen);
        Harm harm = new Harm(chosen, allWorkers, forgets);
        harms.add(harm);
        return harm;
    }

    /** Others may do something to these nodes, though they may still be out. */
    synchronized void giveBack(Harm harm) {
        taken.removeAll(harm.nodes);
    }

    /** When none of these workers had more than so many nodes out, and had not had for the length of a lease. */
    synchronized List<Period> whenAtMost(int out, Collection<Integer> workers, Period within) {
        TreeSet<Long> edges = new TreeSet<>(Set.of(within.startNanos(), within.endNanos()));
        for (Harm harm : harms) {
            edges.add(harm.startNanos);
            edges.add(harm.endNanos);
        }
        List<Period> found = new ArrayList<>();
        long goodSince = within.startNanos();
        for (long edge : edges.subSet(within.startNanos(), within.endNanos())) {
            if (isWorse(edge, out, workers)) {
                add(found, goodSince, edge);
                Long next = edges.higher(edge);
                goodSince = (next == null ? within.endNanos() : Math.min(next, within.endNanos())) + AFTERMATH_NANOS;
            }
        }
        add(found, goodSince, within.endNanos());
        return found;
    }

    private static void add(List<Period> found, long startNanos, long endNanos) {
        if (endNanos > startNanos) {
            found.add(new Period(startNanos, endNanos));
        }
    }

    private boolean isWorse(long nanos, int out, Collection<Integer> workers) {
        for (int worker : workers) {
            Set<Integer> missing = new HashSet<>();
            for (Harm harm : harms) {
                if (harm.startNanos <= nanos && nanos < harm.endNanos && harm.workers.contains(worker)) {
                    missing.addAll(harm.nodes);
                }
            }
            if (missing.size() > out) {
                return true;
            }
        }
        return false;
    }
}
