package io.holdfast.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.DistributedLock;
import io.holdfast.Lease;
import io.holdfast.LockClient;
import io.holdfast.LockLostException;
import io.holdfast.MultiLease;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/**
 * Work under a lock, and clients with other defaults: conveniences that keep the guarantees.
 *
 * @since 0.1
 */
public abstract class WorkContract extends Contract {

    /** For subclasses. */
    protected WorkContract() {}

    private static void refuse() throws IOException {
        throw new IOException("disk full");
    }

    @Test
    void run_everyKind_isHeldForTheWorkAndGivenBack() {
        String name = name("work");
        LockClient client = client();
        client.lock(name).run(lease -> {
            assertThat(lease.isValid()).isTrue();
            assertHeld(name);
        });
        assertFree(name);
        int token = client.semaphore(name, 2).taking(2).call(lease -> {
            assertThat(stranger().semaphore(name, 2).tryAcquire()).isEmpty();
            return 7;
        });
        assertThat(token).isEqualTo(7);
        client.allOf(name, name("more")).run(leases -> assertHeld(name));
        assertFree(name);
    }

    @Test
    void run_workThrowsAChecked_itPassesAndTheLockIsGivenBack() {
        String name = name("fails");
        DistributedLock lock = client().lock(name);
        assertThatThrownBy(() -> lock.run(lease -> refuse()))
                .isInstanceOf(IOException.class)
                .hasMessage("disk full");
        assertFree(name);
    }

    @Test
    void run_manyClients_workOneAtATime() {
        String name = name("one at a time");
        AtomicInteger inside = new AtomicInteger();
        AtomicInteger done = new AtomicInteger();
        for (LockClient client : List.of(client(), client(), client())) {
            crew().run("worker of " + client.id(), () -> {
                for (int i = 0; i < 5; i++) {
                    client.lock(name).run(lease -> {
                        assertThat(inside.incrementAndGet()).isEqualTo(1);
                        inside.decrementAndGet();
                        done.incrementAndGet();
                    });
                }
            });
        }
        soon("all work is done").until(() -> done.get() == 15);
    }

    @Test
    void run_leaseRunsOutMeanwhile_isTold() {
        String name = name("too long");
        DistributedLock lock = client().lock(name, fixedLease(200));
        assertThatThrownBy(() -> lock.run(lease -> soon("the end").until(() -> !lease.isValid())))
                .isInstanceOf(LockLostException.class);
    }

    @Test
    void tryRun_busy_isFalse() throws InterruptedException {
        String name = name("busy");
        LockClient client = client();
        try (Lease held = stranger().lock(name).acquire()) {
            assertThat(client.lock(name).tryRun(Duration.ZERO, lease -> {
                        throw new AssertionError("not held");
                    }))
                    .isFalse();
            assertThat(client.lock(name).tryCall(millis(50), Lease::token)).isEmpty();
            assertThat(held.isValid()).isTrue();
        }
        assertThat(client.lock(name).tryCall(patience(), Lease::token)).isPresent();
        assertThat(client.lock(name).tryRun(patience(), lease -> assertHeld(name)))
                .isTrue();
        assertFree(name);
    }

    @Test
    void withDefaults_sameClient_heldInAnotherWay() {
        String name = name("defaults");
        LockClient client = client();
        LockClient other = client.withDefaults(fixedLease(300));
        assertThat(other.id()).isEqualTo(client.id());
        Lease lease = other.lock(name).acquire();
        soon("the fixed lease ends").until(() -> !lease.isValid());
        client.lock(name).run(next -> assertThat(next.token()).isGreaterThan(lease.token()));
    }

    @Test
    void tryLock_duration_waitsAndReenters() throws InterruptedException {
        String name = name("duration");
        DistributedLock lock = client().lock(name);
        assertThat(lock.tryLock(patience())).isTrue();
        assertThat(lock.tryLock(Duration.ZERO)).isTrue();
        assertThat(lock.holdCount()).isEqualTo(2);
        lock.unlock();
        lock.unlock();
        try (Lease held = stranger().lock(name).acquire()) {
            assertThat(lock.tryLock(millis(30))).isFalse();
            assertThat(held.isValid()).isTrue();
        }
    }

    @Test
    void multiLease_extendedAndLost_isALeaseLikeOthers() {
        LockClient client = client();
        MultiLease leases =
                client.allOf(List.of(name("a"), name("b")), fixedLease(3_000)).acquire();
        leases.extend(millis(20_000));
        assertThat(leases.remaining()).isGreaterThan(millis(10_000));
        leases.close();

        MultiLease shortLived =
                client.allOf(List.of(name("a"), name("b")), fixedLease(300)).acquire();
        assertThat(shortLived
                        .lost()
                        .toCompletableFuture()
                        .orTimeout(patience().toSeconds(), TimeUnit.SECONDS)
                        .join())
                .isNotNull();
        assertThat(shortLived.isValid()).isFalse();
        assertThatThrownBy(() -> shortLived.extend(millis(1_000))).isInstanceOf(LockLostException.class);
    }
}
