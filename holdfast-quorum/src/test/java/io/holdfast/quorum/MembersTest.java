package io.holdfast.quorum;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.LockKind;
import io.holdfast.memory.MemoryStore;
import io.holdfast.spi.Claim;
import io.holdfast.spi.ClaimId;
import io.holdfast.spi.Resource;
import io.holdfast.spi.TimeSource;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** How many members have to agree, who leads, and what they call a claim. */
class MembersTest {
    private static Members members(int number) {
        return new Members(
                IntStream.range(0, number)
                        .mapToObj(i -> new Member(
                                i,
                                "node " + i,
                                new MemoryStore().connect(),
                                Duration.ofSeconds(1),
                                Runnable::run,
                                TimeSource.system()))
                        .toList(),
                TimeSource.system());
    }

    private static int needed(int members, LockKind kind, int capacity) {
        return members(members).needed(new Resource(kind, "a", capacity));
    }

    @Test
    void needed_whereClaimsExcludeEachOther_isAMajority() {
        for (int members : new int[] {3, 5, 7, 9}) {
            int majority = members / 2 + 1;
            assertThat(needed(members, LockKind.LOCK, 1)).isEqualTo(majority);
            assertThat(needed(members, LockKind.ELECTION, 1)).isEqualTo(majority);
            assertThat(needed(members, LockKind.READ_WRITE, Resource.ALL_READERS))
                    .isEqualTo(majority);
            assertThat(needed(members, LockKind.LATCH, 12)).isEqualTo(majority);
            assertThat(needed(members, LockKind.SEMAPHORE, 1)).isEqualTo(majority);
        }
    }

    /** Each member admits k. However the claims are spread, no more than k of them may find enough members. */
    @Test
    void needed_semaphore_neverAdmitsOneTooMany() {
        for (int members : new int[] {3, 5, 7, 9}) {
            for (int permits = 1; permits <= 100; permits++) {
                int needed = needed(members, LockKind.SEMAPHORE, permits);
                assertThat(needed).isLessThanOrEqualTo(members);
                assertThat(members * permits / needed)
                        .as("%s permits on %s members", permits, members)
                        .isLessThanOrEqualTo(permits);
                assertThat(members * permits / (needed - 1))
                        .as("one fewer would be too few")
                        .isGreaterThan(permits);
            }
        }
    }

    @Test
    void leader_firstThatAnswers() {
        Members members = members(3);
        assertThat(members.leader(0).index()).isZero();
        members.get(0).failed(new IllegalStateException("down"));
        assertThat(members.leader(0).index()).isOne();
        assertThat(members.canSpare(members.get(0), 2)).isTrue();
        members.get(1).failed(new IllegalStateException("down"));
        assertThat(members.leader(0).index()).isEqualTo(2);
        assertThat(members.canSpare(members.get(0), 2))
                .as("with too few others it is asked all the same")
                .isFalse();
        assertThat(members.canSpare(members.get(2), 2)).as("it is up").isFalse();
    }

    @Test
    void names_ofOneClaim_areNewEachTimeAndTellTheClaim() {
        MemberIds ids = new MemberIds();
        Claim claim = Claim.builder(
                        new ClaimId("client", 123_456_789), new Resource(LockKind.LOCK, "a", 1), Duration.ofSeconds(1))
                .waits(true)
                .label("me")
                .build();
        Set<ClaimId> names = new HashSet<>();
        for (int round = 0; round < 50_000; round++) {
            ClaimId name = ids.next(claim);
            assertThat(names.add(name)).isTrue();
            assertThat(MemberIds.claimOf(name)).isEqualTo(claim.id());
        }
    }

    /** An arrival counts once however often it is repeated, so it has one name. */
    @Test
    void names_ofAnArrival_areOne() {
        MemberIds ids = new MemberIds();
        Claim arrival = Claim.builder(
                        new ClaimId("client", 7), new Resource(LockKind.LATCH, "a", 3), Duration.ofSeconds(1))
                .label("me")
                .build();
        assertThat(ids.next(arrival)).isEqualTo(ids.next(arrival));
        assertThat(MemberIds.claimOf(ids.next(arrival))).isEqualTo(arrival.id());
    }

    @Test
    void proposals_learnFromVotesThatDidNotAgree() {
        Proposals proposals = new Proposals(members(3));
        long nowMicros = System.currentTimeMillis() * 1_000;
        assertThat(proposals.next()).isGreaterThan(nowMicros);
        long slack = proposals.slackMicros();

        proposals.learn(1_000, 31_000, false);
        assertThat(proposals.slackMicros()).isEqualTo(slack + 60_000);
        proposals.learn(1_000, 31_000, true);
        assertThat(proposals.slackMicros()).as("agreed").isBetween(slack + 59_000, slack + 60_000);
        proposals.learn(1_000, 3_600_000_000L, false);
        assertThat(proposals.slackMicros()).as("a clock that is an hour off").isLessThan(slack + 60_000);
        for (int i = 0; i < 5_000; i++) {
            proposals.learn(1_000, 900, true);
        }
        assertThat(proposals.slackMicros()).isEqualTo(slack);
    }
}
