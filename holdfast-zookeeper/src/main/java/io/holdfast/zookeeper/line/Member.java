package io.holdfast.zookeeper.line;

import io.holdfast.spi.Claim;
import io.holdfast.spi.ClaimId;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * One claim that stands in a line, as its node's name tells:
 * {@code <client>.<sequence>,<weight>,<capacity>,<tokens>,_<n>}.
 *
 * @param claim whose it is
 * @param weight how much of the capacity it wants; zero waits for a full one
 * @param capacity what its client believes the capacity to be
 * @param tokens how many tokens it reserves
 * @param number where it stands, by a counter of 32 bits that may wrap around
 * @param node the whole name
 */
public record Member(ClaimId claim, int weight, int capacity, int tokens, int number, String node) {
    private static final String LAST = ",_";
    private static final int LONG_DIGITS = 19;
    private static final int INT_DIGITS = 10;
    private static final int DECIMAL = 10;

    /** How the name of a claim's node begins; the store appends the number. */
    public static String nameOf(Claim claim) {
        return beginning(claim.id()) + claim.weight() + ',' + claim.resource().capacity() + ',' + claim.tokens() + LAST;
    }

    private static String beginning(ClaimId id) {
        return Encoding.encode(id.client()) + '.' + id.sequence() + ',';
    }

    /** Reads a name; empty if it is not one of ours. Done for every node of every list, so without a pattern. */
    public static Optional<Member> read(String node) {
        int last = node.lastIndexOf(LAST);
        int third = node.lastIndexOf(',', last - 1);
        int second = node.lastIndexOf(',', third - 1);
        int first = node.lastIndexOf(',', second - 1);
        int dot = node.lastIndexOf('.', first - 1);
        if (dot <= 0) {
            return Optional.empty(); // one of them is missing
        }
        try {
            return Optional.of(new Member(
                    new ClaimId(Encoding.decode(node.substring(0, dot)), digits(node, dot + 1, first, LONG_DIGITS)),
                    integer(node, first + 1, second),
                    integer(node, second + 1, third),
                    integer(node, third + 1, last),
                    number(node, last + LAST.length()),
                    node));
        } catch (IllegalArgumentException | ArithmeticException foreign) {
            return Optional.empty();
        }
    }

    /** Nothing but digits of ASCII, and not too many. */
    private static long digits(String node, int from, int to, int most) {
        if (from >= to || to - from > most) {
            throw new IllegalArgumentException(node);
        }
        long value = 0;
        for (int i = from; i < to; i++) {
            int digit = node.charAt(i) - '0';
            if (digit < 0 || digit >= DECIMAL) {
                throw new IllegalArgumentException(node);
            }
            value = Math.addExact(Math.multiplyExact(value, DECIMAL), digit);
        }
        return value;
    }

    private static int integer(String node, int from, int to) {
        return Math.toIntExact(digits(node, from, to, INT_DIGITS));
    }

    private static int number(String node, int from) {
        boolean negative = from < node.length() && node.charAt(from) == '-';
        return negative
                ? Math.toIntExact(-digits(node, from + 1, node.length(), INT_DIGITS))
                : integer(node, from, node.length());
    }

    /**
     * Sorts by number, those that came first first. Numbers are compared by difference, so that the order survives a
     * counter that wraps around; those of one line are far closer together than half of its range.
     */
    public static List<Member> inOrder(List<Member> members) {
        if (members.size() < 2) {
            return members;
        }
        int any = members.get(0).number;
        List<Member> sorted = new ArrayList<>(members);
        sorted.sort(Comparator.comparingInt((Member member) -> member.number - any));
        return sorted;
    }
}
