package io.holdfast.zookeeper.line;

import io.holdfast.spi.Claim;
import io.holdfast.spi.ClaimId;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

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
    private static final Pattern NAME =
            Pattern.compile("([^,/]+)\\.([0-9]{1,19}),([0-9]{1,10}),([0-9]{1,10}),([0-9]{1,10}),_(-?[0-9]{1,10})");

    private static final int CLIENT = 1;
    private static final int SEQUENCE = 2;
    private static final int WEIGHT = 3;
    private static final int CAPACITY = 4;
    private static final int TOKENS = 5;
    private static final int NUMBER = 6;

    /** How the name of a claim's node begins; the store appends the number. */
    public static String nameOf(Claim claim) {
        return beginning(claim.id()) + claim.weight() + ',' + claim.resource().capacity() + ',' + claim.tokens() + ",_";
    }

    private static String beginning(ClaimId id) {
        return Encoding.encode(id.client()) + '.' + id.sequence() + ',';
    }

    /** Reads a name; empty if it is not one of ours. */
    public static Optional<Member> read(String node) {
        Matcher name = NAME.matcher(node);
        if (!name.matches()) {
            return Optional.empty();
        }
        try {
            return Optional.of(new Member(
                    new ClaimId(Encoding.decode(name.group(CLIENT)), Long.parseLong(name.group(SEQUENCE))),
                    Integer.parseInt(name.group(WEIGHT)),
                    Integer.parseInt(name.group(CAPACITY)),
                    Integer.parseInt(name.group(TOKENS)),
                    Integer.parseInt(name.group(NUMBER)),
                    node));
        } catch (IllegalArgumentException tooLarge) {
            return Optional.empty();
        }
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
        return members.stream()
                .sorted(Comparator.comparingInt((Member member) -> member.number - any))
                .toList();
    }
}
