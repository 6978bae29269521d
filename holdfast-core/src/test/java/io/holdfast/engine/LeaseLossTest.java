package io.holdfast.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.Lease;
import io.holdfast.LockEvent;
import io.holdfast.LockLostException;
import io.holdfast.LostReason;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;

/** Lost is final, and told once. */
class LeaseLossTest extends EngineFixture {
    private final List<Object> told = new ArrayList<>();

    /** A lease whose deadline is past, and nobody has noticed yet. */
    private Lease overslept() {
        storeMayKeepClaims();
        Lease lease = lock().acquire();
        runtime.jump(USABLE);
        return lease;
    }

    @Test
    void onLost_manyNotice_runsOnce() {
        storeMayKeepClaims();
        Lease lease = lock().acquire();
        lease.onLost(told::add);
        runtime.jump(USABLE);

        lease.isValid();
        lease.remaining();
        lease.close();
        runtime.advance(seconds(60));
        lease.isValid();
        runtime.run();

        assertThat(told).containsExactly(LostReason.EXPIRED);
        assertThat(events(LockEvent.Lost.class)).hasSize(1);
        assertThat(events(LockEvent.Released.class)).isEmpty();
    }

    @Test
    void onLost_nobodyAsks_watchdogTells() {
        storeMayKeepClaims();
        Lease lease = lock().acquire();
        lease.onLost(told::add);

        runtime.jump(USABLE);
        runtime.advance(millis(1));

        assertThat(told).containsExactly(LostReason.EXPIRED);
        assertThat(engine.leftovers()).isZero();
    }

    @Test
    void onLost_registeredAfterTheLoss_runsAtOnceAndOnce() {
        Lease lease = overslept();
        assertThat(lease.isValid()).isFalse();
        runtime.run();

        lease.onLost(told::add);
        runtime.run();
        runtime.advance(seconds(60));

        assertThat(told).containsExactly(LostReason.EXPIRED);
    }

    @Test
    void onLost_severalActions_eachRunsOnce() {
        Lease lease = overslept();
        lease.onLost(reason -> told.add("first"));
        lease.onLost(reason -> told.add("second"));

        lease.isValid();
        lease.onLost(reason -> told.add("third"));
        runtime.run();

        assertThat(told).containsExactlyInAnyOrder("first", "second", "third");
    }

    @Test
    void onLost_neverOnTheThreadThatNotices() {
        Lease lease = overslept();
        lease.onLost(told::add);

        lease.isValid();

        assertThat(told).isEmpty();
        assertThat(events(LockEvent.Lost.class)).isEmpty();
        runtime.run();
        assertThat(told).hasSize(1);
    }

    @Test
    void onLost_closedLease_neverRuns() {
        Lease lease = lock().acquire();
        lease.onLost(told::add);

        lease.close();
        runtime.advance(seconds(60));
        lease.onLost(told::add);
        runtime.advance(seconds(60));

        assertThat(told).isEmpty();
        assertThat(events(LockEvent.Lost.class)).isEmpty();
        assertThat(events(LockEvent.Released.class)).hasSize(1);
    }

    @Test
    void onLost_actionThrows_loggedAndTheOthersRun() {
        try (LogCapture log = new LogCapture()) {
            Lease lease = overslept();
            lease.onLost(reason -> {
                throw new IllegalArgumentException("no");
            });
            lease.onLost(reason -> {
                throw new AssertionError("not this either");
            });
            lease.onLost(told::add);

            lease.isValid();
            runtime.run();

            assertThat(told).hasSize(1);
            assertThat(events(LockEvent.Lost.class)).hasSize(1);
            assertThat(log.messages())
                    .filteredOn(message -> message.contains("onLost"))
                    .hasSize(2);
        }
    }

    @Test
    void onLost_null_refusedAtOnce() {
        Lease lease = lock().acquire();

        assertThatThrownBy(() -> lease.onLost(null)).isInstanceOf(NullPointerException.class);
        assertThatThrownBy(() -> lease.onAtRisk(null)).isInstanceOf(NullPointerException.class);
    }

    @Test
    void lost_stageOfALostLease_completesWithTheReason() {
        Lease lease = overslept();
        CompletionStage<LostReason> before = lease.lost();

        lease.isValid();
        runtime.run();

        assertThat(before).isCompletedWithValue(LostReason.EXPIRED);
        assertThat(lease.lost()).isCompletedWithValue(LostReason.EXPIRED);
    }

    @Test
    void lost_stageOfAClosedLease_neverCompletes() {
        Lease lease = lock().acquire();
        CompletionStage<LostReason> stage = lease.lost();

        lease.close();
        runtime.advance(seconds(60));

        assertThat(stage.toCompletableFuture()).isNotDone();
    }

    @Test
    void lost_userCompletesItsCopy_nobodyElseIsFooled() {
        storeMayKeepClaims();
        Lease lease = lock().acquire();
        lease.onLost(told::add);

        lease.lost().toCompletableFuture().complete(LostReason.FORGOTTEN);
        runtime.run();

        assertThat(told).isEmpty();
        assertThat(lease.isValid()).isTrue();
        assertThat(lease.lost().toCompletableFuture()).isNotDone();
    }

    @Test
    void close_lostLease_nothing() {
        Lease lease = overslept();
        lease.isValid();

        lease.close();
        lease.closeAsync();
        runtime.run();

        assertThat(backend.releases()).isEmpty();
        assertThat(events(LockEvent.Released.class)).isEmpty();
        assertThatThrownBy(lease::ensureValid).isInstanceOf(LockLostException.class);
    }

    @Test
    void close_twice_oneRelease() {
        Lease lease = lock().acquire();

        lease.close();
        lease.close();

        assertThat(backend.releases()).hasSize(1);
        assertThat(events(LockEvent.Released.class)).hasSize(1);
        assertThat(lease.isValid()).isFalse();
        assertThat(lease.remaining()).isZero();
        assertThatThrownBy(lease::ensureValid)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("'a'")
                .hasMessageContaining("token 1")
                .hasMessageContaining("closed");
    }

    @Test
    void closeAsync_heldLease_releasedOnAnotherThread() {
        Lease lease = lock().acquire();

        CompletableFuture<Void> closing = lease.closeAsync();
        assertThat(backend.releases()).isEmpty();
        runtime.run();

        assertThat(closing).isCompleted();
        assertThat(backend.releases()).hasSize(1);
    }

    @Test
    void lostLease_gateIsFree_nextWaiterGetsALeaseWithAGreaterToken() {
        Lease lost = overslept();
        CompletableFuture<Lease> next = lock().acquireAsync();
        runtime.run();
        assertThat(next).isNotDone();

        lost.isValid();
        runtime.run();

        assertThat(lease(next).token()).isGreaterThan(lost.token());
        assertThat(backend.claim(1).id()).isNotEqualTo(backend.claim(0).id());
    }

    @Test
    void toString_everyState_saysIt() {
        storeMayKeepClaims();
        Lease closed = lock().acquire();
        assertThat(closed)
                .asString()
                .contains("'a'")
                .contains("token 1")
                .contains("held")
                .contains("29.69s");
        closed.close();
        assertThat(closed).asString().contains("closed");

        Lease lost = overslept();
        assertThat(lost.isValid()).isFalse();
        assertThat(lost).asString().contains("lost").contains("EXPIRED");
    }

    @Test
    void lost_stage_neverCompletesOnTheThreadThatNotices() {
        Lease lease = overslept();
        CompletionStage<LostReason> stage = lease.lost();
        runtime.callbacks().stop();

        assertThat(lease.isValid()).isFalse();

        assertThat(stage.toCompletableFuture()).isNotDone();
    }

    // ---- asking does not act

    @Test
    void isValid_deadlineIsPast_onlyMarks() {
        Lease lease = lock().acquire();
        lease.onLost(reason -> {});
        runtime.jump(USABLE);
        int calls = backend.calls().size();

        assertThat(lease.isValid()).isFalse();

        assertThat(engine.parts.watched.size()).as("grants that are watched").isOne();
        assertThat(backend.calls()).hasSize(calls);
        assertThat(events(LockEvent.Lost.class)).isEmpty();
        runtime.run();
        assertThat(engine.parts.watched.size()).isZero();
        assertThat(events(LockEvent.Lost.class)).hasSize(1);
        storeMayKeepClaims();
    }

    /** A mark stays, even if somebody sets the clock back. */
    @Test
    void isValid_wallClockSetForwardAndBack_staysLost() {
        Lease lease = lock().acquire();
        runtime.stepWall(USABLE);
        assertThat(lease.isValid()).isFalse();

        runtime.stepWall(USABLE.negated());

        assertThat(lease.isValid()).isFalse();
        runtime.run();
    }

    @Test
    void tryAcquire_leaseWasFoundLostAMomentAgo_asksTheStore() {
        Lease lease = lock().acquire();
        runtime.jump(USABLE);
        assertThat(lease.isValid()).isFalse();

        Optional<Lease> next = lock().tryAcquire();

        assertThat(next).isPresent();
        assertThat(backend.attempts()).hasSize(2);
        runtime.run();
        assertThat(next.orElseThrow().isValid()).isTrue();
        next.orElseThrow().close();
        storeMayKeepClaims();
    }
}
