package io.holdfast.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.DistributedLatch;
import io.holdfast.LockOptions;
import io.holdfast.LockRefusedException;
import io.holdfast.LockStoreException;
import io.holdfast.LockStoreUnfitException;
import io.holdfast.spi.AttemptResult;
import io.holdfast.spi.ClaimId;
import io.holdfast.spi.ResourceView;
import io.holdfast.spi.UnfitClaimException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** A latch is a resource that fills up. */
class LatchTest extends EngineFixture {
    private final DistributedLatch latch = engine.latch("boot", 3);

    @Test
    void countDown_arrival_oneClaimThatIsNeverGivenBack() {
        storeMayKeepClaims();

        latch.countDown();

        assertThat(backend.calls()).hasSize(1);
        assertThat(backend.claim(0).weight()).isOne();
        assertThat(backend.claim(0).waits()).isFalse();
        assertThat(backend.claim(0).lease()).isEqualTo(LockOptions.LONGEST_LEASE);
        assertThat(engine.leftovers()).isZero();
        engine.close();
        assertThat(backend.releases()).isEmpty();
    }

    @Test
    void countDown_replyLost_sameArrivalIsRepeated() {
        storeMayKeepClaims();
        backend.nextAttempt(ScriptedBackend.down());
        backend.nextAttempt(ScriptedBackend.down());

        latch.countDown();

        assertThat(backend.attempts()).hasSize(3).allMatch(call -> call.claim().equals(backend.claim(0)));
    }

    @Test
    void countDown_storeDown_saysThatNobodyKnows() {
        backend.attempts(ScriptedBackend.down());

        assertThatThrownBy(latch::countDown)
                .isInstanceOf(LockStoreException.class)
                .hasMessageContaining("'boot'")
                .hasMessageContaining("nobody knows")
                .satisfies(failure ->
                        assertThat(failure.getCause().getSuppressed()).hasSize(2));
    }

    @Test
    void countDown_askingAgainCannotHelp_oneTry() {
        backend.attempts(claim -> {
            throw new LockStoreUnfitException(
                    claim.resource().kind(), "boot", "no permission; ask for it", new IllegalStateException(), true);
        });

        assertThatThrownBy(latch::countDown)
                .isInstanceOfSatisfying(
                        LockStoreUnfitException.class,
                        failure -> assertThat(failure.isLasting()).isTrue())
                .hasMessageContaining("no permission; ask for it");
        assertThat(backend.attempts()).hasSize(1);
    }

    @Test
    void countDown_neverSent_saysWhy() {
        backend.attempts(claim -> {
            throw new UnfitClaimException(claim.resource(), "the name is too long for this store");
        });

        assertThatThrownBy(latch::countDown)
                .isInstanceOf(UnfitClaimException.class)
                .hasMessage("the name is too long for this store");
        assertThat(backend.attempts()).hasSize(1);
    }

    /** As long as closing waits for anybody. */
    @Test
    void clientClose_arrivalIsOnItsWay_waitsForIt() {
        storeMayKeepClaims();
        long beganNanos = runtime.nanoTime();
        backend.attempts(claim -> {
            engine.close();
            return grant(claim);
        });

        latch.countDown();

        assertThat(runtime.nanoTime() - beganNanos)
                .isGreaterThanOrEqualTo(seconds(5).toNanos());
    }

    @Test
    void countDown_latchIsOpen_nothing() {
        backend.attempts(ScriptedBackend.busy());

        latch.countDown();

        assertThat(backend.calls()).hasSize(1);
    }

    @Test
    void countDown_otherNumber_refused() {
        backend.attempts(claim -> new AttemptResult.Mismatched(5));

        assertThatThrownBy(latch::countDown)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("'boot'")
                .hasMessageContaining("5 arrivals, not 3");
    }

    @Test
    void countDown_storeRefuses_throws() {
        backend.attempts(claim -> new AttemptResult.Refused("restarted", seconds(4)));

        assertThatThrownBy(latch::countDown)
                .isInstanceOfSatisfying(
                        LockRefusedException.class,
                        refused -> assertThat(refused.retryAfter()).isEqualTo(seconds(4)));
    }

    @Test
    void count_someArrived_whatIsMissing() {
        assertThat(latch.count()).isEqualTo(3);
        backend.inspections(resource -> Optional.of(new ResourceView(
                resource,
                List.of(
                        new ResourceView.Holder(new ClaimId("x", 1), 1, 1, seconds(9), "x"),
                        new ResourceView.Holder(new ClaimId("y", 1), 1, 2, seconds(9), "y")),
                List.of())));

        assertThat(latch.count()).isOne();
    }

    @Test
    void await_opens_claimOfWeightZeroIsGivenBack() throws InterruptedException {
        latch.await();

        assertThat(backend.claim(0).weight()).isZero();
        assertThat(backend.releases()).hasSize(1);
    }

    @Test
    void await_bounded_falseWhenTheTimeIsUp() throws InterruptedException {
        backend.attempts(claim -> {
            runtime.jump(seconds(3));
            return new AttemptResult.Queued(1, seconds(9), true);
        });

        assertThat(latch.await(seconds(2))).isFalse();
        runtime.run();
        assertThat(backend.releases()).hasSize(1);
        backend.attempts(this::grant);
        assertThat(latch.await(Duration.ZERO)).isTrue();
    }

    @Test
    void awaitAsync_opens_completesAndGivesBack() {
        backend.attempts(ScriptedBackend.queued(1, seconds(9)));
        CompletableFuture<Void> opened = latch.awaitAsync();
        runtime.run();
        assertThat(opened).isNotDone();

        push(backend.claim(0), seconds(3));

        assertThat(opened).isCompleted();
        assertThat(backend.releases()).hasSize(1);
    }

    @Test
    void awaitAsync_cancelled_leavesTheLine() {
        backend.attempts(ScriptedBackend.queued(1, seconds(9)));
        CompletableFuture<Void> opened = latch.awaitAsync();
        runtime.run();

        opened.cancel(false);
        runtime.run();

        assertThat(backend.releases()).hasSize(1);
        assertThat(engine.leftovers()).isZero();
    }
}
