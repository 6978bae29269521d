package io.holdfast.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.GaveUpReason;
import io.holdfast.Lease;
import io.holdfast.LockEvent;
import io.holdfast.LockKind;
import io.holdfast.LockListener;
import io.holdfast.LockRefusedException;
import io.holdfast.spi.AttemptResult;
import io.holdfast.spi.Claim;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/** What listeners and callbacks hear, and what happens when they throw. */
class EventsTest extends EngineFixture {

    // ---- at risk

    private void failNextRenewal() {
        backend.nextRenewal(renewals -> {
            runtime.jump(millis(1));
            throw new IllegalStateException("connection reset");
        });
    }

    @Test
    void onAtRisk_severalFailuresInARow_onceForTheRow() {
        Lease lease = lock().acquire();
        List<String> told = new ArrayList<>();
        lease.onAtRisk(() -> told.add("at risk"));
        failNextRenewal();
        failNextRenewal();

        runtime.advance(USABLE.dividedBy(3));
        assertThat(told).hasSize(1);
        runtime.advance(seconds(9));
        assertThat(backend.renewals()).hasSizeGreaterThanOrEqualTo(3);

        assertThat(told).hasSize(1);
        assertThat(events(LockEvent.AtRisk.class)).hasSize(1);
    }

    @Test
    void onAtRisk_secondRowOfFailures_toldAgain() {
        Lease lease = lock().acquire();
        List<String> told = new ArrayList<>();
        lease.onAtRisk(() -> told.add("at risk"));
        failNextRenewal();
        runtime.advance(seconds(18));
        assertThat(told).hasSize(1);
        assertThat(lease.remaining()).as("renewed again").isGreaterThan(seconds(20));

        failNextRenewal();
        runtime.advance(seconds(18));

        assertThat(told).hasSize(2);
    }

    @Test
    void onAtRisk_leaseStillValid_saysHowLongAndWhy() {
        Lease lease = lock().acquire();
        failNextRenewal();

        runtime.advance(USABLE.dividedBy(3));

        LockEvent.AtRisk event = events(LockEvent.AtRisk.class).get(0);
        assertThat(event.name()).isEqualTo("a");
        assertThat(event.token()).isEqualTo(lease.token());
        assertThat(event.remaining()).isEqualTo(lease.remaining()).isPositive();
        assertThat(event.cause()).hasMessage("connection reset");
        assertThat(lease.isValid()).isTrue();
    }

    @Test
    void onAtRisk_actionThrows_loggedAndTheOthersRun() {
        try (LogCapture log = new LogCapture()) {
            Lease lease = lock().acquire();
            List<String> told = new ArrayList<>();
            lease.onAtRisk(() -> {
                throw new IllegalArgumentException("no");
            });
            lease.onAtRisk(() -> told.add("at risk"));
            failNextRenewal();

            runtime.advance(seconds(18));

            assertThat(told).hasSize(1);
            assertThat(log.messages())
                    .hasSize(2)
                    .anyMatch(message -> message.contains("onAtRisk"))
                    .anyMatch(message -> message.contains("could not be renewed"));
            assertThat(lease.isValid()).isTrue();
            assertThat(backend.renewals()).hasSize(2);
        }
    }

    // ---- listeners

    @Test
    void listener_uncontended_acquiredThenReleased() {
        Lease lease = lock().acquire();
        runtime.jump(seconds(2));
        lease.close();

        assertThat(events)
                .containsExactly(
                        LockEvent.Acquired.of(LockKind.LOCK, "a", 1, seconds(0)),
                        LockEvent.Released.of(LockKind.LOCK, "a", 1, seconds(2)));
    }

    @Test
    void listener_waitForSomebodyElse_contendedOnceAndTheWaitIsMeasured() {
        CompletableFuture<Lease> future = queued(lock());
        runtime.advance(seconds(5));
        assertThat(backend.attempts()).hasSizeGreaterThan(2);

        push(backend.claim(0), seconds(3));

        assertThat(future).isCompleted();
        assertThat(events)
                .containsExactly(
                        LockEvent.Contended.of(LockKind.LOCK, "a"),
                        LockEvent.Acquired.of(LockKind.LOCK, "a", 1, seconds(5), true));
    }

    @Test
    void listener_waitForAnotherThreadHere_contendedOnce() {
        Lease held = lock().acquire();
        CompletableFuture<Lease> next = waiting(lock());

        held.close();
        runtime.run();

        assertThat(lease(next).token()).isEqualTo(2);
        assertThat(events)
                .containsExactly(
                        LockEvent.Acquired.of(LockKind.LOCK, "a", 1, seconds(0)),
                        LockEvent.Contended.of(LockKind.LOCK, "a"),
                        LockEvent.Released.of(LockKind.LOCK, "a", 1, seconds(0)),
                        LockEvent.Acquired.of(LockKind.LOCK, "a", 2, seconds(0), true));
    }

    @Test
    void listener_storeRefuses_obstructedOnceAndNeverContended() {
        Function<Claim, AttemptResult> refused = claim -> new AttemptResult.Refused("restarted", seconds(2));
        backend.nextAttempt(refused);
        backend.nextAttempt(refused);
        CompletableFuture<Lease> first = waiting(lock());
        CompletableFuture<Lease> second = waiting(lock());

        runtime.advance(seconds(4));

        assertThat(first).isCompleted();
        assertThat(second).isNotDone();
        assertThat(events.subList(0, 2))
                .allSatisfy(event -> assertThat(((LockEvent.Obstructed) event).cause())
                        .isInstanceOf(LockRefusedException.class)
                        .hasMessageContaining("restarted"));
        assertThat(events.subList(2, events.size()))
                .containsExactly(LockEvent.Acquired.of(LockKind.LOCK, "a", 1, seconds(4)));
    }

    /** It does not wait, and is not obstructed: it fails. */
    @Test
    void listener_oneTryWhileTheStoreRefuses_failed() {
        backend.attempts(claim -> new AttemptResult.Refused("restarted", seconds(2)));
        CompletableFuture<Lease> first = waiting(lock());
        events.clear();

        assertThatThrownBy(() -> lock().tryAcquire()).isInstanceOf(LockRefusedException.class);

        assertThat(first).isNotDone();
        assertThat(events).hasSize(1);
        assertThat(events(LockEvent.Failed.class)).hasSize(1);
    }

    @Test
    void listener_storeDoesNotAnswer_obstructedAndNotContended() {
        backend.nextAttempt(ScriptedBackend.down());
        CompletableFuture<Lease> future = waiting(lock());
        runtime.advance(seconds(1));

        assertThat(future).isCompleted();
        assertThat(events).hasSize(2);
        assertThat(events.get(0)).isInstanceOf(LockEvent.Obstructed.class);
    }

    @Test
    void listener_oneTryOnATakenLock_contendedAndGaveUp() {
        backend.attempts(ScriptedBackend.busy());

        assertThat(lock().tryAcquire()).isEmpty();

        assertThat(events)
                .containsExactly(
                        LockEvent.Contended.of(LockKind.LOCK, "a"),
                        LockEvent.GaveUp.of(LockKind.LOCK, "a", seconds(0), GaveUpReason.BUSY, true));
    }

    @Test
    void listener_throws_loggedOnceAndDisturbsNothing() {
        try (LogCapture log = new LogCapture()) {
            List<LockEvent> heard = new ArrayList<>();
            LockListener broken = event -> {
                heard.add(event);
                throw new IllegalArgumentException("no");
            };
            engine.addListener(broken);
            List<LockEvent> after = new ArrayList<>();
            engine.addListener(after::add);

            for (int i = 0; i < 3; i++) {
                lock().acquire().close();
            }

            assertThat(heard).hasSize(6);
            assertThat(events).hasSize(6);
            assertThat(after).hasSize(6);
            assertThat(log.messages()).hasSize(1).allMatch(message -> message.contains(broken.toString()));
            assertThat(backend.releases()).hasSize(3);
        }
    }

    @Test
    void listener_twoThrow_eachIsLoggedOnce() {
        try (LogCapture log = new LogCapture()) {
            engine.addListener(event -> {
                throw new IllegalArgumentException("no");
            });
            engine.addListener(event -> {
                throw new AssertionError("no");
            });

            lock().acquire().close();

            assertThat(log.messages()).hasSize(2);
        }
    }

    @Test
    void removeListener_registered_hearsNoMore() {
        List<LockEvent> heard = new ArrayList<>();
        LockListener listener = heard::add;
        engine.addListener(listener);
        Lease lease = lock().acquire();

        engine.removeListener(listener);
        engine.removeListener(event -> {});
        lease.close();

        assertThat(heard).hasSize(1);
    }

    @Test
    void addListener_null_refused() {
        assertThatThrownBy(() -> engine.addListener(null)).isInstanceOf(NullPointerException.class);
        assertThatThrownBy(() -> engine.removeListener(null)).isInstanceOf(NullPointerException.class);
    }
}
