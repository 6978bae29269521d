package io.holdfast.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.LockKind;
import io.holdfast.spi.AttemptResult;
import io.holdfast.spi.Claim;
import io.holdfast.spi.Resource;
import java.time.Duration;
import java.util.List;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** How often a waiting claim asks again, whatever messages come or do not come. */
class PollingTest extends EngineFixture {

    /** Waits in a store that always answers this, and returns how long after the first question the second one came. */
    private Duration untilAskedAgain(Function<Claim, AttemptResult> answer) {
        backend.attempts(answer);
        waiting(lock());
        assertThat(backend.attempts()).hasSize(1);
        for (int i = 0; i < 2_000 && backend.attempts().size() == 1; i++) {
            runtime.advance(millis(1));
        }
        List<ScriptedBackend.Call.Attempt> asked = backend.attempts();
        assertThat(asked).hasSizeGreaterThan(1).allMatch(call -> call.claim().equals(backend.claim(0)));
        return Duration.ofNanos(asked.get(1).atNanos() - asked.get(0).atNanos());
    }

    @ParameterizedTest
    @CsvSource({"0, 800", "0.25, 900", "0.5, 1000", "1, 1200"})
    void queued_announced_everySecondGiveOrTakeAFifth(double chance, long millis) {
        runtime.chance(chance);

        assertThat(untilAskedAgain(ScriptedBackend.queued(1, seconds(30)))).isEqualTo(millis(millis));
    }

    @ParameterizedTest
    @CsvSource({"0, 80", "0.5, 100", "1, 120"})
    void queued_notAnnounced_everyHundredMillisGiveOrTakeAFifth(double chance, long millis) {
        runtime.chance(chance);

        assertThat(untilAskedAgain(claim -> new AttemptResult.Queued(5, seconds(30), false)))
                .isEqualTo(millis(millis));
    }

    @ParameterizedTest
    @CsvSource({"0, 80", "0.5, 100", "1, 120"})
    void busy_storeWithoutALine_everyHundredMillisGiveOrTakeAFifth(double chance, long millis) {
        runtime.chance(chance);

        assertThat(untilAskedAgain(ScriptedBackend.busy())).isEqualTo(millis(millis));
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void queued_amongTheFirst_asksAtTheEndOfTheHoldersLease(int place) {
        assertThat(untilAskedAgain(ScriptedBackend.queued(place, millis(300)))).isEqualTo(millis(300));
    }

    @ParameterizedTest
    @ValueSource(ints = {3, 4, 100})
    void queued_furtherBack_doesNotCareForTheHoldersLease(int place) {
        assertThat(untilAskedAgain(ScriptedBackend.queued(place, millis(300)))).isEqualTo(seconds(1));
    }

    @Test
    void queued_furtherBackAndNotAnnounced_asksAtTheEndOfTheHoldersLease() {
        assertThat(untilAskedAgain(claim -> new AttemptResult.Queued(5, millis(30), false)))
                .isEqualTo(millis(30));
    }

    @Test
    void busy_holdersLeaseEndsSoon_asksThen() {
        assertThat(untilAskedAgain(claim -> new AttemptResult.Busy(millis(30)))).isEqualTo(millis(30));
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3, 2_000})
    void queued_leftIsZero_asksAgainAtOnceButDoesNotSpin(int place) {
        assertThat(untilAskedAgain(ScriptedBackend.queued(place, Duration.ZERO)))
                .isEqualTo(millis(1));
    }

    @Test
    void queued_forAMinute_oneQuestionASecond() {
        queued(lock());

        runtime.advance(seconds(60));

        assertThat(backend.attempts()).hasSizeBetween(60, 62);
    }

    // ---- asked to ask

    @Test
    void changed_resourceThatIsWaitedFor_asksAtOnce() {
        queued(lock());

        backend.listener().changed(new Resource(LockKind.LOCK, "a", 77));
        runtime.run();

        assertThat(backend.attempts()).hasSize(2);
    }

    @Test
    void changed_otherResource_asksNothing() {
        queued(lock());

        backend.listener().changed(new Resource(LockKind.LOCK, "b", 1));
        backend.listener().changed(new Resource(LockKind.SEMAPHORE, "a", 1));
        runtime.run();

        assertThat(backend.attempts()).hasSize(1);
    }

    @Test
    void missed_everybodyAsksAtOnce() {
        queued(lock());
        queued(engine.lock("b"));
        queued(engine.lock("c", FIFO));

        backend.listener().missed();
        runtime.run();

        assertThat(backend.attempts()).hasSize(6);
    }

    @Test
    void changed_pollsGoOnAfterwards() {
        queued(lock());
        runtime.advance(millis(700));
        backend.listener().changed(new Resource(LockKind.LOCK, "a", 1));
        runtime.run();

        runtime.advance(millis(999));
        assertThat(backend.attempts()).hasSize(2);
        runtime.advance(millis(1));
        assertThat(backend.attempts()).hasSize(3);
    }

    @Test
    void changed_whileAsking_asksOnceMore() {
        backend.nextAttempt(claim -> {
            backend.listener().changed(claim.resource());
            return ScriptedBackend.queued(1, seconds(10)).apply(claim);
        });

        waiting(lock());

        assertThat(backend.attempts()).hasSize(2);
    }

    @Test
    void changed_parkedThread_asksAtOnce() throws Exception {
        backend.attempts(ScriptedBackend.queued(1, seconds(10)));
        Actor<Boolean> waiter = Actor.does("waiter", () -> {
            lock().acquire().close();
            return true;
        });
        waiter.awaitParked();
        backend.attempts(this::grant);

        backend.listener().changed(new Resource(LockKind.LOCK, "a", 1));

        assertThat(waiter.result()).isTrue();
    }

    @Test
    void changed_nobodyWaits_nothing() {
        lock().acquire();

        backend.listener().changed(new Resource(LockKind.LOCK, "a", 1));
        backend.listener().missed();
        runtime.run();

        assertThat(backend.attempts()).hasSize(1);
    }
}
