package io.holdfast.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.DistributedLock;
import io.holdfast.Lease;
import io.holdfast.LockClient;
import io.holdfast.LockEvent;
import io.holdfast.LockException;
import io.holdfast.LockKind;
import io.holdfast.LockRefusedException;
import io.holdfast.LockStoreException;
import io.holdfast.LostReason;
import io.holdfast.testing.Call;
import io.holdfast.testing.Fault;
import io.holdfast.testing.InjectedFaultException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/**
 * Requests that are lost, late, doubled or refused: an outage is never taken for "somebody else has it", and nothing
 * leaks. What leaks would be held for longer than the kit waits.
 *
 * @since 0.1
 */
public abstract class OutageContract extends Contract {

    /** For subclasses. */
    protected OutageContract() {}

    private static Throwable failureOf(Style style, DistributedLock lock, Duration wait) {
        try {
            Optional<Style.Held> held = style.take(lock, wait);
            return new AssertionError(style + " answered " + held + " although the store is down");
        } catch (CompletionException failure) {
            return failure.getCause() == null ? failure : failure.getCause();
        } catch (RuntimeException | InterruptedException failure) {
            return failure;
        }
    }

    @Test
    void take_storeIsDown_throwsInEveryStyle() {
        FaultyClient faulty = faultyClient(defaults());
        faulty.script().cut();
        for (Style style : Style.values()) {
            for (Duration wait : List.of(Duration.ZERO, millis(30))) {
                String name = name("down " + style);
                assertThat(failureOf(style, faulty.client().lock(name), wait))
                        .as("%s with the store down", style)
                        .isInstanceOfSatisfying(LockStoreException.class, failure -> {
                            assertThat(failure.lockName()).isEqualTo(name);
                            assertThat(failure.lockKind()).contains(LockKind.LOCK);
                            assertThat(failure).hasRootCauseInstanceOf(InjectedFaultException.class);
                        });
            }
        }
        assertThat(faulty.backend().injected(Fault.Down.class)).isGreaterThanOrEqualTo(Style.values().length);
        faulty.script().clear();
        String name = name("up again");
        faulty.client().lock(name).acquire().close();
        assertFree(name);
    }

    @Test
    void otherKinds_storeIsDown_throw() {
        FaultyClient faulty = faultyClient(defaults());
        LockClient client = faulty.client();
        faulty.script().cut();
        String name = name("down");
        assertDown(LockKind.SEMAPHORE, () -> client.semaphore(name, 2).tryAcquire());
        assertDown(
                LockKind.READ_WRITE, () -> client.readWriteLock(name).readLock().tryAcquire());
        assertDown(LockKind.LOCK, () -> client.allOf(name, name("more")).tryAcquire());
        assertDown(LockKind.LATCH, () -> client.latch(name, 1).countDown());
        assertDown(LockKind.LATCH, () -> client.latch(name, 1).count());
        assertDown(LockKind.LATCH, () -> client.latch(name, 1).await(Duration.ZERO));
        assertDown(LockKind.ELECTION, () -> client.election(name).leader());
    }

    private static void assertDown(LockKind kind, ThrowingCallable call) {
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(
                        LockStoreException.class,
                        failure -> assertThat(failure.lockKind()).contains(kind));
    }

    @Test
    void tryAcquire_storeRefuses_throwsWithTheReason() {
        FaultyClient faulty = faultyClient(defaults());
        faulty.script().always(Call.Attempt.class, new Fault.Refusal("old leases must end", Duration.ofSeconds(7)));
        String name = name("refused");

        assertThatThrownBy(() -> faulty.client().lock(name).tryAcquire())
                .isInstanceOfSatisfying(LockRefusedException.class, refused -> {
                    assertThat(refused.lockName()).isEqualTo(name);
                    assertThat(refused.lockKind()).contains(LockKind.LOCK);
                    assertThat(refused.retryAfter()).isEqualTo(Duration.ofSeconds(7));
                    assertThat(refused).hasMessageContaining("old leases must end");
                });
        assertThatThrownBy(() -> faulty.client().lock(name).tryAcquire(millis(50)))
                .isInstanceOf(LockRefusedException.class);
        assertFree(name);
    }

    @Test
    void acquire_storeRefusesForAWhile_waits() {
        FaultyClient faulty = faultyClient(defaults());
        faulty.script()
                .once(Call.Attempt.class, new Fault.Refusal("not yet", millis(50)))
                .once(Call.Attempt.class, new Fault.Refusal("not yet", millis(50)));
        String name = name("refused");
        try (Lease lease = faulty.client().lock(name).acquire()) {
            assertThat(lease.isValid()).isTrue();
            assertHeld(name);
        }
        assertThat(faulty.script().isPending()).isFalse();
        assertFree(name);
    }

    @Test
    void acquire_oneRequestFails_isRepeatedWithTheSameClaim() {
        for (Fault fault : List.of(
                new Fault.LostReply(), new Fault.Down(), new Fault.Late(millis(20)), new Fault.Late(millis(400)))) {
            FaultyClient faulty = faultyClient(defaults());
            faulty.script().once(Call.Attempt.class, fault);
            String name = name("repeated");
            try (Lease lease = faulty.client().lock(name).acquire()) {
                assertThat(lease.isValid()).as("%s", fault).isTrue();
                assertThat(look(LockKind.LOCK, name).holders()).as("%s", fault).hasSize(1);
            }
            assertThat(faulty.script().isPending()).isFalse();
            assertFree(name);
        }
    }

    @Test
    void acquire_waitsThroughOutages_isServedWhenTheStoreIsBack() {
        FaultyClient faulty = faultyClient(defaults());
        faulty.script().cut();
        String name = name("outage");
        CompletableFuture<Lease> patient = faulty.client()
                .lock(name, defaults().waitThroughOutages(patience()))
                .acquireAsync();
        String other = name("outage");
        CompletableFuture<Lease> impatient = faulty.client().lock(other).acquireAsync();

        soon("the other one fails").until(impatient::isCompletedExceptionally);
        assertThat(patient).isNotDone();
        assertThat(events(faulty.client()).all(LockEvent.Obstructed.class, name))
                .hasSize(1);
        faulty.script().clear();

        try (Lease lease =
                patient.orTimeout(patience().toSeconds(), TimeUnit.SECONDS).join()) {
            assertThat(lease.isValid()).isTrue();
            assertHeld(name);
        }
        assertFree(name);
        assertFree(other);
    }

    @Test
    void acquire_outageIsTooLong_throwsAndLeaksNothing() {
        FaultyClient faulty = faultyClient(defaults());
        faulty.script().cut();
        String name = name("outage");
        assertThatThrownBy(() -> faulty.client()
                        .lock(name, defaults().waitThroughOutages(millis(2_000)))
                        .acquire())
                .isInstanceOf(LockStoreException.class);
        assertThat(faulty.backend().injected(Fault.Down.class)).isGreaterThan(3);
        faulty.script().clear();
        assertFree(name);
    }

    @Test
    void tryAcquire_everyReplyIsLost_throwsAndLeaksNothing() {
        for (Fault fault : List.of(new Fault.LostReply(), new Fault.Late(millis(20)), new Fault.Late(millis(400)))) {
            FaultyClient faulty = faultyClient(defaults());
            faulty.script().always(Call.Attempt.class, fault);
            String name = name("leak");
            String other = name("leak");

            assertThat(failureOf(Style.TRY_ONCE, faulty.client().lock(name), Duration.ZERO))
                    .as("%s", fault)
                    .isInstanceOf(LockStoreException.class);
            assertThat(failureOf(Style.WAIT, faulty.client().lock(other), Duration.ZERO))
                    .as("%s", fault)
                    .isInstanceOf(LockStoreException.class);

            soon("nothing is left of " + fault)
                    .until(() -> look(LockKind.LOCK, name).holders().isEmpty()
                            && look(LockKind.LOCK, other).holders().isEmpty());
            assertFree(name);
            assertFree(other);
        }
    }

    @Test
    void attempt_arrivesTwice_isOneHold() {
        FaultyClient faulty = faultyClient(defaults());
        faulty.script().once(Call.Attempt.class, new Fault.Duplicate(millis(30)));
        String name = name("twice");
        Lease lease = faulty.client().lock(name).acquire();

        soon("its second arrival").until(() -> faulty.backend().arrivedLater() == 1);
        always(
                "one holder",
                millis(120),
                () -> look(LockKind.LOCK, name).holders().size() == 1 && lease.isValid());

        assertThat(faulty.backend().injected(Fault.Duplicate.class)).isEqualTo(1);
        lease.close();
        assertFree(name);
    }

    @Test
    void close_releaseFails_doesNotThrowAndIsRepeated() {
        for (Fault fault : List.of(new Fault.LostReply(), new Fault.Down(), new Fault.Late(millis(30)))) {
            FaultyClient faulty = faultyClient(defaults());
            String name = name("release");
            Lease lease = faulty.client().lock(name).acquire();
            faulty.script().once(Call.Release.class, fault);

            lease.close();

            assertThat(lease.isValid()).isFalse();
            assertThat(faulty.script().isPending()).isFalse();
            assertFree(name);
        }
    }

    @Test
    void close_releaseArrivesTwice_leavesTheNextHolderAlone() {
        for (Fault fault : List.of(new Fault.Duplicate(millis(60)), new Fault.Late(millis(60)))) {
            FaultyClient faulty = faultyClient(defaults());
            String name = name("release");
            Lease lease = faulty.client().lock(name).acquire();
            faulty.script().once(Call.Release.class, fault);
            lease.close();

            try (Lease next = client().lock(name).acquire()) {
                always(
                        "the next holder keeps it",
                        millis(150),
                        () -> look(LockKind.LOCK, name).holders().size() == 1);
                assertHeld(name);
                assertThat(next.isValid()).isTrue();
            }
        }
    }

    @Test
    void renewal_failsForAWhile_isAtRiskButNotLost() {
        FaultyClient faulty = faultyClient(defaults());
        String name = name("at risk");
        Lease lease = faulty.client().lock(name, lease(4_500)).acquire();
        Queue<LostReason> told = new ConcurrentLinkedQueue<>();
        lease.onLost(told::add);
        faulty.script().once(Call.Renew.class, new Fault.LostReply()).once(Call.Renew.class, new Fault.Down());

        assertThat(events(faulty.client()).await(LockEvent.AtRisk.class, name, 1))
                .hasSize(1);
        soon("two renewals").pollInSameThread().until(() -> {
            assertThat(lease.isValid()).as("held").isTrue();
            return events(faulty.client()).all(LockEvent.Renewed.class, name).size() >= 2;
        });

        assertThat(told).isEmpty();
        assertHeld(name);
        lease.close();
        assertFree(name);
    }

    @Test
    void renewal_failsForGood_isLostOnceBeforeAnybodyElseGetsIn() {
        FaultyClient faulty = faultyClient(defaults());
        String name = name("cut off");
        Lease lease = faulty.client().lock(name, lease(2_400)).acquire();
        Queue<LostReason> told = new ConcurrentLinkedQueue<>();
        lease.onLost(told::add);
        faulty.script().cut();

        try (Lease next = client().lock(name).acquire()) {
            assertThat(lease.isValid()).as("lease of a client that is cut off").isFalse();
            assertThat(next.token()).isGreaterThan(lease.token());
            soon("the loss").until(() -> !told.isEmpty());
            faulty.script().clear();
            always(
                    "lost is final, and the next holder undisturbed",
                    millis(500),
                    () -> told.size() == 1
                            && !lease.isValid()
                            && next.isValid()
                            && look(LockKind.LOCK, name).holders().size() == 1);
        }
        assertThat(told).containsExactly(LostReason.STORE_UNREACHABLE);
        assertThat(events(faulty.client()).all(LockEvent.AtRisk.class, name)).hasSize(1);
        assertThat(events(faulty.client()).all(LockEvent.Lost.class, name)).hasSize(1);
    }

    @Test
    void extend_storeIsDown_throwsAndTheLeaseLastsAsLongAsBefore() {
        FaultyClient faulty = faultyClient(defaults());
        try (Lease lease = faulty.client().lock(name("extend")).acquire()) {
            faulty.script().always(Call.Renew.class, new Fault.Down());
            assertThatThrownBy(() -> lease.extend(millis(60_000)))
                    .isInstanceOf(LockStoreException.class)
                    .isInstanceOfSatisfying(
                            LockException.class,
                            failure -> assertThat(failure.lockName()).isEqualTo(lease.name()));
            assertThat(lease.isValid()).isTrue();
            assertThat(lease.remaining())
                    .isPositive()
                    .isLessThanOrEqualTo(defaults().lease());
            faulty.script().clear();
            lease.extend(millis(60_000));
            assertThat(lease.remaining()).isGreaterThan(defaults().lease());
        }
    }

    @Test
    void clientClose_storeIsDown_returnsAndLeasesEndByThemselves() {
        FaultyClient faulty = faultyClient(defaults());
        String name = name("closed");
        Lease lease = faulty.client().lock(name, lease(700)).acquire();
        faulty.script().cut();

        faulty.client().close();

        assertThat(lease.isValid()).isFalse();
        assertFree(name);
    }
}
