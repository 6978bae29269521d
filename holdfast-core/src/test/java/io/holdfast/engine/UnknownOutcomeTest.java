package io.holdfast.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;

import io.holdfast.Lease;
import io.holdfast.LockKind;
import io.holdfast.LockStoreException;
import io.holdfast.spi.AttemptResult;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** An attempt that throws says nothing about what the store made of it. */
class UnknownOutcomeTest extends EngineFixture {
    private static final Duration FIRST_RETRY = millis(50);
    private static final Duration SECOND_RETRY = millis(100);

    // ---- asked again

    @Test
    void attempt_throwsOnce_sameClaimIsAskedAgain() {
        down(1);
        CompletableFuture<Lease> future = waiting(lock());
        assertThat(backend.attempts()).hasSize(1);

        runtime.advance(FIRST_RETRY.minusNanos(1));
        assertThat(backend.attempts()).hasSize(1);
        runtime.advance(Duration.ofNanos(1));

        assertThat(future).isCompleted();
        assertThat(backend.attempts()).hasSize(2);
        assertThat(backend.claim(1)).isEqualTo(backend.claim(0));
    }

    @Test
    void attempt_throwsTwice_askedAgainAfterALongerPause() {
        down(2);
        CompletableFuture<Lease> future = waiting(lock());

        runtime.advance(FIRST_RETRY);
        assertThat(backend.attempts()).hasSize(2);
        runtime.advance(SECOND_RETRY.minusNanos(1));
        assertThat(backend.attempts()).hasSize(2);
        runtime.advance(Duration.ofNanos(1));

        assertThat(future).isCompleted();
        assertThat(backend.claim(2)).isEqualTo(backend.claim(0));
    }

    @Test
    void attempt_answersInBetween_countBeginsAnew() {
        down(2);
        backend.nextAttempt(ScriptedBackend.queued(1, seconds(1)));
        down(2);

        CompletableFuture<Lease> future = waiting(lock());
        runtime.advance(seconds(5));

        assertThat(future).isCompleted();
        assertThat(backend.attempts()).hasSize(6);
        assertThat(backend.attempts()).allMatch(call -> call.claim().equals(backend.claim(0)));
    }

    @Test
    void attempt_throwsAfterTheDeadlineOfTheWait_notAskedAgain() throws InterruptedException {
        down(1);

        assertThatThrownBy(() -> lock().tryAcquire(millis(50))).isInstanceOf(LockStoreException.class);

        assertThat(backend.attempts()).hasSize(1);
        runtime.advance(seconds(10));
        assertSettled(backend.claim(0), backend.attempts().get(0).atNanos());
    }

    // ---- given up

    @Test
    void attempt_throwsThreeTimes_everybodyHearsOfIt() {
        down(3);
        List<CompletableFuture<Lease>> all =
                List.of(lock().acquireAsync(), lock().acquireAsync(), lock().acquireAsync());

        runtime.advance(seconds(1));

        assertThat(backend.attempts()).hasSize(3);
        List<Throwable> failures = all.stream()
                .map(each -> catchThrowable(each::join))
                .map(Throwable::getCause)
                .toList();
        assertThat(failures)
                .hasSize(3)
                .doesNotHaveDuplicates()
                .allSatisfy(failure -> assertThat(failure)
                        .isInstanceOf(LockStoreException.class)
                        .hasMessageContaining("'a'")
                        .hasMessageContaining("3 tries")
                        .hasMessageContaining("connection reset")
                        .hasCauseInstanceOf(IllegalStateException.class));
    }

    /** Stack traces of callers must not mix. */
    @Test
    void attempt_throwsALockException_everybodyGetsAnExceptionOfItsOwn() {
        LockStoreException trouble = new LockStoreException(LockKind.LOCK, "a", "no master", null);
        backend.attempts(claim -> {
            throw trouble;
        });
        List<CompletableFuture<Lease>> all =
                List.of(lock().acquireAsync(), lock().acquireAsync(), lock().acquireAsync(), lock().acquireAsync());

        runtime.advance(seconds(1));

        List<Throwable> failures = all.stream()
                .map(each -> catchThrowable(each::join))
                .map(Throwable::getCause)
                .toList();
        assertThat(failures)
                .hasSize(4)
                .doesNotHaveDuplicates()
                .allSatisfy(failure -> assertThat(failure)
                        .isInstanceOf(LockStoreException.class)
                        .hasMessage("no master"));
    }

    @Test
    void attempt_throwsThreeTimes_claimIsReleasedAndOnceMoreWhenNothingCanBeOnItsWay() {
        down(3);
        CompletableFuture<Lease> future = waiting(lock());
        runtime.advance(FIRST_RETRY.plus(SECOND_RETRY));
        assertThat(future).isCompletedExceptionally();

        runtime.advance(seconds(10));

        assertSettled(backend.claim(0), backend.attempts().get(2).atNanos());
    }

    @Test
    void attempt_throwsThreeTimesInAThread_throwsStoreException() throws Exception {
        backend.attempts(ScriptedBackend.down());

        Actor<Lease> waiter = Actor.does("waiter", () -> lock().acquireInterruptibly());

        assertThat(advanceUntilDone(waiter).failure())
                .isInstanceOfSatisfying(
                        LockStoreException.class,
                        failure -> assertThat(failure.lockName()).isEqualTo("a"));
        runtime.advance(seconds(10));
        assertThat(engine.leftovers()).isZero();
    }

    /** The thread sleeps in real time and looks at the test's clock, which therefore has to move on. */
    private <T> Actor<T> advanceUntilDone(Actor<T> actor) {
        await().pollDelay(Duration.ZERO).until(() -> {
            runtime.jump(millis(60));
            return actor.isDone();
        });
        return actor;
    }

    @Test
    void attempt_throwsThreeTimes_lockIsUsableAgain() {
        down(3);
        waiting(lock());
        runtime.advance(seconds(1));

        Lease lease = lock().acquire();

        assertThat(lease.isValid()).isTrue();
        assertThat(backend.claim(3).id()).isNotEqualTo(backend.claim(0).id());
    }

    @Test
    void attempt_throwsALockException_passedOnAsItIs() {
        LockStoreException own = new LockStoreException(LockKind.LOCK, "a", "the cluster is down; wait", null);
        backend.attempts(claim -> {
            throw own;
        });

        assertThatThrownBy(() -> lock().tryAcquire()).isSameAs(own);
    }

    /**
     * The first in the line gives up after one try because its own time is up; those behind it have time for theirs.
     */
    @Test
    void attempt_throwsForALeaderWithoutTime_othersStillTryAgain() throws Exception {
        CompletableFuture<CompletableFuture<Lease>> second = new CompletableFuture<>();
        backend.nextAttempt(claim -> {
            second.complete(lock().acquireAsync());
            throw new IllegalStateException("connection reset");
        });

        assertThatThrownBy(() -> lock().tryAcquire()).isInstanceOf(LockStoreException.class);
        runtime.advance(seconds(1));

        assertThat(lease(second.join()).isValid()).isTrue();
    }

    // ---- what is unknown stays unknown

    @Test
    void close_attemptWasUnknownBefore_releasedOnceMoreWhenNothingCanBeOnItsWay() {
        down(1);
        CompletableFuture<Lease> future = waiting(lock());
        long sentNanos = runtime.nanoTime();
        runtime.advance(FIRST_RETRY);

        lease(future).close();
        assertThat(backend.releases()).hasSize(1);
        runtime.advance(seconds(10));

        assertThat(backend.releases().get(backend.releases().size() - 1).atNanos())
                .isGreaterThanOrEqualTo(sentNanos + ScriptedBackend.REQUEST_TIMEOUT.toNanos());
        assertThat(engine.leftovers()).isZero();
    }

    @Test
    void close_attemptWasUnknownLongAgo_oneRelease() {
        down(1);
        CompletableFuture<Lease> future = waiting(lock());
        runtime.advance(seconds(3));

        lease(future).close();
        runtime.advance(seconds(10));

        assertThat(backend.releases()).hasSize(1);
    }

    @Test
    void attempt_throwsAndTheReleaseToo_stillReleasedWhenNothingCanBeOnItsWay() {
        down(1);
        backend.nextRelease(ScriptedBackend.down());

        assertThatThrownBy(() -> lock().tryAcquire()).isInstanceOf(LockStoreException.class);
        runtime.advance(seconds(10));

        assertSettled(backend.claim(0), backend.attempts().get(0).atNanos());
    }

    /** What counts is when the release was sent: the store may have carried it out before the late attempt. */
    @Test
    void attempt_throwsAndTheReleaseIsAnsweredLate_releasedOnceMore() {
        down(1);
        backend.nextRelease(claim -> {
            runtime.jump(ScriptedBackend.REQUEST_TIMEOUT.plusSeconds(1));
            return true;
        });

        assertThatThrownBy(() -> lock().tryAcquire()).isInstanceOf(LockStoreException.class);
        runtime.advance(seconds(10));

        assertSettled(backend.claim(0), backend.attempts().get(0).atNanos());
    }

    @Test
    void cancel_afterAnUnknownAttempt_settled() {
        down(1);
        CompletableFuture<Lease> future = waiting(lock());

        future.cancel(false);
        runtime.advance(seconds(10));

        assertSettled(backend.claim(0), backend.attempts().get(0).atNanos());
    }

    /** Not an exception that anybody expects; but the request may have been carried out all the same. */
    @Test
    void attempt_throwsAnError_claimIsReleasedAllTheSame() {
        backend.nextAttempt(claim -> {
            throw new LinkageError("half a deployment");
        });

        assertThatThrownBy(() -> lock().acquire()).isInstanceOf(LinkageError.class);

        runtime.advance(seconds(10));
        assertThat(backend.releasesOf(backend.claim(0))).isPositive();
        assertThat(engine.leftovers()).isZero();
    }

    @Test
    void attempt_throwsAnErrorForAFuture_futureFailsAndTheClaimIsSettled() {
        backend.nextAttempt(claim -> {
            throw new LinkageError("half a deployment");
        });

        CompletableFuture<Lease> future = lock().acquireAsync();
        assertThat(catchThrowable(runtime::run)).isInstanceOfAny(LinkageError.class);
        assertThatThrownBy(future::join).hasCauseInstanceOf(LinkageError.class);

        runtime.advance(seconds(10));
        assertSettled(backend.claim(0), backend.attempts().get(0).atNanos());
    }

    @Test
    void attempt_throwsAnError_nextWaiterGoesOn() {
        CompletableFuture<CompletableFuture<Lease>> second = new CompletableFuture<>();
        backend.nextAttempt(claim -> {
            second.complete(lock().acquireAsync());
            throw new LinkageError("half a deployment");
        });

        assertThatThrownBy(() -> lock().acquire()).isInstanceOf(LinkageError.class);
        runtime.run();

        assertThat(lease(second.join()).isValid()).isTrue();
    }

    @Test
    void attempt_throwsAndWasGranted_askingAgainFindsTheGrant() {
        backend.nextAttempt(claim -> {
            backend.grant(claim);
            throw new IllegalStateException("reply lost");
        });
        backend.attempts(claim -> new AttemptResult.Granted(1, claim.lease()));

        CompletableFuture<Lease> future = waiting(lock());
        runtime.advance(FIRST_RETRY);

        assertThat(lease(future).token()).isOne();
    }
}
