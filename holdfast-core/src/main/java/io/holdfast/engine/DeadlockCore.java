package io.holdfast.engine;

import io.holdfast.spi.WaitRecord;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Owners that wait for each other, and what makes each wait for the next. Two looks saw the same core if the
 * {@link #signature()} is the same: no wait and no claim is ever there twice, so all of it was there in between.
 *
 * @param nodes who is in it
 * @param edges who waits for whom
 */
record DeadlockCore(List<DeadlockNode> nodes, List<Edge> edges) {

    /**
     * One waits for another.
     *
     * @param from who waits
     * @param suspect the wait
     * @param to for whom
     * @param hold what that one holds; null if it only stands before the other in the line
     * @param soft whether a claim of which only the store knows stands in between
     */
    record Edge(
            DeadlockNode from,
            WaitRecord.Suspect suspect,
            DeadlockNode to,
            WaitRecord.@Nullable Hold hold,
            boolean soft) {

        private String text() {
            String waiting = suspect.claim().client() + ":" + suspect.serial() + ":" + suspect.claim();
            return hold == null
                    ? waiting + " behind " + to.owner()
                    : waiting + " for " + hold.claim() + ":" + hold.token();
        }
    }

    static DeadlockCore of(Set<DeadlockNode> part, Collection<List<Edge>> edges) {
        return new DeadlockCore(
                List.copyOf(part), edges.stream().flatMap(List::stream).toList());
    }

    /** What must be the same in each look. */
    Set<String> signature() {
        return edges.stream().map(Edge::text).collect(Collectors.toCollection(TreeSet::new));
    }

    /** The clients whose owners wait in it. */
    Set<String> clients() {
        return nodes.stream().map(node -> node.owner().client()).collect(Collectors.toCollection(LinkedHashSet::new));
    }

    /** Whether nobody but its members can end it. */
    boolean isCertain() {
        return edges.stream().allMatch(edge -> edge.hold == null || edge.hold.certain());
    }

    /** Whether it rests on a claim in a line of which nothing is known but that. */
    boolean isSoft() {
        return edges.stream().anyMatch(Edge::soft);
    }

    Stream<WaitRecord.Suspect> waits() {
        return nodes.stream().flatMap(node -> node.waits().stream());
    }

    /** When it ends by itself, by the wall clock, or empty. */
    Optional<Long> endMillis() {
        LongStream waits = waits().mapToLong(WaitRecord.Suspect::untilMillis);
        LongStream holds = edges.stream().mapToLong(edge -> edge.hold == null ? 0 : edge.hold.untilMillis());
        return LongStream.concat(waits, holds).filter(end -> end > 0).boxed().min(Comparator.naturalOrder());
    }

    /** The youngest wait of those that would rather fail, if the core is certain. Every client names the same one. */
    Optional<WaitRecord.Suspect> victim() {
        return isCertain()
                ? waits().filter(WaitRecord.Suspect::fails)
                        .max(Comparator.comparingLong(WaitRecord.Suspect::sinceMillis)
                                .thenComparing(wait -> wait.claim().toString())
                                .thenComparingLong(WaitRecord.Suspect::serial))
                : Optional.empty();
    }

    /** What a member holds that keeps others in it, or itself, waiting. */
    List<WaitRecord.Hold> wanted(DeadlockNode member) {
        return edges.stream()
                .filter(edge -> edge.to == member)
                .map(Edge::hold)
                .filter(hold -> hold != null)
                .distinct()
                .toList();
    }
}
