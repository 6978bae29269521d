package io.holdfast.zookeeper.line;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.LockKind;
import io.holdfast.spi.Claim;
import io.holdfast.spi.ClaimId;
import io.holdfast.spi.Resource;
import java.math.BigInteger;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Who holds follows from the children and their order, and from nothing else. */
class LineTest {
    private int count;

    private Member member(int weight, int capacity) {
        return member(weight, capacity, ++count);
    }

    private static Member member(int weight, int capacity, int number) {
        String node = "client." + Integer.toUnsignedString(number) + ',' + weight + ',' + capacity + ",1,_"
                + String.format("%010d", number);
        return Member.read(node).orElseThrow();
    }

    private static List<Integer> holders(List<Member> members, boolean latch) {
        Line line = Line.of(members, latch);
        return line.holders().map(members::indexOf).toList();
    }

    private static List<Integer> waiting(List<Member> members, boolean latch) {
        return Line.of(members, latch).waiting().map(members::indexOf).toList();
    }

    @Test
    void name_ofAClaim_isReadBack() {
        Resource resource = new Resource(LockKind.SEMAPHORE, "a/b %", 7);
        Claim claim = Claim.builder(new ClaimId("clïent,.x", Long.MAX_VALUE), resource, Duration.ofSeconds(1))
                .weight(3)
                .tokens(256)
                .build();
        String node = Member.nameOf(claim) + "0000000042";
        assertThat(node).doesNotContain("/").doesNotContain("ï");
        assertThat(Member.read(node)).contains(new Member(claim.id(), 3, 7, 256, 42, node));
    }

    @Test
    void name_ofSomebodyElse_isNotRead() {
        for (String node : List.of(
                "",
                "lock-0000000001",
                "c.1,1,1,1,_",
                "c.1,1,1,1,_0000000001x",
                "c.1,99999999999,1,1,_0000000001",
                "c.1,1,1,1,_9999999999",
                "c.99999999999999999999,1,1,1,_0000000001",
                "%zz.1,1,1,1,_0000000001",
                "_c_0b-lock-0000000001")) {
            assertThat(Member.read(node)).as(node).isEmpty();
        }
    }

    /** Names that are almost ours, against the same rule as a pattern. */
    @Test
    void name_changedAtRandom_isReadAsThePatternSays() {
        Pattern pattern = Pattern.compile("([A-Za-z0-9_:@+=~%-]+)\\.([0-9]{1,19}),([0-9]{1,10}),([0-9]{1,10}),"
                + "([0-9]{1,10}),_(-?[0-9]{1,10})");
        String signs = "0129-,._+ /c\u0663";
        Random random = new Random(7);
        int ours = 0;
        for (int round = 0; round < 20_000; round++) {
            StringBuilder node = new StringBuilder("cl-1.17,1,3,256,_0000000042");
            for (int change = random.nextInt(3); change > 0; change--) {
                int at = random.nextInt(node.length());
                String sign = String.valueOf(signs.charAt(random.nextInt(signs.length())));
                node.replace(at, at + random.nextInt(2), random.nextInt(4) == 0 ? sign.repeat(12) : sign);
            }
            Matcher name = pattern.matcher(node);
            Optional<Member> read = Member.read(node.toString());
            if (read.isPresent()) {
                Member member = read.get();
                assertThat(name.matches()).as(node.toString()).isTrue();
                assertThat(member.claim()).isEqualTo(new ClaimId(name.group(1), Long.parseLong(name.group(2))));
                assertThat(List.of(member.weight(), member.capacity(), member.tokens(), member.number()))
                        .containsExactly(
                                Integer.parseInt(name.group(3)),
                                Integer.parseInt(name.group(4)),
                                Integer.parseInt(name.group(5)),
                                Integer.parseInt(name.group(6)));
                ours++;
            } else if (name.matches()) {
                assertThat(new BigInteger(name.group(2)).bitLength() > 63
                                || Stream.of(3, 4, 5, 6)
                                        .anyMatch(group -> new BigInteger(name.group(group)).bitLength() > 31))
                        .as(node.toString())
                        .isTrue();
            }
        }
        assertThat(ours).isBetween(2_000, 18_000);
    }

    @Test
    void inOrder_counterWrapsAround_theOlderComesFirst() {
        List<Member> members = new ArrayList<>();
        for (int number = Integer.MAX_VALUE - 3; number != Integer.MIN_VALUE + 4; number++) {
            members.add(member(1, 1, number));
        }
        List<Member> shuffled = new ArrayList<>(members);
        for (int seed = 0; seed < 20; seed++) {
            Collections.shuffle(shuffled, new Random(seed));
            assertThat(Member.inOrder(shuffled)).isEqualTo(members);
        }
    }

    @Test
    void mutex_theFirstHolds() {
        List<Member> members = List.of(member(1, 1), member(1, 1), member(1, 1));
        assertThat(holders(members, false)).containsExactly(0);
        assertThat(waiting(members, false)).containsExactly(1, 2);
        Line line = Line.of(members, false);
        assertThat(line.holds(members.get(0).node())).isTrue();
        assertThat(line.holds(members.get(1).node())).isFalse();
        assertThat(line.holds("nobody")).isFalse();
        assertThat(line.place(members.get(2).node())).isEqualTo(2);
        assertThat(line.before(members.get(2).node())).contains(members.get(1));
        assertThat(line.before(members.get(0).node())).isEmpty();
        assertThat(line.admits(1, 1)).isFalse();
    }

    @Test
    void semaphore_theLongestPrefixThatFits_holds() {
        List<Member> members = List.of(member(2, 5), member(3, 5), member(1, 5));
        assertThat(holders(members, false)).containsExactly(0, 1);
        members = List.of(member(2, 5), member(4, 5), member(1, 5));
        assertThat(holders(members, false)).as("nobody overtakes").containsExactly(0);
        assertThat(Line.of(members, false).admits(1, 5)).isFalse();
        assertThat(Line.of(List.of(member(2, 5)), false).admits(3, 5)).isTrue();
        assertThat(Line.of(List.of(member(2, 5)), false).admits(4, 5)).isFalse();
    }

    @Test
    void weights_greaterThanAnInteger_doNotFit() {
        int all = Integer.MAX_VALUE;
        assertThat(holders(List.of(member(all, all), member(all, all)), false)).containsExactly(0);
    }

    @Test
    void capacity_another_endsThePrefix() {
        List<Member> members = List.of(member(1, 9), member(1, 3), member(1, 9));
        assertThat(holders(members, false)).containsExactly(0);
        Line line = Line.of(members, false);
        assertThat(line.contradicts(3)).isTrue();
        assertThat(line.contradicts(9)).isFalse();
        assertThat(Line.of(List.of(), false).contradicts(3)).isFalse();
    }

    @Test
    void latch_full_letsAllThrough() {
        List<Member> members = List.of(member(0, 2), member(1, 2), member(0, 2));
        assertThat(holders(members, true)).as("arrivals only").containsExactly(1);
        assertThat(waiting(members, true)).containsExactly(0, 2);
        assertThat(Line.of(members, true).admits(1, 2)).isTrue();
        assertThat(Line.of(members, true).admits(0, 2)).isFalse();

        members = List.of(member(0, 2), member(1, 2), member(1, 2), member(1, 2), member(0, 2));
        assertThat(holders(members, true)).containsExactly(0, 1, 2, 4);
        assertThat(waiting(members, true)).as("one too many does not wait").isEmpty();
        assertThat(Line.of(members, true).admits(1, 2)).isFalse();
        assertThat(Line.of(members, true).admits(0, 2)).isTrue();
    }

    /** Whoever holds goes on holding whatever others do, and never more than the capacity hold. */
    @Test
    void holding_othersComeAndGo_lastsUntilOneLeaves() {
        Random random = new Random(1);
        for (int round = 0; round < 300; round++) {
            int capacity = 1 + random.nextInt(4);
            List<Member> members = new ArrayList<>();
            for (int step = 0; step < 60; step++) {
                Line before = Line.of(members, false);
                List<Member> held = before.holders().toList();
                Member gone = null;
                if (members.isEmpty() || random.nextInt(5) < 3) {
                    members.add(member(1 + random.nextInt(capacity), capacity));
                } else {
                    gone = members.remove(random.nextInt(members.size()));
                }
                Line after = Line.of(members, false);
                for (Member each : held) {
                    assertThat(each.equals(gone) || after.holds(each.node())).isTrue();
                }
                assertThat(after.holders().mapToInt(Member::weight).sum()).isLessThanOrEqualTo(capacity);
            }
        }
    }
}
