package io.holdfast.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.Lease;
import io.holdfast.LockEvent;
import io.holdfast.spi.AttemptResult;
import io.holdfast.spi.Claim;
import io.holdfast.spi.ClaimId;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Grants that the store sends by itself. */
class PushedGrantTest extends EngineFixture {
    private static final Duration SHORT = seconds(3);

    @Test
    void granted_waitingClaim_handedOutWithoutAskingAgain() {
        CompletableFuture<Lease> future = queued(lock());

        push(backend.claim(0), SHORT);

        assertThat(lease(future).token()).isOne();
        assertThat(backend.attempts()).hasSize(1);
        assertThat(backend.renewals()).isEmpty();
    }

    @Test
    void granted_messageWasOnItsWay_deadlineCountsFromWhenTheStoreBegan() {
        CompletableFuture<Lease> future = queued(lock());
        long beganNanos = runtime.nanoTime();
        runtime.jump(millis(700));

        backend.push(backend.claim(0), 7, SHORT, beganNanos);
        runtime.run();

        assertThat(lease(future).remaining()).isEqualTo(usable(SHORT).minusMillis(700));
    }

    @Test
    void granted_messageWasOnItsWay_wallClockCountsFromWhenTheStoreBeganToo() {
        CompletableFuture<Lease> future = queued(lock());
        long beganNanos = runtime.nanoTime();
        runtime.jump(millis(700));
        backend.push(backend.claim(0), 7, SHORT, beganNanos);
        runtime.run();
        storeMayKeepClaims();

        runtime.stepWall(usable(SHORT).minusMillis(701));
        assertThat(lease(future).isValid()).isTrue();
        runtime.stepWall(millis(1));
        assertThat(lease(future).isValid()).isFalse();
    }

    @Test
    void granted_messageArrivesPastItsDeadline_releasedAndANewClaimIsMade() {
        CompletableFuture<Lease> future = queued(lock());
        long beganNanos = runtime.nanoTime();
        backend.attempts(this::grant);
        runtime.jump(usable(SHORT));

        backend.push(backend.claim(0), 7, SHORT, beganNanos);
        runtime.run();

        assertThat(backend.attempts()).hasSize(2);
        assertThat(backend.claim(1).id()).isNotEqualTo(backend.claim(0).id());
        assertThat(backend.releasesOf(backend.claim(0))).isOne();
        assertThat(lease(future).remaining()).isEqualTo(USABLE);
    }

    @Test
    void granted_waitingThread_wakes() throws Exception {
        backend.attempts(ScriptedBackend.queued(1, seconds(10)));
        Actor<Lease> waiter = Actor.does("waiter", () -> lock().acquire());
        waiter.awaitParked();

        backend.push(backend.claim(0), 7, SHORT, runtime.nanoTime());

        assertThat(waiter.result().token()).isEqualTo(7);
    }

    // ---- claims that do not wait

    @Test
    void granted_claimWasCancelled_ignored() {
        CompletableFuture<Lease> future = queued(lock());
        future.cancel(false);
        runtime.run();
        Claim cancelled = backend.claim(0);
        assertThat(backend.releasesOf(cancelled)).isOne();

        backend.listener().granted(cancelled.id(), 7, SHORT, runtime.nanoTime());
        runtime.run();

        assertThat(events(LockEvent.Acquired.class)).isEmpty();
        assertThat(engine.leftovers()).isZero();
    }

    @Test
    void granted_claimWasCancelledAndAnotherWaitsNow_notGivenToTheOther() {
        CompletableFuture<Lease> first = queued(lock());
        first.cancel(false);
        runtime.run();
        CompletableFuture<Lease> second = queued(lock());

        backend.listener().granted(backend.claim(0).id(), 7, SHORT, runtime.nanoTime());
        runtime.run();

        assertThat(second).isNotDone();
    }

    @Test
    void granted_claimIsHeldAlready_changesNothing() {
        CompletableFuture<Lease> future = queued(lock());
        push(backend.claim(0), SHORT);
        runtime.jump(millis(100));

        backend.listener().granted(backend.claim(0).id(), 1, SHORT, runtime.nanoTime());
        runtime.run();

        assertThat(lease(future).remaining()).isEqualTo(usable(SHORT).minusMillis(100));
        assertThat(events(LockEvent.Acquired.class)).hasSize(1);
    }

    @Test
    void granted_claimWasReleased_ignored() {
        CompletableFuture<Lease> future = queued(lock());
        push(backend.claim(0), SHORT);
        lease(future).close();

        backend.listener().granted(backend.claim(0).id(), 1, SHORT, runtime.nanoTime());
        runtime.run();

        assertThat(engine.leftovers()).isZero();
        assertThat(events(LockEvent.Acquired.class)).hasSize(1);
        assertThat(backend.releases()).hasSize(1);
    }

    @Test
    void granted_claimOfSomebodyElse_ignored() {
        CompletableFuture<Lease> future = queued(lock());

        backend.listener().granted(new ClaimId("stranger", 1), 7, SHORT, runtime.nanoTime());
        backend.listener().granted(new ClaimId("client", 99), 7, SHORT, runtime.nanoTime());
        runtime.run();

        assertThat(future).isNotDone();
    }

    @Test
    void granted_leaseWouldBeginInTheFuture_notBelievedButAsked() {
        CompletableFuture<Lease> future = queued(lock());
        backend.attempts(claim -> new AttemptResult.Granted(7, seconds(2)));

        backend.push(backend.claim(0), 7, SHORT, runtime.nanoTime() + 1);
        runtime.run();

        assertThat(backend.attempts()).hasSize(2);
        assertThat(backend.claim(1)).isEqualTo(backend.claim(0));
        assertThat(lease(future).remaining()).isEqualTo(usable(seconds(2)));
    }

    @Test
    void granted_machineSleptBeforeTheLastQuestion_handedOut() {
        CompletableFuture<Lease> future = queued(lock());
        runtime.stepWall(seconds(10));
        runtime.advance(seconds(1));
        assertThat(backend.attempts()).hasSize(2);

        push(backend.claim(0), SHORT);

        assertThat(lease(future).remaining()).isEqualTo(usable(SHORT));
    }

    // ---- message and reply of one claim

    private CompletableFuture<Lease> pushedDuringTheAttempt(AttemptResult reply) {
        backend.attempts(claim -> {
            backend.push(claim, 7, SHORT, runtime.nanoTime());
            return reply;
        });
        return waiting(lock());
    }

    @Test
    void granted_replyOverlapsAndIsLonger_oneLeaseWithTheLaterDeadline() {
        CompletableFuture<Lease> future = pushedDuringTheAttempt(new AttemptResult.Granted(7, seconds(10)));

        assertThat(lease(future).token()).isEqualTo(7);
        assertThat(lease(future).remaining()).isEqualTo(usable(seconds(10)));
        assertThat(events(LockEvent.Acquired.class)).hasSize(1);
        assertThat(backend.attempts()).hasSize(1);
    }

    @Test
    void granted_replyOverlapsAndIsShorter_oneLeaseWithTheLaterDeadline() {
        CompletableFuture<Lease> future = pushedDuringTheAttempt(new AttemptResult.Granted(7, seconds(1)));

        assertThat(lease(future).token()).isEqualTo(7);
        assertThat(lease(future).remaining()).isEqualTo(usable(SHORT));
        assertThat(events(LockEvent.Acquired.class)).hasSize(1);
    }

    @Test
    void granted_olderReplySaysQueued_grantStands() {
        CompletableFuture<Lease> future = pushedDuringTheAttempt(new AttemptResult.Queued(1, seconds(10), true));

        assertThat(lease(future).token()).isEqualTo(7);
        assertThat(events(LockEvent.Contended.class)).isEmpty();
    }

    @Test
    void granted_replyIsLost_grantStands() {
        backend.attempts(claim -> {
            backend.push(claim, 7, SHORT, runtime.nanoTime());
            throw new IllegalStateException("connection reset");
        });

        assertThat(lease(waiting(lock())).token()).isEqualTo(7);
        assertThat(backend.attempts()).hasSize(1);
    }

    @Test
    void granted_twice_oneLease() {
        CompletableFuture<Lease> future = queued(lock());

        backend.push(backend.claim(0), 7, SHORT, runtime.nanoTime());
        backend.push(backend.claim(0), 7, SHORT, runtime.nanoTime());
        runtime.run();

        assertThat(lease(future).token()).isEqualTo(7);
        assertThat(events(LockEvent.Acquired.class)).hasSize(1);
        lease(future).close();
        assertThat(backend.releases()).hasSize(1);
    }

    /**
     * The monotonic clock stood still while the machine slept, so only the wall clock of the last question can tell.
     */
    @Test
    void granted_machineSleptSinceTheLastQuestion_notHandedOut() {
        CompletableFuture<Lease> future = queued(lock());
        long beganNanos = runtime.nanoTime();
        backend.attempts(this::grant);
        runtime.stepWall(SHORT.multipliedBy(2));

        backend.push(backend.claim(0), 7, SHORT, beganNanos);
        runtime.run();

        assertThat(backend.releasesOf(backend.claim(0))).isPositive();
        assertThat(lease(future).token()).isNotEqualTo(7);
    }
}
