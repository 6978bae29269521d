package io.holdfast.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.DistributedLock;
import io.holdfast.DistributedReadWriteLock;
import io.holdfast.Lease;
import io.holdfast.LockLostException;
import io.holdfast.LostReason;
import org.junit.jupiter.api.Test;

/**
 * Threads that lost what they held through {@code java.util.concurrent.locks.Lock}: told once, and then as free as any
 * other.
 *
 * @since 0.1
 */
@SuppressWarnings("LockNotBeforeTry") // These tests look between lock and unlock; a failure closes the client.
public abstract class LostHoldContract extends Contract {

    /** For subclasses. */
    protected LostHoldContract() {}

    /** Locks, and waits until that is over; the calling thread has not been told. */
    private Lease lockAndLose(DistributedLock lock) throws InterruptedException {
        assertThat(lock.tryLock(patience(), millis(300))).isTrue();
        Lease lease = lock.lease();
        soon("end of the lease").until(() -> !lease.isValid());
        return lease;
    }

    @Test
    void unlock_lockWasLost_throwsAndTheHoldIsGone() throws InterruptedException {
        String name = name("lost");
        DistributedLock lock = client().lock(name);
        lockAndLose(lock);
        assertThat(lock.isHeldByCurrentThread()).isFalse();
        assertThat(lock.holdCount()).isZero();

        assertThatThrownBy(lock::unlock).isInstanceOfSatisfying(LockLostException.class, lost -> {
            assertThat(lost.lockName()).isEqualTo(name);
            assertThat(lost.reason()).isEqualTo(LostReason.EXPIRED);
        });

        assertThatThrownBy(lock::unlock).isInstanceOf(IllegalMonitorStateException.class);
        assertFree(name);
    }

    @Test
    void lock_lossNotTold_throwsOnceAndThenAcquiresAnew() throws InterruptedException {
        DistributedLock lock = client().lock(name("lost"));
        Lease lease = lockAndLose(lock);

        assertThatThrownBy(lock::lock).isInstanceOf(LockLostException.class);
        lock.lock();

        assertThat(lock.holdCount()).isEqualTo(1);
        assertThat(lock.lease().token()).isGreaterThan(lease.token());
        lock.unlock();
        assertThatThrownBy(lock::unlock).as("of the lost hold").isInstanceOf(LockLostException.class);
        assertThatThrownBy(lock::unlock).isInstanceOf(IllegalMonitorStateException.class);
    }

    @Test
    void poolThread_unlocksOnlyWhatItHolds_isFreeForTheNextJob() throws InterruptedException {
        String name = name("pool");
        DistributedLock lock = client().lock(name);
        try {
            lockAndLose(lock);
        } finally {
            if (lock.isHeldByCurrentThread()) {
                lock.unlock();
            }
        }

        assertThat(lock.holdCount()).isZero();
        assertThat(lock.tryLock(patience(), patience())).isTrue();
        assertThat(lock.tryLock()).isTrue();
        assertThat(lock.holdCount()).isEqualTo(2);
        assertHeld(name);
        lock.unlock();
        lock.unlock();
        assertFree(name);
    }

    @Test
    void poolThread_alwaysUnlocks_isFreeForTheNextJob() throws InterruptedException {
        String name = name("pool");
        DistributedLock lock = client().lock(name);
        try {
            lockAndLose(lock);
        } finally {
            assertThatThrownBy(lock::unlock).isInstanceOf(LockLostException.class);
        }

        lock.lock();
        assertThat(lock.holdCount()).isEqualTo(1);
        assertHeld(name);
        lock.unlock();
        assertFree(name);
    }

    @Test
    void unlock_newHoldInsideALostOne_givesBackTheNewOneFirst() throws InterruptedException {
        String name = name("nested");
        DistributedLock lock = client().lock(name);
        lockAndLose(lock);
        assertThat(lock.isHeldByCurrentThread()).isFalse();

        lock.lock();
        assertHeld(name);
        lock.unlock();

        assertFree(name);
        assertThatThrownBy(lock::unlock).isInstanceOf(LockLostException.class);
        assertThatThrownBy(lock::unlock).isInstanceOf(IllegalMonitorStateException.class);
    }

    @Test
    void writeLock_readLockExpired_isTaken() throws InterruptedException {
        DistributedReadWriteLock lock = client().readWriteLock(name("expired reader"));
        lockAndLose(lock.readLock());

        assertThat(lock.writeLock().tryLock(patience(), patience())).isTrue();

        lock.writeLock().unlock();
        assertThatThrownBy(() -> lock.readLock().unlock()).isInstanceOf(LockLostException.class);
    }
}
