package io.holdfast.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.Lease;
import io.holdfast.LockRefusedException;
import io.holdfast.LockStoreException;
import io.holdfast.spi.AttemptResult;
import io.holdfast.spi.Claim;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** A store that answers and does not grant: to nobody now, or not with this capacity. */
class RefusalTest extends EngineFixture {
    private static AttemptResult refused(Claim claim) {
        return new AttemptResult.Refused(
                "restarted, old leases may still be held, asked by " + claim.label(), seconds(7));
    }

    @Test
    void refused_timeToWait_sameClaimAsksAgainThen() {
        backend.nextAttempt(RefusalTest::refused);
        CompletableFuture<Lease> future = waiting(lock());

        runtime.advance(seconds(7).minusNanos(1));
        assertThat(backend.attempts()).hasSize(1);
        assertThat(future).isNotDone();
        runtime.advance(Duration.ofNanos(1));

        assertThat(future).isCompleted();
        assertThat(backend.claim(1)).isEqualTo(backend.claim(0));
    }

    @Test
    void refused_boundedWaitIsLonger_waits() {
        backend.nextAttempt(RefusalTest::refused);

        CompletableFuture<Optional<Lease>> future = lock().tryAcquireAsync(seconds(8));
        runtime.advance(seconds(8));

        assertThat(future.join()).isPresent();
    }

    @Test
    void refused_boundedWaitIsShorter_throwsAtOnce() {
        backend.attempts(RefusalTest::refused);

        assertThatThrownBy(() -> lock().tryAcquire(seconds(7)))
                .isInstanceOf(LockStoreException.class)
                .isInstanceOfSatisfying(LockRefusedException.class, refused -> {
                    assertThat(refused.retryAfter()).isEqualTo(seconds(7));
                    assertThat(refused.lockName()).isEqualTo("a");
                })
                .hasMessageContaining("'a'")
                .hasMessageContaining("restarted, old leases may still be held")
                .hasMessageContaining("7s");
        assertThat(backend.attempts()).hasSize(1);
        assertThat(backend.releases()).isEmpty();
    }

    @Test
    void refused_oneTry_throwsNeverEmpty() {
        backend.attempts(RefusalTest::refused);

        assertThatThrownBy(() -> lock().tryAcquire()).isInstanceOf(LockRefusedException.class);
        assertThatThrownBy(() -> lock().tryLock()).isInstanceOf(LockRefusedException.class);
        assertThat(backend.attempts()).hasSize(2);
    }

    @Test
    void refused_zeroRetryAfter_asksAgainWithoutSpinning() {
        backend.nextAttempt(claim -> new AttemptResult.Refused("busy starting", Duration.ZERO));
        CompletableFuture<Lease> future = waiting(lock());
        assertThat(backend.attempts()).hasSize(1);

        runtime.advance(millis(1));

        assertThat(future).isCompleted();
    }

    @Test
    void refused_leaderHasNoTime_nextWaiterGoesOnWithTheSameClaim() {
        backend.attempts(RefusalTest::refused);
        CompletableFuture<Optional<Lease>> impatient = lock().tryAcquireAsync(seconds(5));
        CompletableFuture<Lease> patient = lock().acquireAsync();

        runtime.run();
        assertThatThrownBy(impatient::join).hasCauseInstanceOf(LockRefusedException.class);
        assertThat(patient).isNotDone();
        backend.attempts(this::grant);
        runtime.advance(seconds(7));

        assertThat(lease(patient).isValid()).isTrue();
        assertThat(backend.attempts()).allMatch(call -> call.claim().equals(backend.claim(0)));
    }

    @Test
    void refused_theFirstInTheLine_oneTryHearsItToo() {
        backend.attempts(RefusalTest::refused);
        waiting(lock());

        assertThatThrownBy(() -> lock().tryAcquire()).isInstanceOf(LockRefusedException.class);

        assertThat(backend.attempts()).hasSize(1);
    }

    @Test
    void refused_afterAPlaceInTheLine_claimIsReleasedWhenItGivesUp() {
        backend.nextAttempt(ScriptedBackend.queued(1, seconds(1)));
        backend.attempts(RefusalTest::refused);

        CompletableFuture<Optional<Lease>> future = lock().tryAcquireAsync(seconds(5));
        runtime.advance(seconds(5));

        assertThatThrownBy(future::join).hasCauseInstanceOf(LockRefusedException.class);
        assertThat(backend.releasesOf(backend.claim(0))).isOne();
    }

    @Test
    void mismatched_semaphore_throwsAndNamesBothCapacities() {
        backend.attempts(claim -> new AttemptResult.Mismatched(5));

        assertThatThrownBy(() -> engine.semaphore("pool", 3).acquire())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("'pool'")
                .hasMessageContaining("capacity of 5, not 3");
        assertThat(backend.attempts()).hasSize(1);
        assertThat(backend.releases()).isEmpty();
        assertThat(engine.leftovers()).isZero();
    }

    @Test
    void mismatched_futures_failTheSameWay() {
        backend.attempts(claim -> new AttemptResult.Mismatched(5));

        CompletableFuture<Lease> future = engine.semaphore("pool", 3).acquireAsync();
        runtime.run();

        assertThatThrownBy(future::join).hasCauseInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void refused_somebodyWaitsHereAlready_oneTryThrowsNeverEmpty() {
        backend.attempts(RefusalTest::refused);
        CompletableFuture<Lease> patient = lock().acquireAsync();
        runtime.run();

        assertThatThrownBy(() -> lock().tryAcquire()).isInstanceOf(LockRefusedException.class);

        assertThat(patient).isNotDone();
        patient.cancel(false);
        runtime.run();
    }
}
