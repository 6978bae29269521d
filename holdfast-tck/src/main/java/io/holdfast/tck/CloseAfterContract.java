package io.holdfast.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.DistributedLock;
import io.holdfast.Held;
import io.holdfast.Lease;
import io.holdfast.LockClient;
import io.holdfast.LockEvent;
import io.holdfast.LockKind;
import io.holdfast.LockLostException;
import io.holdfast.LockOptions;
import io.holdfast.MultiLease;
import io.holdfast.spi.LockBackend;
import io.holdfast.spi.ResourceView;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/**
 * A lease that was closed for a time is over for its holder, and taken for everybody until then, whatever happens to
 * its client. Where claims end with their client it is refused, before anything has changed.
 *
 * @since 0.1
 */
public abstract class CloseAfterContract extends Contract {

    /** For subclasses. */
    protected CloseAfterContract() {}

    /** How long the lock is kept in these tests. */
    private Duration time() {
        return millis(800);
    }

    /** What the store may be early: the margin that clients leave for its clock. */
    private Duration surely() {
        return time().minus(time().dividedBy(50));
    }

    private Duration since(long nanos) {
        return Duration.ofNanos(nanoTime() - nanos);
    }

    private Lease acquired(LockClient client, String name) throws InterruptedException {
        return client.lock(name).tryAcquire(patience()).orElseThrow();
    }

    @Test
    void longestCloseAfter_asTheStoreIs() {
        LockClient client = client();
        String name = name("asked");
        try (LockBackend backend = fixture().newBackend();
                Lease lease = client.lock(name).acquire()) {
            assertThat(backend.outlivesClient()).isEqualTo(!fixture().endsWithClient());
            assertThat(client.longestCloseAfter().isPresent()).isEqualTo(backend.outlivesClient());
            if (!backend.outlivesClient()) {
                assertThatThrownBy(() -> lease.closeAfter(time()))
                        .isInstanceOf(UnsupportedOperationException.class)
                        .hasMessageContaining(name);
            }
            Duration longest = client.longestCloseAfter().orElse(LockOptions.LONGEST_LEASE);
            assertThatThrownBy(() -> lease.closeAfter(longest.plusMillis(1)))
                    .isInstanceOfAny(IllegalArgumentException.class, UnsupportedOperationException.class);
            assertThat(lease.isValid()).as("nothing has changed").isTrue();
            assertHeld(name);
        }
        assertFree(name);
    }

    @TestWith(Ability.SURVIVAL)
    void closeAfter_clientLives_keptSoLongAndGivenBack() throws InterruptedException {
        LockClient client = client();
        String name = name("kept");
        Lease lease = client.lock(name).acquire();
        long start = nanoTime();

        lease.closeAfter(time());

        assertThat(lease.isValid()).isFalse();
        try (Lease next = acquired(stranger(), name)) {
            assertThat(since(start)).isGreaterThanOrEqualTo(surely());
            assertThat(next.token()).isGreaterThan(lease.token());
        }
        assertThat(events(client).all(LockEvent.Released.class, name)).hasSize(1);
        assertThat(events(client).all(LockEvent.Lost.class, name)).isEmpty();
    }

    @TestWith(Ability.SURVIVAL)
    void closeAfter_longerThanTheLease_keptThoughTheClientIsClosed() throws InterruptedException {
        String name = name("gone");
        LockClient client = client(lease(600));
        Lease lease = client.lock(name).acquire();
        long start = nanoTime();

        lease.closeAfter(time());

        assertKept(LockKind.LOCK, name, start);
        client.close();
        assertHeldUntil(name, start);
    }

    private void assertHeldUntil(String name, long start) throws InterruptedException {
        try (Lease next = acquired(stranger(), name)) {
            assertThat(since(start)).as("of a client that is closed").isGreaterThanOrEqualTo(surely());
            assertThat(next.isValid()).isTrue();
        }
    }

    @TestWith(Ability.SURVIVAL)
    void closeAfter_anotherThreadOfTheClientWaits_waitsOn() {
        LockClient client = client();
        String name = name("passed on");
        Lease lease = client.lock(name).acquire();
        CompletableFuture<Lease> waiting = client.lock(name).acquireAsync();
        awaitContended(client, name, 1);
        long start = nanoTime();

        lease.closeAfter(time());

        try (Lease next =
                waiting.orTimeout(patience().toSeconds(), TimeUnit.SECONDS).join()) {
            assertThat(since(start)).isGreaterThanOrEqualTo(surely());
            assertThat(next.token()).isGreaterThan(lease.token());
            assertThat(next.id()).isNotEqualTo(lease.id());
        }
    }

    @TestWith(Ability.SURVIVAL)
    void closeAfter_permitsWriterAndSeveral_allAreKept() throws InterruptedException {
        LockClient client = client(lease(4_500));
        String name = name("kinds");
        Held permits = client.semaphore(name, 3).acquire(2);
        Held writer = client.readWriteLock(name).writeLock().acquire();
        MultiLease several = client.allOf(name, name + "-too").acquire();
        long start = nanoTime();

        permits.closeAfter(time());
        writer.closeAfter(time());
        several.closeAfter(time());
        client.close();

        for (LockKind kind : List.of(LockKind.SEMAPHORE, LockKind.READ_WRITE, LockKind.LOCK)) {
            assertKept(kind, name, start);
        }
        assertKept(LockKind.LOCK, name + "-too", start);
        DistributedLock reader = stranger().readWriteLock(name).readLock();
        reader.tryAcquire(patience()).orElseThrow().close();
        assertThat(since(start)).isGreaterThanOrEqualTo(surely());
    }

    /** The store has it for the rest of the time, or did when that was not over yet. */
    private void assertKept(LockKind kind, String name, long start) {
        ResourceView seen = look(kind, name);
        if (since(start).compareTo(surely()) < 0) {
            assertThat(seen.holders()).as("%s '%s'", kind, name).hasSize(1);
        }
    }

    @TestWith(Ability.SURVIVAL)
    void closeAfter_lost_throws() {
        LockClient client = client();
        String name = name("lost");
        Lease lease = client.lock(name, fixedLease(300)).acquire();
        events(client).await(LockEvent.Lost.class, name, 1);

        assertThatThrownBy(() -> lease.closeAfter(time())).isInstanceOf(LockLostException.class);

        assertFree(name);
    }
}
