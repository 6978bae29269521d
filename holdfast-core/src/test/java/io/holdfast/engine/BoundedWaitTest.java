package io.holdfast.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.Lease;
import io.holdfast.spi.AttemptResult;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** A bounded wait is one deadline for everything that happens inside. */
class BoundedWaitTest extends EngineFixture {

    private AttemptResult queuedAfter(Duration takes) {
        runtime.jump(takes);
        return new AttemptResult.Queued(1, seconds(10), true);
    }

    @Test
    void tryAcquireAsync_neverServed_emptyWhenTheTimeIsUpAndNotBefore() {
        backend.attempts(ScriptedBackend.queued(1, seconds(10)));
        CompletableFuture<Optional<Lease>> future = lock().tryAcquireAsync(millis(2_500));

        runtime.advance(millis(2_500).minusNanos(1));
        assertThat(future).isNotDone();
        runtime.advance(Duration.ofNanos(1));

        assertThat(future.join()).isEmpty();
        assertThat(backend.releasesOf(backend.claim(0))).isOne();
        assertThat(engine.leftovers()).isZero();
    }

    @Test
    void tryAcquireAsync_servedInTime_present() {
        backend.attempts(ScriptedBackend.queued(1, seconds(10)));
        CompletableFuture<Optional<Lease>> future = lock().tryAcquireAsync(millis(2_500));
        runtime.advance(millis(2_499));

        push(backend.claim(0), seconds(3));

        assertThat(future.join()).isPresent();
    }

    @Test
    void tryAcquire_storeIsSlow_timeInTheStoreCounts() throws InterruptedException {
        backend.attempts(claim -> queuedAfter(seconds(3)));
        long startNanos = runtime.nanoTime();

        assertThat(lock().tryAcquire(seconds(2))).isEmpty();

        assertThat(runtime.nanoTime() - startNanos).isEqualTo(seconds(3).toNanos());
        assertThat(backend.attempts()).hasSize(1);
        runtime.run();
        assertThat(backend.releases()).hasSize(1);
    }

    @Test
    void tryAcquireAsync_waitsHereFirst_bothWaitsAreOneDeadline() {
        Lease held = lock().acquire();
        CompletableFuture<Optional<Lease>> future = lock().tryAcquireAsync(seconds(5));
        runtime.advance(seconds(3));
        backend.attempts(ScriptedBackend.queued(1, seconds(10)));
        held.close();
        runtime.run();
        assertThat(backend.attempts()).hasSize(2);

        runtime.advance(seconds(2).minusNanos(1));
        assertThat(future).isNotDone();
        runtime.advance(Duration.ofNanos(1));

        assertThat(future.join()).isEmpty();
        assertThat(backend.releasesOf(backend.claim(1))).isOne();
    }

    @Test
    void tryAcquireAsync_grantTurnsOutTooOld_theSecondClaimHasWhatIsLeftOfTheTime() {
        backend.nextAttempt(claim -> {
            runtime.jump(USABLE);
            return grant(claim);
        });
        backend.attempts(ScriptedBackend.queued(1, seconds(10)));

        CompletableFuture<Optional<Lease>> future = lock().tryAcquireAsync(seconds(32));
        runtime.run();
        assertThat(backend.attempts()).hasSize(2);
        runtime.advance(seconds(32).minus(USABLE));

        assertThat(future.join()).isEmpty();
        assertThat(backend.releasesOf(backend.claim(1))).isOne();
    }

    @Test
    void tryAcquire_zero_oneTry() throws InterruptedException {
        backend.attempts(ScriptedBackend.busy());

        assertThat(lock().tryAcquire(Duration.ZERO)).isEmpty();
        assertThat(lock().tryLock(0, TimeUnit.SECONDS)).isFalse();
        assertThat(lock().tryLock(-1, TimeUnit.SECONDS)).isFalse();
        assertThat(lock().tryLock(Duration.ZERO, seconds(5))).isFalse();

        assertThat(backend.attempts()).hasSize(4).noneMatch(call -> call.claim().waits());
        assertThat(backend.releases()).isEmpty();
    }

    /** A little time is not less than none. */
    @Test
    void tryAcquire_timeIsUpBeforeTheFirstQuestion_oneTryAllTheSame() throws InterruptedException {
        AtomicInteger looks = new AtomicInteger();
        runtime.onNanoTime(() -> {
            if (looks.incrementAndGet() == 2) {
                runtime.jump(Duration.ofNanos(100));
            }
        });

        Optional<Lease> lease = lock().tryAcquire(Duration.ofNanos(50));

        assertThat(backend.attempts()).hasSize(1);
        assertThat(lease).isPresent();
    }

    @Test
    void tryLock_longestTimes_waitForEver() throws Exception {
        Lease held = lock().acquire();
        Actor<Boolean> waiter = Actor.does("waiter", () -> {
            boolean locked = lock().tryLock(Long.MAX_VALUE, TimeUnit.DAYS);
            lock().unlock();
            return locked;
        });
        waiter.awaitParked();

        held.close();

        assertThat(waiter.result()).isTrue();
    }

    @Test
    void tryAcquire_badTimes_refused() {
        assertThatThrownBy(() -> lock().tryAcquire(Duration.ofNanos(-1)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("wait is -0.000001ms")
                .hasMessageContaining("zero (one try) or more");
        assertThatThrownBy(() -> lock().tryAcquire(Duration.ofSeconds(Long.MAX_VALUE)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("no clock can count")
                .hasMessageContaining("acquire()");
        assertThatThrownBy(() -> lock().tryAcquireAsync(Duration.ofNanos(-1)))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> lock().tryAcquire(null)).isInstanceOf(NullPointerException.class);
        assertThatThrownBy(() -> lock().tryLock(Duration.ofNanos(-1), seconds(1)))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> lock().tryLock(seconds(1), Duration.ZERO))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("lease is 0s");
        assertThat(backend.calls()).isEmpty();
    }

    // ---- one try after somebody gave up

    /** Times out in the store's line; that it leaves is the business of the worker, which has not begun. */
    private void giveUp() throws InterruptedException {
        backend.nextAttempt(claim -> queuedAfter(seconds(3)));
        assertThat(lock().tryAcquire(seconds(2))).isEmpty();
        assertThat(backend.releases()).isEmpty();
    }

    @Test
    void tryAcquire_onceAfterATimeout_leavesTheLineBeforeItAsks() throws InterruptedException {
        giveUp();
        backend.attempts(claim -> backend.known().isEmpty() ? grant(claim) : new AttemptResult.Busy(seconds(9)));

        assertThat(lock().tryAcquire()).as("one try of a free lock").isPresent();

        runtime.run();
        assertThat(backend.releasesOf(backend.claim(0)))
                .as("no more commands than before")
                .isOne();
    }

    @Test
    void tryAcquire_onceAfterATimeoutOfAnotherName_asksAtOnce() throws InterruptedException {
        giveUp();

        assertThat(engine.lock("b").tryAcquire()).isPresent();

        assertThat(backend.releases()).isEmpty();
        runtime.run();
        assertThat(backend.releasesOf(backend.claim(0))).isOne();
    }

    /** The store is not asked twice by everybody who tries. */
    @Test
    void tryAcquire_leavingIsNotAnswered_onlyTheFirstTryWaitsForIt() throws InterruptedException {
        giveUp();
        backend.nextRelease(ScriptedBackend.down());
        backend.attempts(ScriptedBackend.busy());

        assertThat(lock().tryAcquire()).isEmpty();
        assertThat(lock().tryAcquire()).isEmpty();

        assertThat(backend.releases()).hasSize(1);
        runtime.advance(seconds(5));
        assertThat(backend.releasesOf(backend.claim(0))).isEqualTo(2);
        assertThat(engine.leftovers()).isZero();
    }

    // ---- patience with one call

    @Test
    void attempt_waitWithoutEnd_patienceIsLong() {
        lock().acquire();
        assertThat(backend.attempts().get(0).patience()).isGreaterThanOrEqualTo(seconds(60));
    }

    @Test
    void attempt_oneTry_patienceIsTheRequestTimeout() {
        lock().tryAcquire();
        assertThat(backend.attempts().get(0).patience()).isEqualTo(ScriptedBackend.REQUEST_TIMEOUT);
    }

    @Test
    void attempt_boundedWait_patienceIsWhatIsLeft() throws InterruptedException {
        lock().tryAcquire(millis(1_500));
        assertThat(backend.attempts().get(0).patience()).isEqualTo(millis(1_500));
    }

    @Test
    void attempt_longBoundedWait_patienceIsWhatIsLeft() throws InterruptedException {
        lock().tryAcquire(seconds(10));
        assertThat(backend.attempts().get(0).patience()).isEqualTo(seconds(10));
    }

    @Test
    void attempt_lastMomentOfABoundedWait_patienceIsEnoughForAnAnswer() throws InterruptedException {
        lock().tryAcquire(millis(5));
        assertThat(backend.attempts().get(0).patience()).isEqualTo(millis(100));
    }
}
