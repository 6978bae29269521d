package io.holdfast.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.DistributedLock;
import io.holdfast.DistributedReadWriteLock;
import io.holdfast.Lease;
import io.holdfast.LockLostException;
import io.holdfast.LockStoreException;
import io.holdfast.spi.ClaimId;
import io.holdfast.spi.Resource;
import io.holdfast.spi.ResourceView;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The style of {@link java.util.concurrent.locks.Lock}: owned by a thread, re-entrant. */
class LockViewTest extends EngineFixture {

    @Test
    void unlock_lastHold_releases() {
        DistributedLock lock = lock();
        lock.lock();
        lock.lock();
        assertThat(lock.holdCount()).isEqualTo(2);

        lock.unlock();
        assertThat(lock.isHeldByCurrentThread()).isTrue();
        assertThat(backend.releases()).isEmpty();
        lock.unlock();

        assertThat(lock.isHeldByCurrentThread()).isFalse();
        assertThat(lock.holdCount()).isZero();
        assertThat(backend.releases()).hasSize(1);
    }

    @Test
    void unlock_notHeldByAnybody_saysSo() {
        assertThatThrownBy(lock()::unlock)
                .isInstanceOf(IllegalMonitorStateException.class)
                .hasMessageContaining(Thread.currentThread().getName())
                .hasMessageContaining("LOCK 'a'")
                .hasMessageContaining("nobody does");
    }

    @Test
    void unlock_heldByAnotherThread_refusedAndNamesIt() throws Exception {
        DistributedLock lock = lock();
        lock.lock();

        Actor<Boolean> stranger = Actor.does("stranger", () -> {
            assertThat(lock.isHeldByCurrentThread()).isFalse();
            assertThat(lock.holdCount()).isZero();
            lock.unlock();
            return true;
        });

        assertThat(stranger.failure())
                .isInstanceOf(IllegalMonitorStateException.class)
                .hasMessageContaining("thread stranger")
                .hasMessageContaining("thread " + Thread.currentThread().getName() + " of this client does");
        assertThat(lock.isHeldByCurrentThread()).isTrue();
        assertThat(backend.releases()).isEmpty();
        lock.unlock();
    }

    @Test
    void unlock_heldByAnotherClient_namesIt() {
        backend.inspections(resource -> Optional.of(new ResourceView(
                resource,
                List.of(new ResourceView.Holder(new ClaimId("far", 1), 1, 1, seconds(1), "worker 7")),
                List.of())));

        assertThatThrownBy(lock()::unlock)
                .isInstanceOf(IllegalMonitorStateException.class)
                .hasMessageContaining("'worker 7' of client far does");
    }

    @Test
    void unlock_notHeldAndStoreDown_stillAnIllegalMonitorState() {
        backend.inspections(ScriptedBackend.down());

        assertThatThrownBy(lock()::unlock)
                .isInstanceOf(IllegalMonitorStateException.class)
                .hasMessageContaining("could not say");
    }

    @Test
    void lease_notHeld_throws() {
        assertThatThrownBy(lock()::lease).isInstanceOf(IllegalMonitorStateException.class);
    }

    @Test
    void lease_closedBehindTheHolds_givesTheLockUp() {
        DistributedLock lock = lock();
        lock.lock();
        lock.lock();

        lock.lease().close();

        assertThat(lock.isHeldByCurrentThread()).isFalse();
        assertThat(lock.holdCount()).isZero();
        assertThat(backend.releases()).hasSize(1);
        assertThatThrownBy(lock::unlock).isInstanceOf(IllegalMonitorStateException.class);
        lock.lock();
        assertThat(lock.holdCount()).isOne();
        lock.unlock();
    }

    @Test
    void unlock_lostMeanwhileAndNobodyNoticed_throwsOnTheLastUnlockAndIsFreeAfterwards() {
        storeMayKeepClaims();
        DistributedLock lock = lock();
        lock.lock();
        lock.lock();
        runtime.jump(USABLE);

        lock.unlock();
        assertThatThrownBy(lock::unlock).isInstanceOf(LockLostException.class);

        assertThat(lock.holdCount()).isZero();
        lock.lock();
        assertThat(lock.isHeldByCurrentThread()).isTrue();
        lock.unlock();
    }

    @Test
    void acquire_threadHoldsTheLockView_leaseDoesNotReenter() {
        lock().lock();

        assertThat(lock().tryAcquire()).isEmpty();

        lock().unlock();
    }

    @Test
    void lock_manyThreadsDieHolding_theirHoldingsAreSweptOut() throws Exception {
        storeMayKeepClaims();
        for (int i = 0; i < 50; i++) {
            Actor<Boolean> dies = Actor.does("dies-" + i, () -> {
                engine.readWriteLock("rw").readLock().lock();
                return true;
            });
            assertThat(dies.result()).isTrue();
            dies.awaitDeath();
        }

        assertThatThrownBy(() -> engine.readWriteLock("rw").readLock().unlock())
                .isInstanceOf(IllegalMonitorStateException.class);
        assertThat(engine.readWriteLock("rw").readLock().tryLock()).isTrue();
    }

    @Test
    void newCondition_unsupported() {
        assertThatThrownBy(lock()::newCondition)
                .isInstanceOf(UnsupportedOperationException.class)
                .hasMessageContaining("latch");
        assertThatThrownBy(engine.allOf("a")::newCondition).isInstanceOf(UnsupportedOperationException.class);
    }

    // ---- readers and writers

    @Test
    void readWriteLock_weights_oneAndAll() {
        DistributedReadWriteLock rw = engine.readWriteLock("rw");
        rw.readLock().acquire();
        rw.writeLock().acquire();

        assertThat(backend.claim(0).weight()).isOne();
        assertThat(backend.claim(1).weight()).isEqualTo(Resource.ALL_READERS);
        assertThat(rw.name()).isEqualTo("rw");
    }

    @Test
    void readLock_threadHoldsTheWriteLock_ridesOnItUntilBothAreGivenBack() {
        DistributedReadWriteLock rw = engine.readWriteLock("rw");
        rw.writeLock().lock();
        rw.readLock().lock();
        assertThat(rw.readLock().holdCount()).isOne();
        assertThat(rw.readLock().lease()).isSameAs(rw.writeLock().lease());

        rw.writeLock().unlock();
        assertThat(rw.writeLock().isHeldByCurrentThread()).isFalse();
        assertThat(rw.readLock().isHeldByCurrentThread()).isTrue();
        assertThat(backend.releases()).isEmpty();
        rw.readLock().unlock();

        assertThat(backend.calls()).hasSize(2);
        assertThat(rw.readLock().isHeldByCurrentThread()).isFalse();
    }

    @Test
    void writeLock_threadHoldsTheReadLock_refusedInsteadOfWaitingForItself() {
        DistributedReadWriteLock rw = engine.readWriteLock("rw");
        rw.readLock().lock();

        assertThatThrownBy(() -> rw.writeLock().lock())
                .isInstanceOf(IllegalMonitorStateException.class)
                .hasMessageContaining("read lock of 'rw'")
                .hasMessageContaining("unlock it");
        assertThatThrownBy(() -> rw.writeLock().tryLock()).isInstanceOf(IllegalMonitorStateException.class);

        assertThat(backend.attempts()).hasSize(1);
        rw.readLock().unlock();
        rw.writeLock().lock();
        rw.writeLock().unlock();
    }

    @Test
    void readLock_unlockWithoutHold_throws() {
        DistributedReadWriteLock rw = engine.readWriteLock("rw");
        rw.writeLock().lock();

        assertThatThrownBy(() -> rw.readLock().unlock()).isInstanceOf(IllegalMonitorStateException.class);

        rw.writeLock().unlock();
    }

    // ---- looking at the store

    @Test
    void looks_storeDown_storeException() {
        backend.inspections(ScriptedBackend.down());

        assertThatThrownBy(() -> engine.election("e").leader())
                .isInstanceOf(LockStoreException.class)
                .hasMessageContaining("'e'");
        assertThatThrownBy(() -> engine.latch("l", 2).count())
                .isInstanceOf(LockStoreException.class)
                .hasMessageContaining("'l'");
    }

    @Test
    void lease_ofTheHold_sameTokenAsTheStoreGave() {
        lock().lock();

        Lease lease = lock().lease();

        assertThat(lease.name()).isEqualTo("a");
        assertThat(lease.token()).isOne();
        lock().unlock();
        assertThat(lease.isValid()).isFalse();
    }
}
