package io.holdfast.quorum;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.Lease;
import io.holdfast.LockClient;
import io.holdfast.LockOptions;
import io.holdfast.memory.MemoryStore;
import io.holdfast.spi.LockBackend;
import io.holdfast.testing.ForwardingBackend;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What a quorum takes over from the stores that it is made of, and which of them it refuses. */
class QuorumOverTest {

    private static LockBackend member() {
        return new MemoryStore().connect();
    }

    private static LockBackend member(Duration longestLease) {
        return new ForwardingBackend(member()) {
            @Override
            public Optional<Duration> longestLease() {
                return Optional.of(longestLease);
            }
        };
    }

    @Test
    void over_tokensOfAMemberCannotBeRaised_refusedWithASentence() {
        LockBackend numbered = new ForwardingBackend(member()) {
            @Override
            public boolean raisesTokens() {
                return false;
            }

            @Override
            public String toString() {
                return "revisions";
            }
        };
        assertThatThrownBy(() -> QuorumLocks.over(List.of(member(), numbered, member())))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(
                        "node 2, revisions, gives tokens that cannot be raised, so that a majority could never agree"
                                + " on one; use stores whose LockBackend.raisesTokens() is true, such as Redis");
    }

    @Test
    void over_membersHaveLongestLeases_noneIsAskedForMore() {
        List<LockBackend> members = List.of(member(Duration.ofSeconds(20)), member(), member(Duration.ofSeconds(10)));
        try (LockClient client = QuorumLocks.over(members)) {
            LockOptions fixed = LockOptions.defaults().fixedLease(Duration.ofSeconds(15));
            assertThatThrownBy(() -> client.lock("a", fixed))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("a lease of 15s for 'a' is longer than 10s");
            try (Lease lease = client.lock("a").acquire()) {
                assertThat(lease.remaining()).isBetween(Duration.ofMillis(1), Duration.ofSeconds(10));
            }
        }
    }
}
