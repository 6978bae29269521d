package io.holdfast.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

class CrewTest {
    private final Crew crew = new Crew(Duration.ofSeconds(10));

    @Test
    void finish_threadFailed_fails() {
        Crew.Hand<Boolean> failing = crew.run("failing", () -> {
            throw new IllegalStateException("thrown by a test");
        });
        assertThatThrownBy(crew::finish)
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining(failing.name())
                .hasRootCauseMessage("thrown by a test");
    }

    @Test
    void finish_failureWasAskedFor_passes() {
        Crew.Hand<Boolean> failing = crew.run("failing", () -> {
            throw new IllegalStateException("thrown by a test");
        });
        assertThat(failing.failure()).isInstanceOf(IllegalStateException.class);
        crew.finish();
        assertThatThrownBy(failing::result).isInstanceOf(AssertionError.class);
    }

    @Test
    void failure_threadReturned_fails() {
        Crew.Hand<Integer> fine = crew.ask("fine", () -> 7);
        assertThat(fine.result()).isEqualTo(7);
        assertThatThrownBy(fine::failure).isInstanceOf(AssertionError.class);
        crew.finish();
    }

    @Test
    void finish_threadStuck_failsNamingIt() {
        Crew impatient = new Crew(Duration.ofMillis(50));
        CountDownLatch enough = new CountDownLatch(1);
        Crew.Hand<Boolean> stuck = impatient.run("stuck", enough::await);
        assertThatThrownBy(impatient::finish).isInstanceOf(AssertionError.class).hasMessageContaining(stuck.name());
        enough.countDown();
    }

    @Test
    void flagAtEnd_interruptedThread_isSeen() {
        Crew.Hand<Boolean> flagged =
                crew.run("flagged", () -> Thread.currentThread().interrupt());
        assertThat(flagged.flagAtEnd()).isTrue();
        assertThat(crew.run("calm", () -> {}).flagAtEnd()).isFalse();
    }
}
