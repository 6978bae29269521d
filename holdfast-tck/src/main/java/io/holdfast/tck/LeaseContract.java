package io.holdfast.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.DistributedLock;
import io.holdfast.Lease;
import io.holdfast.LockClient;
import io.holdfast.LockKind;
import io.holdfast.LockLostException;
import io.holdfast.LostReason;
import io.holdfast.spi.Resource;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/**
 * Leases: not tied to a thread, honest about their end, lost once and for all.
 *
 * @since 0.1
 */
public abstract class LeaseContract extends Contract {

    /** For subclasses. */
    protected LeaseContract() {}

    @Test
    void lease_held_isValidWithTimeLeft() {
        String name = name("held");
        try (Lease lease = client().lock(name).acquire()) {
            assertThat(lease.name()).isEqualTo(name);
            assertThat(lease.token()).isPositive();
            assertThat(lease.isValid()).isTrue();
            assertThat(lease.remaining())
                    .isPositive()
                    .isLessThanOrEqualTo(defaults().lease());
            lease.ensureValid();
        }
    }

    @Test
    void id_otherClientOrOtherClaim_neverTheSame() {
        String name = name("id");
        Set<String> ids = new HashSet<>();
        List<LockClient> clients = List.of(client(), client());
        for (int turn = 0; turn < 10; turn++) {
            try (Lease lease = clients.get(turn % 2).lock(name).acquire()) {
                assertThat(lease.id()).matches("[!-~]{1,255}");
                assertThat(ids.add(lease.id())).as(lease.id()).isTrue();
            }
        }
    }

    @Test
    void lease_closed_isNotValid() {
        Lease lease = client().lock(name("closed")).acquire();
        lease.close();
        assertThat(lease.isValid()).isFalse();
        assertThat(lease.remaining()).isZero();
        assertThatThrownBy(lease::ensureValid).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> lease.extend(Duration.ofSeconds(10))).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void close_twice_leavesTheNextHolderAlone() {
        String name = name("twice");
        Lease lease = client().lock(name).acquire();
        lease.close();
        try (Lease next = client().lock(name).acquire()) {
            lease.close();
            lease.closeAsync().join();
            assertThat(next.isValid()).isTrue();
            assertHeld(name);
        }
        assertFree(name);
    }

    @Test
    void close_twiceInOneClientWithWaiters_passesOnOnce() {
        String name = name("twice");
        LockClient client = client();
        Lease lease = client.lock(name).acquire();
        CompletableFuture<Lease> next = client.lock(name).acquireAsync();
        CompletableFuture<Lease> last = client.lock(name).acquireAsync();

        lease.close();
        lease.close();

        CompletableFuture<Object> either = CompletableFuture.anyOf(next, last);
        Lease second = (Lease)
                either.orTimeout(patience().toMillis(), TimeUnit.MILLISECONDS).join();
        always("one of the two holds", millis(100), () -> !(next.isDone() && last.isDone()));
        second.close();
        soon("the other one gets it").until(() -> next.isDone() && last.isDone());
        next.join().close();
        last.join().close();
        assertFree(name);
    }

    @Test
    void closeAsync_held_givesBack() {
        String name = name("async close");
        Lease lease = client().lock(name).acquire();
        lease.closeAsync().join();
        assertThat(lease.isValid()).isFalse();
        assertFree(name);
    }

    @Test
    void close_inAnotherThread_givesBack() {
        String name = name("carried");
        DistributedLock lock = client().lock(name);
        Lease lease = crew().ask("acquirer", lock::acquire).result();
        assertHeld(name);
        crew().run("closer", lease::close).result();
        assertFree(name);
    }

    @Test
    void lease_heldAcrossStages_isHeldUntilTheLastOneCloses() {
        String name = name("stages");
        AtomicReference<Boolean> heldInside = new AtomicReference<>(false);
        client().lock(name)
                .acquireAsync()
                .thenApplyAsync(lease -> {
                    assertHeld(name);
                    return lease;
                })
                .thenAcceptAsync(lease -> {
                    heldInside.set(lease.isValid());
                    lease.close();
                })
                .join();
        assertThat(heldInside.get()).isTrue();
        assertFree(name);
    }

    @Test
    void fixedLease_timeIsUp_isLostAsExpiredAndSaidOnce() {
        String name = name("fixed");
        LockClient client = client();
        Lease lease = client.lock(name, fixedLease(2_000)).acquire();
        Queue<LostReason> told = new ConcurrentLinkedQueue<>();
        lease.onLost(told::add);
        CompletableFuture<LostReason> lost = lease.lost().toCompletableFuture();
        assertThat(lease.isValid()).isTrue();

        try (Lease next = stranger().lock(name).acquire()) {
            assertThat(lease.isValid())
                    .as("first lease when another client has the next")
                    .isFalse();
            assertThat(next.token()).isGreaterThan(lease.token());
            assertThat(lost.orTimeout(patience().toSeconds(), TimeUnit.SECONDS).join())
                    .isEqualTo(LostReason.EXPIRED);
            soon("the callback").until(() -> !told.isEmpty());
            lease.onLost(told::add);
            soon("a callback that came late").until(() -> told.size() == 2);
            lease.close();
            assertThat(lease.remaining()).isZero();
            assertThatThrownBy(lease::ensureValid).isInstanceOfSatisfying(LockLostException.class, failure -> {
                assertThat(failure.reason()).isEqualTo(LostReason.EXPIRED);
                assertThat(failure.lockName()).isEqualTo(name);
                assertThat(failure.lockKind()).contains(LockKind.LOCK);
            });
            assertThatThrownBy(() -> lease.extend(Duration.ofSeconds(10))).isInstanceOf(LockLostException.class);
            always("told once, and the next holder undisturbed", millis(300), () -> told.size() == 2 && next.isValid());
        }
        assertThat(told).containsExactly(LostReason.EXPIRED, LostReason.EXPIRED);
    }

    @Test
    void fixedLease_closedInTime_isNeverLost() {
        Lease lease = client().lock(name("in time"), fixedLease(2_000)).acquire();
        Queue<LostReason> told = new ConcurrentLinkedQueue<>();
        lease.onLost(told::add);
        CompletableFuture<LostReason> lost = lease.lost().toCompletableFuture();
        lease.close();
        always("nothing is told", millis(2_300), () -> told.isEmpty() && !lost.isDone());
    }

    @Test
    void fixedLease_grantedByHandOver_lastsAsLongAsAsked() {
        String name = name("handed over");
        Lease first = client().lock(name).acquire();
        LockClient client = client();
        CompletableFuture<Lease> waiting = client.lock(name, fixedLease(60_000)).acquireAsync();
        awaitContended(client, name, 1);

        first.close();

        Lease lease =
                waiting.orTimeout(patience().toSeconds(), TimeUnit.SECONDS).join();
        assertThat(lease.remaining()).isGreaterThan(millis(30_000));
        lease.close();
    }

    @Test
    void fixedLease_passedOnInsideTheClient_lastsAsLongAsAsked() {
        String name = name("passed on");
        LockClient client = client();
        Lease first = client.lock(name, lease(5_000)).acquire();
        CompletableFuture<Lease> waiting = client.lock(name, fixedLease(60_000)).acquireAsync();
        awaitContended(client, name, 1);

        first.close();

        Lease lease =
                waiting.orTimeout(patience().toSeconds(), TimeUnit.SECONDS).join();
        assertThat(lease.remaining()).isGreaterThan(millis(30_000));
        assertThat(lease.token()).isGreaterThan(first.token());
        lease.close();
    }

    @Test
    void extend_fixedLease_lastsLongerAndIsNeverShortened() {
        String name = name("extended");
        Lease lease = client().lock(name, fixedLease(2_500)).acquire();

        lease.extend(millis(60_000));
        lease.extend(millis(200));

        assertThat(lease.remaining()).isGreaterThan(millis(30_000));
        always("held past its first end", millis(2_800), lease::isValid);
        assertHeld(name);
        assertThat(look(LockKind.LOCK, name).holders())
                .singleElement()
                .satisfies(holder -> assertThat(holder.left()).isGreaterThan(millis(30_000)));
        lease.close();
        assertFree(name);
    }

    @Test
    void extend_lockWasBrokenInTheStore_throwsLost() {
        String name = name("broken");
        Lease lease = client().lock(name).acquire();
        CompletableFuture<LostReason> lost = lease.lost().toCompletableFuture();
        observer().breakAll(new Resource(LockKind.LOCK, name, 1));

        assertThatThrownBy(() -> lease.extend(millis(1_000)))
                .isInstanceOfSatisfying(
                        LockLostException.class,
                        failure -> assertThat(failure.reason()).isEqualTo(LostReason.FORGOTTEN));
        assertThat(lease.isValid()).isFalse();
        soon("the loss").until(lost::isDone);
        assertThat(lost).isCompletedWithValue(LostReason.FORGOTTEN);
    }

    @Test
    void onLost_callbackThrows_disturbsNothing() {
        String name = name("rude");
        LockClient client = client();
        Lease lease = client.lock(name, fixedLease(300)).acquire();
        Queue<LostReason> told = new ConcurrentLinkedQueue<>();
        lease.onLost(reason -> {
            throw new IllegalStateException("thrown by a test");
        });
        lease.onLost(told::add);

        soon("the second callback").until(() -> List.copyOf(told).equals(List.of(LostReason.EXPIRED)));
        try (Lease next = client.lock(name).acquire()) {
            assertThat(next.isValid()).isTrue();
        }
    }
}
