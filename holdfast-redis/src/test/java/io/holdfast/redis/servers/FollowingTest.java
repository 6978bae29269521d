package io.holdfast.redis.servers;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class FollowingTest {
    private static final long SECOND = 1_000_000_000L;
    private static final long WRITTEN = -3 * SECOND;

    private final Following following = new Following();

    @Test
    void noReplicasWanted_everythingCounts() {
        assertThat(following.counts(WRITTEN)).isTrue();
        following.use();
        assertThat(following.isDue(WRITTEN)).isFalse();
    }

    @Test
    void wanted_countsForTwelveSecondsAfterTheWrite() {
        following.want(2);
        assertThat(following.counts(WRITTEN)).as("never proven").isFalse();
        following.followed(1, WRITTEN);
        assertThat(following.counts(WRITTEN)).as("by too few").isFalse();

        following.followed(2, WRITTEN);

        assertThat(following.counts(WRITTEN + 12 * SECOND - 1)).isTrue();
        assertThat(following.counts(WRITTEN + 12 * SECOND)).isFalse();
    }

    @Test
    void olderProofThatComesLater_changesNothing() {
        following.want(1);
        following.followed(1, WRITTEN);

        following.followed(1, WRITTEN - SECOND);

        assertThat(following.counts(WRITTEN + 12 * SECOND - 1)).isTrue();
    }

    @Test
    void due_onlyWhenUsedSinceTheProof_andLongBeforeItEnds() {
        following.want(1);
        following.followed(1, WRITTEN);
        assertThat(following.isDue(WRITTEN + 100 * SECOND)).as("nobody uses it").isFalse();

        following.use();

        assertThat(following.isDue(WRITTEN + 4 * SECOND)).isFalse();
        assertThat(following.isDue(WRITTEN + 4 * SECOND + 1)).isTrue();
        following.followed(1, WRITTEN + 5 * SECOND);
        assertThat(following.isDue(WRITTEN + 100 * SECOND)).isFalse();
    }
}
