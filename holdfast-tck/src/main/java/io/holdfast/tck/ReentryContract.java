package io.holdfast.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.DistributedLock;
import io.holdfast.Lease;
import io.holdfast.LockClient;
import io.holdfast.LockKind;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/**
 * The {@code java.util.concurrent.locks.Lock} view: owned by a thread, re-entrant, and strict about who unlocks.
 *
 * @since 0.1
 */
@SuppressWarnings("LockNotBeforeTry") // These tests look between lock and unlock; a failure closes the client.
public abstract class ReentryContract extends Contract {

    /** For subclasses. */
    protected ReentryContract() {}

    @Test
    void lock_again_countsAndHoldsUntilTheLastUnlock() {
        String name = name("reentry");
        DistributedLock lock = client().lock(name);
        assertThat(lock.holdCount()).isZero();
        assertThat(lock.isHeldByCurrentThread()).isFalse();

        lock.lock();
        lock.lock();
        assertThat(lock.holdCount()).isEqualTo(2);
        lock.unlock();

        assertThat(lock.holdCount()).isEqualTo(1);
        assertThat(lock.isHeldByCurrentThread()).isTrue();
        assertHeld(name);
        lock.unlock();
        assertThat(lock.holdCount()).isZero();
        assertThat(lock.isHeldByCurrentThread()).isFalse();
        assertFree(name);
    }

    @Test
    void lock_againInEveryStyle_isOneHoldWithOneToken() throws InterruptedException {
        String name = name("styles");
        LockClient client = client();
        DistributedLock lock = client.lock(name);
        lock.lock();
        long token = lock.lease().token();

        assertThat(lock.tryLock()).isTrue();
        assertThat(lock.tryLock(1, TimeUnit.SECONDS)).isTrue();
        assertThat(lock.tryLock(Duration.ZERO, Duration.ofSeconds(10))).isTrue();
        lock.lockInterruptibly();
        client.lock(name).lock();

        assertThat(lock.holdCount()).isEqualTo(6);
        assertThat(lock.lease().token()).isEqualTo(token);
        assertThat(look(LockKind.LOCK, name).holders()).hasSize(1);
        for (int holds = 6; holds > 0; holds--) {
            assertThat(lock.holdCount()).isEqualTo(holds);
            assertHeld(name);
            lock.unlock();
        }
        assertFree(name);
    }

    @Test
    void lock_again_asksTheStoreNothing() {
        FaultyClient faulty = faultyClient(defaults());
        DistributedLock lock = faulty.client().lock(name("local"));
        lock.lock();
        faulty.script().cut();

        lock.lock();
        lock.unlock();

        assertThat(lock.isHeldByCurrentThread()).isTrue();
        assertThat(faulty.backend().injected()).as("calls to the store").isZero();
        faulty.script().clear();
        lock.unlock();
    }

    @Test
    void tryLock_againWithLongerLease_extendsTheLease() throws InterruptedException {
        DistributedLock lock = client().lock(name("longer"));
        assertThat(lock.tryLock(Duration.ZERO, millis(5_000))).isTrue();

        assertThat(lock.tryLock(Duration.ZERO, millis(60_000))).isTrue();

        assertThat(lock.lease().remaining()).isGreaterThan(millis(10_000));
        lock.unlock();
        lock.unlock();
    }

    @Test
    void lock_otherThreadOfTheClient_waits() {
        String name = name("threads");
        LockClient client = client();
        DistributedLock lock = client.lock(name);
        lock.lock();
        Crew.Hand<Integer> other = crew().ask("other", () -> {
            lock.lock();
            int holds = lock.holdCount();
            lock.unlock();
            return holds;
        });
        awaitContended(client, name, 1);
        assertThat(other.isDone()).isFalse();

        lock.unlock();

        assertThat(other.result()).isEqualTo(1);
        assertFree(name);
    }

    @Test
    void acquire_threadThatHoldsTheLock_doesNotReenter() {
        DistributedLock lock = client().lock(name("two styles"));
        lock.lock();
        assertThat(lock.tryAcquire()).isEmpty();
        lock.unlock();
        try (Lease lease = lock.acquire()) {
            assertThat(lock.tryLock()).isFalse();
            assertThat(lock.isHeldByCurrentThread()).isFalse();
            assertThat(lease.isValid()).isTrue();
        }
    }

    @Test
    void unlock_strangerThread_saysWhoHoldsIt() {
        String name = name("stranger");
        DistributedLock lock = client().lock(name);
        CountDownLatch locked = new CountDownLatch(1);
        CountDownLatch enough = new CountDownLatch(1);
        Crew.Hand<Boolean> owner = crew().run("rightful owner", () -> {
            lock.lock();
            locked.countDown();
            enough.await();
            lock.unlock();
        });
        soon("the owner").until(() -> locked.getCount() == 0);

        assertThatThrownBy(lock::unlock)
                .isInstanceOf(IllegalMonitorStateException.class)
                .hasMessageContaining(name)
                .hasMessageContaining("rightful owner");
        assertHeld(name);
        enough.countDown();
        assertThat(owner.result()).isTrue();
    }

    @Test
    void unlock_heldByAnotherClient_saysWhoHoldsIt() {
        String name = name("stranger");
        DistributedLock lock = client().lock(name);
        try (Lease held = client().lock(name, defaults().label("worker seven")).acquire()) {
            assertThatThrownBy(lock::unlock)
                    .isInstanceOf(IllegalMonitorStateException.class)
                    .hasMessageContaining(name)
                    .hasMessageContaining("worker seven");
            assertThat(held.isValid()).isTrue();
        }
    }

    @Test
    void unlock_twice_isRefused() {
        String name = name("twice");
        DistributedLock lock = client().lock(name);
        lock.lock();
        lock.unlock();

        assertThatThrownBy(lock::unlock)
                .isInstanceOf(IllegalMonitorStateException.class)
                .hasMessageContaining(name);
        assertFree(name);
    }

    @Test
    void unlock_twiceWhileAnotherClientHolds_leavesThatOneAlone() {
        String name = name("innocent");
        DistributedLock lock = client().lock(name);
        lock.lock();
        lock.unlock();
        try (Lease other = client().lock(name).acquire()) {
            assertThatThrownBy(lock::unlock).isInstanceOf(IllegalMonitorStateException.class);
            assertThat(other.isValid()).isTrue();
            assertHeld(name);
        }
    }

    @Test
    void newCondition_always_isUnsupported() {
        LockClient client = client();
        assertThatThrownBy(() -> client.lock(name("condition")).newCondition())
                .isInstanceOf(UnsupportedOperationException.class)
                .hasMessageContaining("condition");
        assertThatThrownBy(() -> client.allOf(name("condition")).newCondition())
                .isInstanceOf(UnsupportedOperationException.class)
                .hasMessageContaining("condition");
    }

    @Test
    void lease_ownerThread_isTheLeaseBehindTheHold() {
        String name = name("lease");
        DistributedLock lock = client().lock(name);
        lock.lock();
        Lease lease = lock.lease();

        assertThat(lease.name()).isEqualTo(name);
        assertThat(lease.token()).isPositive();
        assertThat(lease.isValid()).isTrue();
        assertThat(lease.remaining()).isPositive();
        lock.unlock();
        assertThat(lease.isValid()).isFalse();
    }

    @Test
    void lease_threadWithoutHold_isRefused() {
        String name = name("no lease");
        DistributedLock lock = client().lock(name);
        assertThatThrownBy(lock::lease)
                .isInstanceOf(IllegalMonitorStateException.class)
                .hasMessageContaining(name);
        crew().run("owner", lock::lock).result();
        assertThatThrownBy(lock::lease).isInstanceOf(IllegalMonitorStateException.class);
    }

    @Test
    void leaseClose_reenteredHold_givesTheLockUp() {
        String name = name("given up");
        DistributedLock lock = client().lock(name);
        lock.lock();
        lock.lock();

        lock.lease().close();

        assertThat(lock.isHeldByCurrentThread()).isFalse();
        assertFree(name);
    }
}
