package io.holdfast.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.Lease;
import io.holdfast.LockStoreException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.Test;

/** What one try, and those who wait behind the first, get of an attempt that throws. */
class UnknownToOthersTest extends EngineFixture {

    // ---- one try

    @Test
    void tryAcquire_throws_exceptionNeverEmptyAndSettled() {
        down(1);

        assertThatThrownBy(() -> lock().tryAcquire())
                .isInstanceOf(LockStoreException.class)
                .hasMessageContaining("1 tries");

        assertThat(backend.attempts()).hasSize(1);
        runtime.advance(seconds(10));
        assertSettled(backend.claim(0), backend.attempts().get(0).atNanos());
    }

    @Test
    void tryAcquireAsync_throws_exceptionNeverEmptyAndSettled() {
        down(1);

        CompletableFuture<Optional<Lease>> future = lock().tryAcquireAsync(Duration.ZERO);
        runtime.run();

        assertThatThrownBy(future::join)
                .isInstanceOf(CompletionException.class)
                .hasCauseInstanceOf(LockStoreException.class);
        runtime.advance(seconds(10));
        assertSettled(backend.claim(0), backend.attempts().get(0).atNanos());
    }

    // ---- those who wait behind it

    @Test
    void tryAcquire_theFirstInTheLineHasTrouble_exceptionNeverEmpty() {
        down(1);
        CompletableFuture<Lease> first = waiting(lock());

        assertThatThrownBy(() -> lock().tryAcquire()).isInstanceOf(LockStoreException.class);

        assertThat(backend.attempts()).hasSize(1);
        runtime.advance(seconds(1));
        assertThat(first).isCompleted();
    }

    @Test
    void tryAcquireAsync_timeIsUpWhileTheFirstHasTrouble_exceptionNeverEmpty() {
        down(1);
        CompletableFuture<Lease> first = waiting(lock());
        CompletableFuture<Optional<Lease>> second = lock().tryAcquireAsync(millis(30));

        runtime.advance(millis(30));

        assertThatThrownBy(second::join).hasCauseInstanceOf(LockStoreException.class);
        assertThat(first).isNotDone();
    }

    @Test
    void tryAcquireAsync_timeIsUpAfterTheStoreAnsweredAgain_empty() {
        down(1);
        backend.attempts(ScriptedBackend.queued(1, seconds(10)));
        waiting(lock());
        CompletableFuture<Optional<Lease>> second = lock().tryAcquireAsync(millis(200));

        runtime.advance(millis(200));

        assertThat(second.join()).isEmpty();
    }
}
