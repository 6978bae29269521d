package io.holdfast.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.DistributedLock;
import io.holdfast.GaveUpReason;
import io.holdfast.Lease;
import io.holdfast.LockClient;
import io.holdfast.LockEvent;
import io.holdfast.LockKind;
import io.holdfast.LockListener;
import io.holdfast.LockStoreException;
import io.holdfast.LostReason;
import io.holdfast.testing.Call;
import io.holdfast.testing.Fault;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/**
 * Listeners are told what happened, once each, and cannot do harm.
 *
 * @since 0.1
 */
public abstract class EventContract extends Contract {

    /** For subclasses. */
    protected EventContract() {}

    @Test
    void events_uncontendedHold_areAcquiredAndReleased() {
        String name = name("quiet");
        LockClient client = client();
        long start = nanoTime();
        Lease lease = client.lock(name).acquire();
        long handedOut = nanoTime();
        always("held", millis(50), lease::isValid);
        long heldAtLeast = nanoTime() - handedOut;
        lease.close();
        Duration all = Duration.ofNanos(nanoTime() - start);

        assertThat(events(client).await(LockEvent.Acquired.class, name, 1))
                .singleElement()
                .satisfies(acquired -> {
                    assertThat(acquired.token()).isEqualTo(lease.token());
                    assertThat(acquired.waited()).isBetween(Duration.ZERO, all);
                });
        assertThat(events(client).await(LockEvent.Released.class, name, 1))
                .singleElement()
                .satisfies(released -> {
                    assertThat(released.token()).isEqualTo(lease.token());
                    assertThat(released.held()).isBetween(Duration.ofNanos(heldAtLeast), all);
                });
        assertThat(events(client).all(LockEvent.Contended.class, name)).isEmpty();
        assertThat(events(client).all(LockEvent.Lost.class, name)).isEmpty();
    }

    @Test
    void events_oneNameAsThreeKinds_tellTheKind() {
        String name = name("kinds");
        LockClient client = client();
        List<Lease> leases = List.of(
                client.lock(name).acquire(),
                client.readWriteLock(name).writeLock().acquire(),
                client.semaphore(name, 2).acquire());
        List<LockKind> kinds = List.of(LockKind.LOCK, LockKind.READ_WRITE, LockKind.SEMAPHORE);
        assertThat(leases).extracting(Lease::kind).isEqualTo(kinds);
        leases.forEach(Lease::close);

        assertThat(events(client).await(LockEvent.Acquired.class, name, 3))
                .extracting(LockEvent::kind)
                .isEqualTo(kinds);
        assertThat(events(client).await(LockEvent.Released.class, name, 3))
                .extracting(LockEvent::kind)
                .isEqualTo(kinds);
    }

    @Test
    void events_contendedHold_areContendedOnceAndAcquiredWithTheTimeWaited() {
        LockClient holder = client();
        for (LockClient client : List.of(holder, client())) {
            String name = name("contended");
            Lease held = holder.lock(name).acquire();
            CompletableFuture<Lease> waiting = client.lock(name).acquireAsync();
            awaitContended(client, name, 1);
            long start = nanoTime();
            always("it waits", millis(80), () -> !waiting.isDone());
            Duration waitedAtLeast = Duration.ofNanos(nanoTime() - start);
            held.close();
            Lease lease =
                    waiting.orTimeout(patience().toSeconds(), TimeUnit.SECONDS).join();

            soon("its event").until(() -> acquired(client, lease).size() == 1);
            assertThat(acquired(client, lease).get(0).waited()).isGreaterThanOrEqualTo(waitedAtLeast);
            assertThat(events(client).all(LockEvent.Contended.class, name)).hasSize(1);
            lease.close();
        }
    }

    @Test
    void events_busyOrDown_areToldApart() {
        String name = name("ends");
        FaultyClient faulty = faultyClient(defaults());
        LockClient client = faulty.client();
        Lease held = stranger().lock(name).acquire();

        assertThat(client.lock(name).tryAcquire()).isEmpty();
        faulty.script().always(Call.Attempt.class, new Fault.Down());
        assertThatThrownBy(() -> client.lock(name).tryAcquire()).isInstanceOf(LockStoreException.class);
        faulty.script().clear();
        held.close();

        assertThat(events(client).all(LockEvent.GaveUp.class, name))
                .singleElement()
                .satisfies(event -> assertThat(event.why()).isEqualTo(GaveUpReason.BUSY));
        assertThat(events(client).all(LockEvent.Failed.class, name))
                .singleElement()
                .satisfies(event -> assertThat(event.cause()).isInstanceOf(LockStoreException.class));
        assertThat(events(client).all(LockEvent.Acquired.class, name)).isEmpty();
    }

    private List<LockEvent.Acquired> acquired(LockClient client, Lease lease) {
        return events(client).all(LockEvent.Acquired.class, lease.name()).stream()
                .filter(event -> event.token() == lease.token())
                .toList();
    }

    @Test
    void events_reentry_areOneHold() {
        String name = name("reentry");
        LockClient client = client();
        DistributedLock lock = client.lock(name);
        lock.lock();
        try {
            assertThat(lock.tryLock()).isTrue();
            lock.unlock();
        } finally {
            lock.unlock();
        }
        assertThat(events(client).await(LockEvent.Released.class, name, 1)).hasSize(1);
        assertThat(events(client).all(LockEvent.Acquired.class, name)).hasSize(1);
    }

    @Test
    void events_fixedLeaseRanOut_areLostOnceAndNeverReleased() {
        String name = name("expired");
        LockClient client = client();
        Lease lease = client.lock(name, fixedLease(300)).acquire();

        assertThat(events(client).await(LockEvent.Lost.class, name, 1))
                .containsExactly(LockEvent.Lost.of(LockKind.LOCK, name, lease.token(), LostReason.EXPIRED));

        lease.close();
        always(
                "nothing more is told",
                millis(200),
                () -> events(client).all(LockEvent.Released.class, name).isEmpty()
                        && events(client).all(LockEvent.Lost.class, name).size() == 1);
    }

    @Test
    void events_renewalsFail_areAtRiskOncePerRowThenLost() {
        String name = name("at risk");
        FaultyClient faulty = faultyClient(defaults());
        Recorder events = events(faulty.client());
        Lease lease = faulty.client().lock(name, lease(3_000)).acquire();
        AtomicInteger atRisk = new AtomicInteger();
        lease.onAtRisk(atRisk::incrementAndGet);
        lease.onAtRisk(() -> {
            throw new IllegalStateException("thrown by a test");
        });

        faulty.script().once(Call.Renew.class, new Fault.Down());
        assertThat(events.await(LockEvent.AtRisk.class, name, 1))
                .singleElement()
                .satisfies(event -> {
                    assertThat(event.token()).isEqualTo(lease.token());
                    assertThat(event.remaining()).isPositive();
                    assertThat(event.cause()).isNotNull();
                });
        int renewals = events.all(LockEvent.Renewed.class, name).size();
        soon("a renewal that works")
                .until(() -> events.all(LockEvent.Renewed.class, name).size() > renewals);
        assertThat(lease.isValid()).isTrue();
        soon("the callback").until(() -> atRisk.get() == 1);

        faulty.script().always(Call.Renew.class, new Fault.Down());
        assertThat(events.await(LockEvent.Lost.class, name, 1))
                .containsExactly(LockEvent.Lost.of(LockKind.LOCK, name, lease.token(), LostReason.STORE_UNREACHABLE));
        soon("the second callback").until(() -> atRisk.get() == 2);
        assertThat(events.all(LockEvent.AtRisk.class, name))
                .as("one for each run of failures")
                .hasSize(2);
        assertThat(lease.isValid()).isFalse();
        faulty.script().clear();
        assertFree(name);
    }

    @Test
    void listener_throws_disturbsNothing() {
        String name = name("rude");
        LockClient client = client();
        AtomicInteger heard = new AtomicInteger();
        client.addListener(event -> {
            heard.incrementAndGet();
            throw new IllegalStateException("thrown by a test");
        });
        Recorder polite = new Recorder(patience());
        client.addListener(polite);

        for (int round = 0; round < 3; round++) {
            client.lock(name).acquire().close();
        }
        Lease lost = client.lock(name, fixedLease(300)).acquire();

        assertThat(polite.await(LockEvent.Lost.class, name, 1)).hasSize(1);
        assertThat(polite.all(LockEvent.Acquired.class, name)).hasSize(4);
        assertThat(polite.all(LockEvent.Released.class, name)).hasSize(3);
        assertThat(lost.isValid()).isFalse();
        assertThat(heard.get()).isPositive();
        assertFree(name);
    }

    @Test
    void removeListener_afterwards_hearsNothing() {
        String name = name("removed");
        LockClient client = client();
        AtomicInteger heard = new AtomicInteger();
        LockListener listener = event -> heard.incrementAndGet();
        client.addListener(listener);
        client.lock(name).acquire().close();
        soon("two events").until(() -> heard.get() == 2);

        client.removeListener(listener);
        client.removeListener(listener);
        client.lock(name).acquire().close();

        assertThat(events(client).await(LockEvent.Released.class, name, 2)).hasSize(2);
        assertThat(heard).hasValue(2);
    }
}
