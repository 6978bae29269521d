package io.holdfast.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.Acquirable;
import io.holdfast.DistributedSemaphore;
import io.holdfast.Lease;
import io.holdfast.LockEvent;
import io.holdfast.LockKind;
import io.holdfast.LockOptions;
import io.holdfast.LockStatus;
import io.holdfast.LockStoreException;
import io.holdfast.spi.RenewResult;
import io.holdfast.spi.Resource;
import io.holdfast.spi.ResourceView;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Permits of one client: what is given back goes to the next here, and one claim stands in the store's line. */
@Timeout(60)
class PermitSharingTest extends EngineFixture {

    private DistributedSemaphore permits() {
        return engine.semaphore("s", 4);
    }

    private CompletableFuture<Lease> waiting(Acquirable<Lease> permits) {
        CompletableFuture<Lease> future = permits.acquireAsync();
        runtime.run();
        return future;
    }

    private void othersAreBefore() {
        backend.attempts(ScriptedBackend.queued(1, seconds(10)));
    }

    private void close(Lease lease) {
        lease.close();
        runtime.run();
    }

    @Test
    void acquire_severalAtOnce_aClaimForEach() {
        Lease one = permits().acquire();
        Lease two = permits().acquire();

        assertThat(backend.attempts()).hasSize(2);
        assertThat(one.token()).isNotEqualTo(two.token());
        close(one);
        assertThat(backend.releases())
                .as("given back at once when nobody waits")
                .hasSize(1);
        assertThat(two.isValid()).isTrue();
    }

    @Test
    void close_somebodyWaitsHere_passedOn() {
        Lease one = permits().acquire();
        Lease two = permits().acquire();
        othersAreBefore();
        CompletableFuture<Lease> next = waiting(permits());
        CompletableFuture<Lease> afterNext = waiting(permits());

        close(one);

        assertThat(lease(next).token()).isEqualTo(one.token() + 1);
        assertThat(afterNext).as("more leases than were granted").isNotDone();
        assertThat(two.isValid()).isTrue();
        assertThat(backend.releases()).isEmpty();
    }

    @Test
    void acquire_manyWait_oneClaimInTheStoresLine() {
        permits().acquire();
        othersAreBefore();

        for (int i = 0; i < 5; i++) {
            waiting(permits());
        }
        runtime.advance(seconds(5));

        assertThat(backend.attempts().stream().map(call -> call.claim().id()).distinct())
                .hasSize(2);
    }

    @Test
    void close_passedOnToTheFirst_itsClaimStaysForTheNext() {
        Lease one = permits().acquire();
        othersAreBefore();
        CompletableFuture<Lease> first = waiting(permits());
        CompletableFuture<Lease> second = waiting(permits());

        close(one);
        push(backend.claim(1), seconds(3));

        assertThat(first.isDone() && second.isDone()).isTrue();
        assertThat(backend.attempts()).hasSize(2);
        assertThat(backend.releases()).isEmpty();
    }

    @Test
    void close_passedOnToTheLast_itsClaimLeavesTheLine() {
        Lease one = permits().acquire();
        othersAreBefore();
        CompletableFuture<Lease> last = waiting(permits());

        close(one);

        assertThat(last).isCompleted();
        assertThat(backend.releasesOf(backend.claim(1))).isOne();
        close(lease(last));
        assertThat(engine.leftovers()).isZero();
    }

    @Test
    void close_othersWantMore_notPassedOnToThem() {
        Lease one = permits().acquire();
        othersAreBefore();
        CompletableFuture<Lease> two = waiting(permits().taking(2));

        close(one);

        assertThat(two).isNotDone();
        assertThat(backend.releasesOf(backend.claim(0))).isOne();
        push(backend.claim(1), seconds(3));
        assertThat(two).isCompleted();
    }

    @Test
    void close_fiftyMillisAfterTheGrant_notPassedOn() {
        Lease one = permits().acquire();
        othersAreBefore();
        CompletableFuture<Lease> next = waiting(permits());
        runtime.advance(millis(50));

        close(one);

        assertThat(next).isNotDone();
        assertThat(backend.releasesOf(backend.claim(0))).isOne();
    }

    @Test
    void close_twoWhileTheFirstSleeps_twoAreCalled() {
        Lease one = permits().acquire();
        Lease two = permits().acquire();
        othersAreBefore();
        CompletableFuture<Lease> first = waiting(permits());
        CompletableFuture<Lease> second = waiting(permits());
        CompletableFuture<Lease> third = waiting(permits());
        runtime.worker().stop();
        one.close();
        two.close();

        runtime.worker().go();

        assertThat(first.isDone() && second.isDone()).isTrue();
        assertThat(third).isNotDone();
    }

    @Test
    void cancel_whileItIsPassedOn_theNextGetsIt() {
        Lease one = permits().acquire();
        othersAreBefore();
        CompletableFuture<Lease> first = waiting(permits());
        CompletableFuture<Lease> second = waiting(permits());

        one.close();
        first.cancel(false);
        runtime.run();

        assertThat(second).isCompleted();
    }

    @Test
    void acquire_firstShouldBeAwake_isNotOvertaken() throws Exception {
        Lease one = permits().acquire();
        othersAreBefore();
        CompletableFuture<Lease> sleeper = waiting(permits());
        runtime.worker().stop();
        runtime.advance(Duration.ofNanos(Line.SHORT_TURN_NANOS));
        one.close();
        Lease quick = Actor.does("quick", permits()::acquire).result();
        runtime.advance(Duration.ofNanos(Line.WAKING_NANOS));
        quick.close();

        Actor<Lease> slow = Actor.does("slow", permits()::acquire).awaitParked();

        runtime.worker().go();
        close(lease(sleeper));
        slow.result().close();
    }

    @Test
    void attempt_severalAreHeld_theyShareTheTurns() {
        for (int i = 0; i < 4; i++) {
            permits().acquire();
        }

        assertThat(backend.attempts())
                .extracting(call -> call.claim().tokens())
                .containsExactly(Cohort.USUAL, Cohort.USUAL / 2, Cohort.USUAL / 3, Cohort.USUAL / 4);
    }

    @Test
    void tryAcquire_othersOfTheClientWait_asksTheStoreItself() {
        othersAreBefore();
        waiting(permits());
        backend.nextAttempt(this::grant);

        assertThat(permits().tryAcquire()).isPresent();
        assertThat(events(LockEvent.Contended.class)).hasSize(1);
    }

    @Test
    void tryAcquire_itsTroubleWillLast_theLineKeepsItsClaim() {
        othersAreBefore();
        CompletableFuture<Lease> first = waiting(permits());
        CompletableFuture<Lease> second = waiting(permits());
        backend.nextAttempt(claim -> {
            throw new LockStoreException(LockKind.SEMAPHORE, "s", "no password", null, true);
        });

        assertThatThrownBy(permits()::tryAcquire).hasMessageContaining("no password");

        runtime.run();
        assertThat(first.isDone() || second.isDone()).isFalse();
        push(backend.claim(0), seconds(3));
        assertThat(first).isCompleted();
    }

    @Test
    void gone_oneOfSeveral_theOthersStay() {
        Lease one = permits().acquire();
        Lease two = permits().acquire();
        backend.renewals(renewals -> renewals.stream()
                .<RenewResult>map(
                        renewal -> renewal.claim().id().equals(backend.claim(0).id())
                                ? new RenewResult.Gone()
                                : new RenewResult.Renewed(renewal.lease()))
                .toList());

        runtime.advance(seconds(11));

        assertThat(one.isValid()).isFalse();
        assertThat(two.isValid()).isTrue();
        storeMayKeepClaims();
    }

    @Test
    void revoked_whileItIsPassedOn_nobodyGetsIt() {
        Lease one = permits().acquire();
        othersAreBefore();
        CompletableFuture<Lease> sleeper = waiting(permits());
        runtime.worker().stop();
        one.close();
        backend.renewals(renewals -> List.of(new RenewResult.Gone()));
        runtime.advance(seconds(11));

        runtime.worker().go();

        assertThat(sleeper).isNotDone();
        push(backend.claim(1), seconds(3));
        assertThat(sleeper).isCompleted();
        storeMayKeepClaims();
    }

    @Test
    void close_clientWhileAPermitIsPassedOn_givenBack() {
        Lease one = permits().acquire();
        othersAreBefore();
        CompletableFuture<Lease> sleeper = waiting(permits());
        runtime.worker().stop();
        one.close();

        engine.close();

        assertThat(sleeper).isCompletedExceptionally();
        assertThat(backend.known()).isEmpty();
    }

    @Test
    void inspector_permitPassedOn_showsWhoHasItNowAndWhoWaits() {
        DistributedSemaphore first =
                engine.semaphore("s", 4, LockOptions.defaults().label("first"));
        Lease one = first.acquire();
        othersAreBefore();
        waiting(engine.semaphore("s", 4, LockOptions.defaults().label("second")));
        waiting(engine.semaphore("s", 4, LockOptions.defaults().label("third")));
        waiting(engine.semaphore("s", 4, LockOptions.defaults().label("pair")).taking(2));
        close(one);
        Resource resource = new Resource(LockKind.SEMAPHORE, "s", 4);
        backend.inspections(asked -> Optional.of(new ResourceView(
                resource,
                List.of(new ResourceView.Holder(backend.claim(0).id(), 1, 16, seconds(20), "first")),
                List.of(new ResourceView.Waiting(backend.claim(1).id(), 1, "second")))));

        LockStatus status = engine.inspector().find(LockKind.SEMAPHORE, "s").orElseThrow();

        assertThat(status.holders()).extracting(LockStatus.Holder::label).containsExactly("second");
        assertThat(status.waiters()).extracting(LockStatus.Waiter::label).containsExactly("third", "pair");
    }
}
