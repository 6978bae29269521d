package io.holdfast.zookeeper.line;

import io.holdfast.spi.ClaimId;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * The claims of one resource in the order in which they came, and who of them holds.
 *
 * <p><b>Who holds.</b> The first, and those behind it as long as their weights fit its capacity together: the longest
 * prefix. Nobody writes down that something is granted, so nothing can be granted twice, and nothing forgotten. Whoever
 * holds once holds until it leaves: those that come stand behind it, and those that leave make room.
 *
 * <p><b>A latch</b> counts arrivals, in their order, until it is full; claims of weight zero hold as soon as it is, and
 * are in nobody's way.
 *
 * <p><b>Capacities.</b> That of the first counts. A claim with another one ends the prefix: it will leave by itself,
 * and until then nobody behind it gets in.
 */
public final class Line {
    private final List<Member> members;
    private final boolean latch;
    private final int used;
    private final int prefix;

    private Line(List<Member> members, boolean latch) {
        this.members = members;
        this.latch = latch;
        int sum = 0;
        int end = 0;
        while (end < members.size() && fits(members.get(end), sum)) {
            sum += members.get(end).weight();
            end++;
        }
        this.used = sum;
        this.prefix = end;
    }

    /**
     * Members of a line.
     *
     * @param members in the order in which they came
     * @param latch whether they arrive at a latch, or wait for it
     */
    public static Line of(List<Member> members, boolean latch) {
        return new Line(List.copyOf(members), latch);
    }

    /** Weights are positive integers, so their sum may not fit into one. */
    private boolean fits(Member member, int sum) {
        return member.capacity() == capacity() && (long) sum + member.weight() <= capacity();
    }

    public boolean isEmpty() {
        return members.isEmpty();
    }

    /** The capacity of the first, which must exist. */
    public int capacity() {
        return members.get(0).capacity();
    }

    /** Whether a claim that believes in a capacity cannot stand here. */
    public boolean contradicts(int capacity) {
        return !isEmpty() && capacity() != capacity;
    }

    private boolean isFull() {
        return !isEmpty() && used == capacity();
    }

    private boolean holds(int index) {
        Member member = members.get(index);
        return member.weight() == 0 ? isFull() && member.capacity() == capacity() : index < prefix;
    }

    private IntStream indices() {
        return IntStream.range(0, members.size());
    }

    /** Where a node stands; behind the last if it does not. */
    private int indexOf(String node) {
        for (int index = 0; index < members.size(); index++) {
            if (members.get(index).node().equals(node)) {
                return index;
            }
        }
        return members.size();
    }

    public boolean has(String node) {
        return indexOf(node) < members.size();
    }

    /** Every node of a claim: one, or more while it is not clear whether the first was made. */
    public List<Member> of(ClaimId claim) {
        return members.stream().filter(member -> member.claim().equals(claim)).toList();
    }

    /** The number of a node, which must stand here. */
    public int number(String node) {
        return members.get(indexOf(node)).number();
    }

    public boolean holds(String node) {
        int index = indexOf(node);
        return index < members.size() && holds(index);
    }

    /** Whether a claim would hold that came now. */
    public boolean admits(int weight, int capacity) {
        if (latch && weight == 0) {
            return isFull();
        }
        boolean nobodyWaits = prefix == members.size();
        return (latch || nobodyWaits) && (long) used + weight <= capacity;
    }

    public Stream<Member> holders() {
        return indices().filter(this::holds).mapToObj(members::get);
    }

    /** Arrivals that found a latch full are about to leave; they do not wait. */
    public Stream<Member> waiting() {
        return indices().filter(this::waits).mapToObj(members::get);
    }

    private boolean waits(int index) {
        return !holds(index) && (!latch || members.get(index).weight() == 0);
    }

    /** How many wait before a node that waits, itself included. */
    public int place(String node) {
        int place = 1;
        int end = indexOf(node);
        for (int index = 0; index < end; index++) {
            place += waits(index) ? 1 : 0;
        }
        return place;
    }

    /** Whoever stands right before a node. */
    public Optional<Member> before(String node) {
        int index = indexOf(node);
        return index > 0 && index < members.size() ? Optional.of(members.get(index - 1)) : Optional.empty();
    }
}
