package io.holdfast.testing.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class PatienceTest {
    private static final Patience LITTLE = new Patience(Duration.ofMillis(100));

    @Test
    void get_resultIsThere_returnsIt() {
        assertThat(new Patience(Duration.ZERO).get(CompletableFuture.completedFuture("done")))
                .isEqualTo("done");
    }

    @Test
    void get_nothingComes_givesUp() {
        long begin = System.nanoTime();
        assertThatThrownBy(() -> LITTLE.get(new CompletableFuture<>()))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("PT0.1S");
        assertThat(Duration.ofNanos(System.nanoTime() - begin)).isGreaterThanOrEqualTo(LITTLE.most());
    }

    @Test
    void get_failure_isTheCause() {
        IllegalStateException failure = new IllegalStateException("a test says so");
        assertThatThrownBy(() -> LITTLE.get(CompletableFuture.failedFuture(failure)))
                .isInstanceOf(AssertionError.class)
                .hasCause(failure);
    }

    @Test
    void grows_valueGrows_returns() {
        AtomicInteger value = new AtomicInteger();
        LITTLE.grows("more", value::incrementAndGet, () -> true);
        assertThat(value).hasValueGreaterThan(1);
    }

    @Test
    void grows_valueFalls_givesUp() {
        AtomicInteger value = new AtomicInteger();
        assertThatThrownBy(() -> LITTLE.grows("more", value::decrementAndGet, () -> true))
                .hasMessageContaining("more");
    }

    @Test
    void grows_whatMustHoldDoesNot_fails() {
        AtomicInteger value = new AtomicInteger();
        assertThatThrownBy(() -> LITTLE.grows("more", value::incrementAndGet, () -> false))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("it ended before there was more");
    }
}
