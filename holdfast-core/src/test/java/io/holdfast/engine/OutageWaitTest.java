package io.holdfast.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.holdfast.DistributedLock;
import io.holdfast.Lease;
import io.holdfast.LockEvent;
import io.holdfast.LockKind;
import io.holdfast.LockOptions;
import io.holdfast.LockStoreException;
import io.holdfast.LockStoreUnfitException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** A store that fails for a while: those that said how long wait for it, the others are told. */
class OutageWaitTest extends EngineFixture {
    private static final LockOptions PATIENT = LockOptions.defaults().waitThroughOutages(seconds(20));

    private DistributedLock patient() {
        return engine.lock("a", PATIENT);
    }

    private void goesDown() {
        backend.attempts(ScriptedBackend.down());
    }

    private void comesUp() {
        backend.attempts(this::grant);
    }

    private static LockStoreException failure(CompletableFuture<?> future) {
        assertThat(future).isCompletedExceptionally();
        return (LockStoreException) catchThrowable(future::join).getCause();
    }

    @Test
    void acquire_storeComesBackInTime_waitsThroughTheOutageWithOneClaim() {
        goesDown();
        CompletableFuture<Lease> future = waiting(patient());
        runtime.advance(seconds(15));
        assertThat(future).isNotDone();
        assertThat(events(LockEvent.Obstructed.class)).hasSize(1);

        comesUp();
        runtime.advance(seconds(2));

        assertThat(lease(future).isValid()).isTrue();
        assertThat(backend.attempts()).allMatch(call -> call.claim().equals(backend.claim(0)));
    }

    @Test
    void acquire_storeStaysDown_failsWhenTheOutageIsTooLong() {
        goesDown();
        CompletableFuture<Lease> future = waiting(patient());

        runtime.advance(seconds(20).minusNanos(1));
        assertThat(future).isNotDone();
        runtime.advance(Duration.ofNanos(1));

        assertThat(failure(future)).hasMessageContaining("'a'").hasMessageContaining("connection reset");
        assertThat(backend.attempts()).as("attempts in 20 s").hasSizeBetween(12, 30);
        runtime.advance(seconds(10));
        assertThat(engine.leftovers()).isZero();
    }

    /** A wrong password is not mended by waiting. */
    @Test
    void acquire_troubleThatLasts_allWaitersFailAtOnce() {
        backend.attempts(claim -> {
            throw new LockStoreException(LockKind.LOCK, "a", "wrong password", null, true);
        });
        CompletableFuture<Lease> first = waiting(patient());
        CompletableFuture<Lease> second = waiting(patient());

        runtime.advance(Duration.ZERO);

        assertThat(failure(first)).hasMessage("wrong password").returns(true, LockStoreException::isLasting);
        assertThat(failure(second)).hasMessage("wrong password").returns(true, LockStoreException::isLasting);
        assertThat(events(LockEvent.Obstructed.class)).isEmpty();
    }

    /** Those who have to tell an outage from a missing permission can do so, whoever asked the store for them. */
    @Test
    void acquire_storeIsUnfit_everyWaiterGetsThatTypeAndAnExceptionOfItsOwn() {
        CompletableFuture<Lease> first = queued(patient());
        CompletableFuture<Lease> second = waiting(patient());
        CompletableFuture<Lease> third = waiting(patient());
        backend.attempts(claim -> {
            throw new LockStoreUnfitException(LockKind.LOCK, "a", "no permission", null, true);
        });

        runtime.advance(seconds(20));

        List<LockStoreException> all = List.of(failure(first), failure(second), failure(third));
        assertThat(all)
                .doesNotHaveDuplicates()
                .allSatisfy(each -> assertThat(each)
                        .isInstanceOf(LockStoreUnfitException.class)
                        .hasMessage("no permission")
                        .returns("a", LockStoreException::lockName)
                        .returns(true, LockStoreException::isLasting));
    }

    @Test
    void acquire_storeAnswersInBetween_everyOutageHasTheWholeTime() {
        goesDown();
        CompletableFuture<Lease> future = waiting(patient());
        runtime.advance(seconds(18));
        backend.attempts(ScriptedBackend.queued(1, seconds(1)));
        runtime.advance(seconds(3));
        goesDown();
        runtime.advance(seconds(15));
        assertThat(future).isNotDone();
        comesUp();
        runtime.advance(seconds(2));
        assertThat(lease(future).isValid()).isTrue();
    }

    @Test
    void tryAcquire_waitEndsDuringTheOutage_isAnExceptionAndNotEmpty() {
        goesDown();
        CompletableFuture<Optional<Lease>> future = patient().tryAcquireAsync(seconds(5));
        runtime.advance(seconds(5));
        assertThat(failure(future)).hasMessageContaining("'a'");
    }

    @Test
    void tryAcquire_oneTry_doesNotWait() {
        goesDown();
        assertThatThrownBy(() -> patient().tryAcquire()).isInstanceOf(LockStoreException.class);
        assertThat(backend.attempts()).hasSize(1);
    }

    @Test
    void line_driverWithoutPatience_failsAndLeavesTheClaimToThePatient() {
        goesDown();
        CompletableFuture<Lease> first = lock().acquireAsync();
        CompletableFuture<Lease> second = patient().acquireAsync();
        CompletableFuture<Lease> third = lock().acquireAsync();
        runtime.advance(seconds(1));

        assertThat(failure(first)).isNotSameAs(failure(third));
        assertThat(second).isNotDone();
        comesUp();
        runtime.advance(seconds(2));

        assertThat(lease(second).isValid()).isTrue();
        assertThat(backend.attempts())
                .allMatch(call -> call.claim().id().equals(backend.claim(0).id()));
    }

    @Test
    void line_impatientBehindAPatientDriver_isToldAtTheNextFailure() {
        goesDown();
        CompletableFuture<Lease> first = waiting(patient());
        runtime.advance(seconds(3));
        CompletableFuture<Lease> second = waiting(lock());

        runtime.advance(seconds(2));

        assertThat(failure(second)).hasMessageContaining("'a'");
        assertThat(first).isNotDone();
        comesUp();
        runtime.advance(seconds(2));
        assertThat(lease(first).isValid()).isTrue();
    }

    @Test
    void line_cameDuringTheOutage_hasItsOwnWholeTime() {
        goesDown();
        CompletableFuture<Lease> first = waiting(patient());
        runtime.advance(seconds(15));
        CompletableFuture<Lease> second = waiting(patient());

        runtime.advance(seconds(6));
        assertThat(failure(first)).isNotNull();
        assertThat(second).isNotDone();
        runtime.advance(seconds(15));
        assertThat(failure(second)).isNotNull();
        runtime.advance(seconds(10));
        assertThat(engine.leftovers()).isZero();
    }

    @Test
    void latch_defaultsOfTheClient_waitsThroughTheOutage() {
        goesDown();
        CompletableFuture<Void> opened =
                engine.withDefaults(PATIENT).latch("boot", 1).awaitAsync();
        runtime.advance(seconds(10));
        assertThat(opened).isNotDone();
        comesUp();
        runtime.advance(seconds(2));
        assertThat(opened).isCompleted();
    }
}
