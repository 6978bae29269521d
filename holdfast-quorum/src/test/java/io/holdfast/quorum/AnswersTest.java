package io.holdfast.quorum;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.LockKind;
import io.holdfast.memory.MemoryStore;
import io.holdfast.quorum.QuorumClaim.State;
import io.holdfast.spi.AttemptResult;
import io.holdfast.spi.BackendListener;
import io.holdfast.spi.Claim;
import io.holdfast.spi.ClaimId;
import io.holdfast.spi.LockBackend;
import io.holdfast.spi.Resource;
import io.holdfast.spi.TimeSource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * Every answer is received, even if a member cannot be asked for lack of memory: an unread answer blocks a connection.
 */
class AnswersTest {
    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final Claim CLAIM = Claim.builder(
                    new ClaimId("client", 1), new Resource(LockKind.LOCK, "a", 1), SECOND)
            .label("me")
            .build();

    private final List<Integer> taken = new ArrayList<>();
    private int starving;
    private final Members members =
            new Members(IntStream.range(0, 3).mapToObj(this::member).toList(), TimeSource.system());
    private final QuorumClaim quorumClaim = new QuorumClaim(CLAIM, 3, System.nanoTime());
    private final Releases releases = new Releases(members, SECOND);

    /** Each request is a task. All answers are there at once, and the third member cannot be asked. */
    private Member member(int index) {
        LockBackend backend = new MemoryStore().connect();
        backend.start("client", new BackendListener() {
            @Override
            public void granted(ClaimId claim, long token, Duration left, long startNanos) {}

            @Override
            public void served(ClaimId claim) {}

            @Override
            public void changed(Resource resource) {}

            @Override
            public void missed() {}
        });
        Executor executor = task -> {
            if (index == starving) {
                throw new OutOfMemoryError("a test says so");
            }
            task.run();
        };
        return new Member(index, "node " + index, backend, SECOND, executor, TimeSource.system());
    }

    @Test
    void close_oneFails_theOthersAreTaken() {
        Answers answers = new Answers();
        answers.add(() -> taken.add(1));
        answers.add(() -> {
            throw new OutOfMemoryError("first");
        });
        answers.add(() -> {
            throw new IllegalStateException("second");
        });
        answers.add(() -> taken.add(4));
        assertThatThrownBy(answers::close)
                .isInstanceOf(OutOfMemoryError.class)
                .hasMessage("first")
                .satisfies(failure -> assertThat(failure.getSuppressed()).hasSize(1));
        assertThat(taken).containsExactly(1, 4);
    }

    @Test
    void attempt_aMemberCannotBeAskedForLackOfMemory_theOthersAnswersAreTaken() {
        starving = 2;
        Voting voting = new Voting(members, new MemberIds(), releases, SECOND, new Counters());
        assertThatThrownBy(() -> voting.attempt(quorumClaim, CLAIM, System.nanoTime() + SECOND.toNanos()))
                .isInstanceOf(OutOfMemoryError.class);
        assertThat(IntStream.range(0, 3).mapToObj(quorumClaim::state))
                .containsExactly(State.HELD, State.HELD, State.ASKED);
    }

    @Test
    void release_aMemberCannotBeAskedForLackOfMemory_theOthersAnswersAreTaken() {
        starving = -1;
        Voting voting = new Voting(members, new MemberIds(), releases, SECOND, new Counters());
        assertThat(voting.attempt(quorumClaim, CLAIM, System.nanoTime() + SECOND.toNanos()))
                .isInstanceOf(AttemptResult.Granted.class);
        starving = 0;
        assertThatThrownBy(() -> releases.end(quorumClaim, member -> true)).isInstanceOf(OutOfMemoryError.class);
        assertThat(IntStream.range(0, 3).mapToObj(quorumClaim::state))
                .containsExactly(State.HELD, State.NOTHING, State.NOTHING);
    }
}
