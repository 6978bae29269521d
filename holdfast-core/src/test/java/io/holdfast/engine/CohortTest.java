package io.holdfast.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.Lease;
import io.holdfast.LockEvent;
import io.holdfast.LockOptions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** One grant, passed on among the threads of a client. */
class CohortTest extends EngineFixture {

    private List<CompletableFuture<Lease>> waiters(int count) {
        List<CompletableFuture<Lease>> all = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            all.add(waiting(lock()));
        }
        return all;
    }

    private void close(Lease lease) {
        lease.close();
        runtime.run();
    }

    @Test
    void close_othersWaitHere_passedOnWithoutTheStore() {
        Lease first = lock().acquire();
        CompletableFuture<Lease> second = waiting(lock());

        close(first);

        assertThat(lease(second).token()).isEqualTo(first.token() + 1);
        assertThat(backend.calls()).hasSize(1);
        assertThat(first.isValid()).isFalse();
        assertThat(lease(second).isValid()).isTrue();
    }

    @Test
    void id_passedOnOrGrantedAnew_withTheTokenNamesOneLease() {
        Lease first = lock().acquire();
        CompletableFuture<Lease> second = waiting(lock());
        close(first);
        close(lease(second));
        Lease third = lock().acquire();

        assertThat(lease(second).id())
                .as("one claim, other tokens")
                .isEqualTo(first.id())
                .isEqualTo(backend.claim(0).id().toString());
        assertThat(third.id())
                .as("another claim")
                .isNotEqualTo(first.id())
                .isEqualTo(backend.claim(1).id().toString());
        close(third);
        assertThat(third.id())
                .as("also when it is closed")
                .isEqualTo("client:" + backend.claim(1).id().sequence());
    }

    @Test
    void close_manyWaitHere_sixteenLeasesOfOneGrantWithConsecutiveTokens() {
        Lease first = lock().acquire();
        List<CompletableFuture<Lease>> others = waiters(20);
        List<Long> tokens = new ArrayList<>(List.of(first.token()));

        close(first);
        for (int i = 0; i < 15; i++) {
            assertThat(backend.attempts()).as("attempts after %d leases", i + 2).hasSize(1);
            tokens.add(lease(others.get(i)).token());
            close(lease(others.get(i)));
        }

        assertThat(tokens).containsExactly(1L, 2L, 3L, 4L, 5L, 6L, 7L, 8L, 9L, 10L, 11L, 12L, 13L, 14L, 15L, 16L);
        assertThat(backend.attempts()).as("the seventeenth asks the store").hasSize(2);
        assertThat(backend.claim(1).id()).isNotEqualTo(backend.claim(0).id());
        assertThat(backend.releasesOf(backend.claim(0))).isOne();
        assertThat(lease(others.get(15)).token()).isEqualTo(17);
    }

    @Test
    void close_releaseBeforeTheNewClaim_neverTwoClaimsAtOnce() {
        Lease first = lock().acquire();
        waiters(1);
        runtime.advance(millis(50));

        close(first);

        assertThat(backend.calls())
                .satisfiesExactly(
                        call -> assertThat(call).isInstanceOf(ScriptedBackend.Call.Attempt.class),
                        call -> assertThat(call).isInstanceOf(ScriptedBackend.Call.Release.class),
                        call -> assertThat(call).isInstanceOf(ScriptedBackend.Call.Attempt.class));
    }

    @Test
    void close_justWithinFiftyMillisOfTheGrant_passedOn() {
        Lease first = lock().acquire();
        CompletableFuture<Lease> second = waiting(lock());
        runtime.advance(millis(50).minusNanos(1));

        close(first);

        assertThat(lease(second).token()).isEqualTo(2);
        assertThat(backend.attempts()).hasSize(1);
    }

    @Test
    void close_fiftyMillisAfterTheGrant_notPassedOn() {
        Lease first = lock().acquire();
        CompletableFuture<Lease> second = waiting(lock());
        runtime.advance(millis(50));

        close(first);

        assertThat(lease(second).token()).isEqualTo(1 + Cohort.USUAL);
        assertThat(backend.attempts()).hasSize(2);
    }

    @Test
    void close_fiftyMillisAreOfTheGrantNotOfTheLease() {
        Lease first = lock().acquire();
        List<CompletableFuture<Lease>> others = waiters(2);
        runtime.advance(millis(30));
        close(first);
        runtime.advance(millis(30));

        close(lease(others.get(0)));

        assertThat(backend.attempts()).hasSize(2);
    }

    @Test
    void close_blockIsDroppedWithItsClaim_noTokenOfItIsUsedAgain() {
        lock().acquire().close();

        Lease next = lock().acquire();

        assertThat(next.token()).isEqualTo(1 + Cohort.USUAL);
        assertThat(backend.attempts()).hasSize(2);
    }

    @Test
    void close_littleTimeLeft_notPassedOn() {
        backend.nextAttempt(claim -> backend.grant(claim, millis(900)));
        Lease first = lock().acquire();
        CompletableFuture<Lease> second = waiting(lock());

        close(first);

        assertThat(backend.attempts()).hasSize(2);
        assertThat(lease(second).remaining()).isEqualTo(USABLE);
    }

    @Test
    void close_shortLeaseWithMostOfItLeft_passedOn() {
        LockOptions brief = LockOptions.defaults().lease(millis(600));
        Lease first = engine.lock("a", brief).acquire();
        CompletableFuture<Lease> second = waiting(engine.lock("a", brief));

        close(first);

        assertThat(second).isCompleted();
        assertThat(backend.attempts()).hasSize(1);
    }

    @Test
    void close_deadlinePassed_lostAndNotPassedOn() {
        storeMayKeepClaims();
        Lease first = lock().acquire();
        CompletableFuture<Lease> second = waiting(lock());
        runtime.stepWall(USABLE);

        close(first);

        assertThat(backend.attempts()).hasSize(2);
        assertThat(lease(second).token()).isEqualTo(1 + Cohort.USUAL);
        assertThat(events(LockEvent.Lost.class)).hasSize(1);
    }

    @Test
    void passing_deadlinePassesOnTheWay_newClaimForTheNextWaiter() {
        storeMayKeepClaims();
        Lease first = lock().acquire();
        CompletableFuture<Lease> second = waiting(lock());
        runtime.worker().stop();
        first.close();
        runtime.stepWall(USABLE);

        runtime.worker().go();

        assertThat(backend.attempts()).hasSize(2);
        assertThat(lease(second).token()).isEqualTo(1 + Cohort.USUAL);
        assertThat(lease(second).remaining()).isEqualTo(USABLE);
        assertThat(backend.releasesOf(backend.claim(0))).isOne();
    }

    @Test
    void close_renewalFailed_notPassedOn() {
        LockOptions brief = LockOptions.defaults().lease(millis(100));
        backend.renewals(ScriptedBackend.down());
        Lease first = engine.lock("a", brief).acquire();
        CompletableFuture<Lease> second = waiting(engine.lock("a", brief));
        runtime.advance(millis(30));
        assertThat(events(LockEvent.AtRisk.class)).hasSize(1);
        assertThat(first.isValid()).isTrue();
        assertThat(first.remaining()).isGreaterThan(millis(34));

        close(first);

        assertThat(backend.attempts()).hasSize(2);
        assertThat(lease(second).token()).isEqualTo(1 + Cohort.USUAL);
    }

    @Test
    void close_renewalFailedAndThenWorked_passedOnAgain() {
        LockOptions brief = LockOptions.defaults().lease(millis(100));
        backend.nextRenewal(ScriptedBackend.down());
        Lease first = engine.lock("a", brief).acquire();
        CompletableFuture<Lease> second = waiting(engine.lock("a", brief));
        runtime.advance(millis(48));
        assertThat(backend.renewals()).hasSize(2);

        close(first);

        assertThat(backend.attempts()).hasSize(1);
        assertThat(second).isCompleted();
    }

    @Test
    void passedOn_toAFixedLeaseThatIsLonger_confirmedFirst() {
        Lease first = lock().acquire();
        Duration fixed = Duration.ofMinutes(2);
        CompletableFuture<Lease> second =
                waiting(engine.lock("a", LockOptions.defaults().fixedLease(fixed)));

        close(first);

        assertThat(backend.attempts()).hasSize(1);
        assertThat(backend.renewals()).hasSize(1);
        assertThat(lease(second).remaining()).isEqualTo(usable(fixed));
    }

    /** Asking again with the same claim would begin its block of tokens anew. */
    @Test
    void passedOn_confirmationFails_newClaimWithAGreaterToken() {
        Lease first = lock().acquire();
        CompletableFuture<Lease> second =
                waiting(engine.lock("a", LockOptions.defaults().fixedLease(Duration.ofMinutes(2))));
        backend.nextRenewal(ScriptedBackend.down());

        close(first);
        runtime.advance(seconds(1));

        assertThat(backend.claim(1).id()).isNotEqualTo(backend.claim(0).id());
        assertThat(backend.releasesOf(backend.claim(0))).isPositive();
        assertThat(lease(second).token()).isGreaterThan(first.token());
    }

    @Test
    void passedOn_fromAFixedLease_renewedFromThenOn() {
        Lease first =
                engine.lock("a", LockOptions.defaults().fixedLease(seconds(30))).acquire();
        CompletableFuture<Lease> second = waiting(lock());
        close(first);

        runtime.advance(seconds(60));

        assertThat(lease(second).isValid()).isTrue();
        assertThat(backend.renewals()).isNotEmpty();
    }

    @Test
    void passedOn_watchdogFollowsTheCurrentOwner() throws Exception {
        storeMayKeepClaims();
        Lease first = lock().acquire();
        Actor<Lease> dies = Actor.does("dies", () -> {
            lock().lock();
            return lock().lease();
        });
        dies.awaitParked();
        first.close();
        Lease second = dies.result();
        dies.awaitDeath();

        runtime.advance(USABLE);

        assertThat(second.isValid()).isFalse();
        assertThat(events(LockEvent.Lost.class))
                .extracting(LockEvent.Lost::token)
                .containsExactly(second.token());
        assertThat(backend.renewals()).isEmpty();
    }

    @Test
    void close_nobodyWaits_backToTheStoreAtOnce() {
        lock().acquire().close();

        assertThat(backend.releases()).hasSize(1);
    }
}
