package io.holdfast.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.Lease;
import io.holdfast.LockOptions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A lock that was passed on to somebody who sleeps, and others who are awake; and how long it is passed on. */
@Timeout(60)
class OvertakingTest extends EngineFixture {
    private static final Duration LONG_TURN = Duration.ofNanos(Line.SHORT_TURN_NANOS);
    private static final Duration SHORT_TURN = LONG_TURN.minusNanos(1);

    private List<CompletableFuture<Lease>> waiters(int count) {
        List<CompletableFuture<Lease>> all = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            all.add(waiting(lock()));
        }
        return all;
    }

    /** Has the lock passed on to the first of some who all sleep, after a turn that took longer than waking does. */
    private List<CompletableFuture<Lease>> passedOnToSleepers(int count) {
        return passedOnToSleepers(count, LONG_TURN);
    }

    private List<CompletableFuture<Lease>> passedOnToSleepers(int count, Duration turn) {
        Lease held = lock().acquire();
        List<CompletableFuture<Lease>> sleepers = waiters(count);
        runtime.worker().stop();
        runtime.advance(turn);
        held.close();
        return sleepers;
    }

    private void awake(List<CompletableFuture<Lease>> sleepers) {
        runtime.worker().go();
        for (CompletableFuture<Lease> sleeper : sleepers) {
            lease(sleeper).close();
            runtime.run();
        }
    }

    /** Uses every turn of some holds, each of which takes so long. */
    private void useUp(int holds, long microsOfEach) {
        CompletableFuture<Lease> next = waiting(lock());
        for (int i = 0; i < holds; i++) {
            int seen = backend.attempts().size();
            boolean aged = false;
            while (backend.attempts().size() == seen) {
                CompletableFuture<Lease> after = waiting(lock());
                if (!aged) {
                    runtime.advance(Duration.ofNanos(microsOfEach * 1_000));
                    aged = true;
                }
                lease(next).close();
                runtime.run();
                next = after;
            }
        }
        runtime.advance(Duration.ofNanos(microsOfEach * 1_000));
        lease(next).close();
        runtime.run();
    }

    /** In a thread of its own, so that a test that is wrong does not wait for ever. */
    private void overtake() throws Exception {
        overtake(LONG_TURN);
    }

    private void overtake(Duration turn) throws Exception {
        Lease lease = Actor.does("overtakes", lock()::acquire).result();
        runtime.advance(turn);
        lease.close();
    }

    @Test
    void acquire_firstHasNotComeYet_takesItsTurn() {
        List<CompletableFuture<Lease>> sleepers = passedOnToSleepers(1);

        Lease quick = lock().acquire();

        assertThat(quick.token()).isEqualTo(2);
        assertThat(quick.isValid()).isTrue();
        assertThat(backend.calls()).hasSize(1);
        runtime.worker().go();
        assertThat(sleepers.get(0)).as("who woke up too late").isNotDone();
        quick.close();
        runtime.run();
        assertThat(lease(sleepers.get(0)).token()).isEqualTo(3);
        lease(sleepers.get(0)).close();
    }

    @ParameterizedTest
    @CsvSource({"60, 4", "62, 2", "63, 1", "64, 0"})
    void acquire_severalSleep_theMoreTheLessOftenTheirFirstIsOvertaken(int count, int times) throws Exception {
        List<CompletableFuture<Lease>> sleepers = passedOnToSleepers(count);
        for (int i = 0; i < times; i++) {
            overtake();
        }

        Actor<Lease> oneTooMany = Actor.does("one-too-many", lock()::acquire).awaitParked();

        awake(sleepers);
        oneTooMany.result().close();
    }

    @Test
    void acquire_oneSleeps_isOvertakenWhileItWakesUpAndNoLonger() throws Exception {
        useUp(2, 1_000);
        List<CompletableFuture<Lease>> sleepers = passedOnToSleepers(1);
        for (long nanos = 0; nanos < Line.WAKING_NANOS; nanos += LONG_TURN.toNanos()) {
            overtake();
        }

        Actor<Lease> oneTooMany = Actor.does("one-too-many", lock()::acquire).awaitParked();

        awake(sleepers);
        oneTooMany.result().close();
    }

    @Test
    void acquire_firstShouldBeAwake_isNotOvertakenByShortTurnsEither() throws Exception {
        List<CompletableFuture<Lease>> sleepers = passedOnToSleepers(1, SHORT_TURN);
        overtake(SHORT_TURN);
        runtime.advance(Duration.ofNanos(Line.WAKING_NANOS));

        Actor<Lease> tooLate = Actor.does("too-late", lock()::acquire).awaitParked();

        awake(sleepers);
        tooLate.result().close();
    }

    /** Their turns fit into the time that waking takes, so those who sleep lose nothing by them. */
    @Test
    void acquire_turnsAreShort_theFirstOfALongLineIsOvertakenForAMillisecond() throws Exception {
        useUp(3, 1_000);
        List<CompletableFuture<Lease>> sleepers = passedOnToSleepers(Line.FAIR_TURNS, SHORT_TURN);
        Duration overtaken = Duration.ZERO;
        for (int i = 0; i < Line.MOST_OVERTAKING || overtaken.toNanos() < Line.LONG_WAKING_NANOS; i++) {
            overtake(SHORT_TURN);
            overtaken = overtaken.plus(SHORT_TURN);
        }

        Actor<Lease> oneTooMany = Actor.does("one-too-many", lock()::acquire).awaitParked();

        awake(sleepers);
        oneTooMany.result().close();
    }

    /** Each short turn wakes it anew, but not for ever. */
    @Test
    void acquire_firstSleepsForLong_isOvertakenSixteenTimesByShortTurns() throws Exception {
        useUp(2, 1_000);
        List<CompletableFuture<Lease>> sleepers = passedOnToSleepers(1, SHORT_TURN);
        for (int i = 0; i < Line.MOST_OVERTAKING; i++) {
            runtime.advance(Duration.ofNanos(Line.WAKING_NANOS / 2));
            overtake(SHORT_TURN);
        }

        Actor<Lease> oneTooMany = Actor.does("one-too-many", lock()::acquire).awaitParked();

        awake(sleepers);
        oneTooMany.result().close();
    }

    @Test
    void acquire_turnsBecomeLong_theFirstOfALongLineIsOvertakenNoMore() throws Exception {
        List<CompletableFuture<Lease>> sleepers = passedOnToSleepers(Line.FAIR_TURNS, SHORT_TURN);
        overtake(LONG_TURN);

        Actor<Lease> oneTooMany = Actor.does("one-too-many", lock()::acquire).awaitParked();

        awake(sleepers);
        oneTooMany.result().close();
    }

    @Test
    void acquire_overtakenBeforeItWasFirst_thatCountsToo() throws Exception {
        List<CompletableFuture<Lease>> sleepers = passedOnToSleepers(61);
        overtake();
        overtake();
        runtime.worker().go();
        runtime.worker().stop();
        CompletableFuture<Lease> late = lock().acquireAsync();
        lease(sleepers.get(0)).close();

        overtake();
        Actor<Lease> oneTooMany = Actor.does("one-too-many", lock()::acquire).awaitParked();

        awake(sleepers.subList(1, sleepers.size()));
        lease(late).close();
        runtime.run();
        oneTooMany.result().close();
    }

    @Test
    void acquire_renewalFailed_doesNotOvertake() throws Exception {
        Lease held = lock().acquire();
        List<CompletableFuture<Lease>> sleepers = waiters(1);
        runtime.worker().stop();
        held.close();
        backend.renewals(renewal -> {
            throw new IllegalStateException("no answer");
        });
        runtime.advance(seconds(11));

        Actor<Lease> waits = Actor.does("waits", lock()::acquire).awaitParked();

        awake(sleepers);
        waits.result().close();
    }

    @Test
    void acquire_needsLongerThanIsLeft_doesNotOvertake() throws Exception {
        List<CompletableFuture<Lease>> sleepers = passedOnToSleepers(1);
        LockOptions longer = LockOptions.defaults().fixedLease(seconds(60));

        Actor<Lease> waits =
                Actor.does("longer", engine.lock("a", longer)::acquire).awaitParked();

        awake(sleepers);
        waits.result().close();
    }

    // ---- how many turns a hold has

    @Test
    void attempt_turnsWereTooFew_asksForTwiceAsMany() {
        useUp(3, 1_000);

        assertThat(backend.attempts())
                .extracting(call -> call.claim().tokens())
                .startsWith(Cohort.USUAL, 2 * Cohort.USUAL, 4 * Cohort.USUAL);
    }

    @Test
    void attempt_turnsAreShorterThanAMicrosecond_tokensDoNotOutrunTheClock() {
        useUp(3, 40);

        assertThat(backend.attempts())
                .extracting(call -> call.claim().tokens())
                .startsWith(Cohort.USUAL, 2 * Cohort.USUAL, 40);
    }

    @Test
    void attempt_manyWait_asksForFewTurns() {
        inTurn(waiters(200), millis(1));

        assertThat(backend.attempts())
                .extracting(call -> call.claim().tokens())
                .startsWith(Cohort.USUAL, Cohort.LONG_LINE, Cohort.LONG_LINE);
    }

    /** Else nearly all of the time would go into the way to the store and back. */
    @Test
    void attempt_manyWaitFarFromTheStore_asksForAsManyTurnsAsTheTripIsWorth() {
        backend.releases(claim -> {
            runtime.advance(millis(5));
            return true;
        });

        inTurn(waiters(300), Duration.ofNanos(500_000));

        assertThat(backend.attempts())
                .extracting(call -> call.claim().tokens())
                .startsWith(Cohort.USUAL, Cohort.LONG_LINE, 2 * Cohort.LONG_LINE, 4 * Cohort.LONG_LINE);
    }

    private void inTurn(List<CompletableFuture<Lease>> all, Duration turn) {
        for (CompletableFuture<Lease> each : all) {
            runtime.advance(turn);
            lease(each).close();
            runtime.run();
        }
    }

    /** Held long enough for as many tokens as before: what was not used is the only reason to ask for fewer. */
    @Test
    void attempt_turnsWereNotUsed_asksForHalfAsMany() {
        useUp(3, 1_000);
        int before = backend.attempts().size();
        for (int i = 0; i < 4; i++) {
            Lease lease = lock().acquire();
            runtime.advance(millis(1));
            lease.close();
        }

        assertThat(backend.attempts().subList(before, before + 4))
                .extracting(call -> call.claim().tokens())
                .containsExactly(4 * Cohort.USUAL, 2 * Cohort.USUAL, Cohort.USUAL, Cohort.USUAL);
    }

    @Test
    void attempt_wellUsedForLong_noMoreThanTheMost() {
        useUp(8, 1_000);

        assertThat(backend.attempts())
                .extracting(call -> call.claim().tokens())
                .allMatch(tokens -> tokens <= Cohort.MOST)
                .anyMatch(tokens -> tokens > Cohort.MOST / 2);
    }
}
