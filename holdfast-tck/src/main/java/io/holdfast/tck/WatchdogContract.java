package io.holdfast.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.DistributedLock;
import io.holdfast.Lease;
import io.holdfast.LockClient;
import io.holdfast.LockEvent;
import io.holdfast.LockKind;
import io.holdfast.LockLostException;
import io.holdfast.LostReason;
import io.holdfast.spi.Resource;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/**
 * Leases are renewed for as long as they should be, and no longer.
 *
 * @since 0.1
 */
public abstract class WatchdogContract extends Contract {

    /** Of a lease, in milliseconds: as short as a machine allows that stands still for two seconds now and then. */
    private static final long LENGTH = 4_500;

    /** For subclasses. */
    protected WatchdogContract() {}

    @Test
    void renewal_shortLeases_areRenewedAgainAndAgain() {
        LockClient client = client();
        List<Lease> leases = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            leases.add(client.lock(name("kept"), lease(LENGTH)).acquire());
        }
        String name = leases.get(0).name();

        assertRenewed(
                client,
                LockKind.LOCK,
                name,
                millis(LENGTH),
                () -> leases.stream().allMatch(Lease::isValid));

        assertHeld(name);
        assertThat(events(client).all(LockEvent.Renewed.class, name))
                .isNotEmpty()
                .allSatisfy(renewed -> {
                    assertThat(renewed.token()).isEqualTo(leases.get(0).token());
                    assertThat(renewed.remaining()).isPositive();
                });
        leases.forEach(Lease::close);
        assertFree(name);
    }

    @Test
    void renewal_threadThatHoldsTheLock_isRenewedAgainAndAgain() {
        String name = name("kept");
        LockClient client = client();
        DistributedLock lock = client.lock(name, lease(LENGTH));
        lock.lock();
        try {
            assertRenewed(client, LockKind.LOCK, name, millis(LENGTH), lock::isHeldByCurrentThread);
            assertHeld(name);
        } finally {
            lock.unlock();
        }
        assertFree(name);
    }

    @Test
    void renewal_leaseGrantedByHandOver_isRenewedAgainAndAgain() {
        String name = name("handed over");
        Lease first = client().lock(name).acquire();
        LockClient client = client();
        CompletableFuture<Lease> waiting = client.lock(name, lease(LENGTH)).acquireAsync();
        awaitContended(client, name, 1);
        first.close();
        Lease lease =
                waiting.orTimeout(patience().toSeconds(), TimeUnit.SECONDS).join();

        assertRenewed(client, LockKind.LOCK, name, millis(LENGTH), lease::isValid);

        assertHeld(name);
        lease.close();
    }

    @Test
    void renewal_longLeaseGrantedByHandOver_reachesItsFullLength() {
        String name = name("handed over");
        Lease first = client().lock(name).acquire();
        LockClient client = client();
        CompletableFuture<Lease> waiting = client.lock(name).acquireAsync();
        awaitContended(client, name, 1);
        first.close();
        Lease lease =
                waiting.orTimeout(patience().toSeconds(), TimeUnit.SECONDS).join();

        soon("the full length")
                .until(() -> lease.remaining().compareTo(defaults().lease().dividedBy(2)) > 0);

        lease.close();
    }

    @Test
    void renewal_closedLease_stops() {
        String name = name("closed");
        LockClient client = client();
        Lease lease = client.lock(name, lease(3_000)).acquire();
        assertThat(events(client).await(LockEvent.Renewed.class, name, 1)).isNotEmpty();
        lease.close();
        int before = events(client).all(LockEvent.Renewed.class, name).size();

        always(
                "nobody holds it, also when the next renewal was due",
                millis(1_300),
                () -> look(LockKind.LOCK, name).holders().isEmpty());

        assertThat(events(client).all(LockEvent.Renewed.class, name).size()).isLessThanOrEqualTo(before + 1);
    }

    @Test
    void maxHold_passed_isLostAndOthersGetIt() {
        String name = name("hangs");
        LockClient client = client();
        Lease lease = client.lock(name, lease(3_000).maxHold(millis(4_000))).acquire();
        CompletableFuture<LostReason> lost = lease.lost().toCompletableFuture();
        assertThat(events(client).await(LockEvent.Renewed.class, name, 1)).isNotEmpty();

        try (Lease next = stranger().lock(name).acquire()) {
            assertThat(lease.isValid())
                    .as("first lease when another client has the next")
                    .isFalse();
            assertThat(next.token()).isGreaterThan(lease.token());
        }
        assertThat(lost.orTimeout(patience().toSeconds(), TimeUnit.SECONDS).join())
                .isEqualTo(LostReason.MAX_HOLD);
    }

    @Test
    void lock_ownerThreadDied_isLostAndOthersGetIt() {
        String name = name("orphan");
        LockClient client = client();
        DistributedLock lock = client.lock(name, lease(LENGTH));
        Lease lease = crew().ask("short-lived", () -> {
                    lock.lock();
                    return lock.lease();
                })
                .result();

        try (Lease next = stranger().lock(name).acquire()) {
            assertThat(lease.isValid())
                    .as("lease of a dead thread when another client has the next")
                    .isFalse();
            assertThat(next.token()).isGreaterThan(lease.token());
        }
        assertThat(events(client).await(LockEvent.Lost.class, name, 1))
                .containsExactly(LockEvent.Lost.of(LockKind.LOCK, name, lease.token(), LostReason.OWNER_DIED));
    }

    @Test
    void acquire_acquiringThreadDied_isStillHeld() {
        String name = name("carried");
        LockClient client = client();
        DistributedLock lock = client.lock(name, lease(LENGTH));
        Crew.Hand<Lease> acquirer = crew().ask("short-lived", lock::acquire);
        Lease lease = acquirer.result();
        acquirer.join();

        assertRenewed(client, LockKind.LOCK, name, millis(LENGTH), lease::isValid);

        assertHeld(name);
        lease.close();
    }

    @Test
    void renewal_lockWasBrokenInTheStore_isLostAsForgottenAndSaidOnce() {
        String name = name("broken");
        LockClient client = client();
        Lease lease = client.lock(name, lease(LENGTH)).acquire();
        Lease other = client.lock(name("sound"), lease(LENGTH)).acquire();
        Queue<LostReason> told = new ConcurrentLinkedQueue<>();
        lease.onLost(told::add);

        observer().breakAll(new Resource(LockKind.LOCK, name, 1));

        soon("the loss").until(() -> !told.isEmpty());
        assertThat(told).containsExactly(LostReason.FORGOTTEN);
        assertThat(lease.isValid()).isFalse();
        assertThatThrownBy(lease::ensureValid).isInstanceOf(LockLostException.class);
        always("told once, and the other is renewed", millis(800), () -> told.size() == 1 && other.isValid());
        other.close();
        assertThat(events(client).all(LockEvent.Lost.class, name)).hasSize(1);
        assertFree(name);
    }
}
