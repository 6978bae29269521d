package io.holdfast.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.holdfast.DistributedLock;
import io.holdfast.DistributedReadWriteLock;
import io.holdfast.Lease;
import io.holdfast.LockLostException;
import io.holdfast.LockOptions;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Lock;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A thread that lost what it held: it hears of it once, and is as free as any other from then on. */
class LostHoldTest extends EngineFixture {

    private static List<Taking> takings() {
        return Stream.concat(Stream.of(Lock::tryLock), Taking.waiting().stream())
                .toList();
    }

    /** Something that tells the thread of its loss. */
    private interface Telling {
        void of(DistributedLock lock);
    }

    private static List<Telling> tellings() {
        return List.of(
                lock -> assertThat(lock.isHeldByCurrentThread()).isFalse(),
                lock -> assertThat(lock.holdCount()).isZero(),
                lock -> assertThatThrownBy(lock::lock).isInstanceOf(LockLostException.class),
                lock -> assertThatThrownBy(lock::tryLock).isInstanceOf(LockLostException.class),
                lock -> assertThatThrownBy(() -> lock.lease().ensureValid()).isInstanceOf(LockLostException.class),
                lock -> assertThatThrownBy(() -> lock.lease().extend(seconds(5)))
                        .isInstanceOf(LockLostException.class));
    }

    @BeforeEach
    void lostClaimsRunOutByThemselves() {
        storeMayKeepClaims();
    }

    private void lose() {
        runtime.jump(seconds(31));
        runtime.advance(seconds(1));
    }

    private void lockAndLose(DistributedLock lock) {
        lock.lock();
        lose();
    }

    // ---- and the client closes

    @Test
    void unlock_clientClosedMeanwhile_saysSoAndNotTheLossBefore() {
        DistributedLock lock = lock();
        lockAndLose(lock);
        assertThat(lock.isHeldByCurrentThread()).isFalse(); // so the thread does not unlock
        lock.lock();
        engine.close();

        assertThatThrownBy(lock::unlock)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("is closed");
    }

    @Test
    void unlock_lostAndThenClosed_saysTheLoss() {
        DistributedLock lock = lock();
        lockAndLose(lock);
        engine.close();

        assertThatThrownBy(lock::unlock).isInstanceOf(LockLostException.class);
    }

    // ---- told once

    @ParameterizedTest
    @MethodSource("tellings")
    void lock_afterTheLossWasTold_acquiresAnew(Telling telling) throws InterruptedException {
        for (Taking taking : takings()) {
            DistributedLock lock = engine.lock("a");
            lockAndLose(lock);
            long token = lock.lease().token();
            telling.of(lock);

            assertThat(taking.by(lock)).isTrue();

            assertThat(lock.holdCount()).isOne();
            assertThat(lock.lease().token()).isGreaterThan(token);
            lock.unlock();
            assertThat(lock.holdCount()).isZero();
        }
        assertThat(engine.leftovers()).isZero();
    }

    @Test
    void lock_afterACallbackOfTheLeaseWasTold_acquiresAnew() {
        DistributedLock lock = lock();
        lock.lock();
        lock.lease().onLost(reason -> {});
        lose();
        lock.lock();
        assertThat(lock.holdCount()).isOne();
        lock.lease().lost();
        lose();
        lock.lock();
        assertThat(lock.holdCount()).isOne();
        lock.unlock();
    }

    @ParameterizedTest
    @MethodSource("takings")
    void lock_lossNotTold_throwsOnceAndThenAcquiresAnew(Taking taking) throws InterruptedException {
        DistributedLock lock = lock();
        lockAndLose(lock);

        assertThatThrownBy(() -> taking.by(lock)).isInstanceOf(LockLostException.class);

        assertThat(taking.by(lock)).isTrue();
        lock.unlock();
    }

    /** Another thread that looks at the lease tells this one nothing. */
    @Test
    void lock_anotherThreadSawTheLoss_throwsAllTheSame() throws Exception {
        DistributedLock lock = lock();
        lock.lock();
        Lease lease = lock.lease();
        lose();
        Actor<Boolean> other = Actor.does("other", () -> {
            assertThatThrownBy(lease::ensureValid).isInstanceOf(LockLostException.class);
            return lock.isHeldByCurrentThread();
        });
        assertThat(other.result()).isFalse();

        assertThatThrownBy(lock::lock).isInstanceOf(LockLostException.class);
    }

    // ---- what is owed

    @Test
    void unlock_lostNest_everyUnlockThrowsAndThenNothingIsHeld() {
        DistributedLock lock = lock();
        lock.lock();
        lock.lock();
        lockAndLose(lock);

        for (int i = 0; i < 3; i++) {
            assertThatThrownBy(lock::unlock).isInstanceOf(LockLostException.class);
        }

        assertThatThrownBy(lock::unlock).isInstanceOf(IllegalMonitorStateException.class);
        assertThat(engine.leftovers()).isZero();
    }

    @Test
    void unlock_newHoldInsideALostOne_innerIsFineAndOuterThrows() {
        DistributedLock lock = lock();
        lock.lock();
        lockAndLose(lock);
        assertThat(lock.isHeldByCurrentThread()).isFalse();

        lock.lock();
        lock.lock();
        assertThat(lock.holdCount()).isEqualTo(2);
        lock.unlock();
        assertThat(backend.releases()).isEmpty();
        lock.unlock();
        assertThat(backend.releases()).hasSize(1);

        assertThatThrownBy(lock::unlock).isInstanceOf(LockLostException.class);
        assertThatThrownBy(lock::unlock).isInstanceOf(LockLostException.class);
        assertThatThrownBy(lock::unlock).isInstanceOf(IllegalMonitorStateException.class);
    }

    @Test
    void unlock_secondHoldLostToo_allThatIsOwedThrows() {
        DistributedLock lock = lock();
        lockAndLose(lock);
        assertThat(lock.isHeldByCurrentThread()).isFalse();
        lockAndLose(lock);
        assertThat(lock.isHeldByCurrentThread()).isFalse();
        lock.lock();

        lock.unlock();

        assertThatThrownBy(lock::unlock).isInstanceOf(LockLostException.class);
        assertThatThrownBy(lock::unlock).isInstanceOf(LockLostException.class);
        assertThatThrownBy(lock::unlock).isInstanceOf(IllegalMonitorStateException.class);
    }

    @Test
    void leaseClose_newHoldInsideALostOne_theLostOneIsStillOwed() {
        DistributedLock lock = lock();
        lockAndLose(lock);
        assertThat(lock.isHeldByCurrentThread()).isFalse();
        lock.lock();

        lock.lease().close();

        assertThat(lock.holdCount()).isZero();
        assertThatThrownBy(lock::unlock).isInstanceOf(LockLostException.class);
        assertThatThrownBy(lock::unlock).isInstanceOf(IllegalMonitorStateException.class);
    }

    // ---- the two ways to give back, on a thread of a pool

    @Test
    void poolThread_unlocksOnlyWhatItHolds_isFreeForTheNextJob() {
        DistributedLock lock = lock();
        for (int job = 0; job < 20; job++) {
            lock.lock();
            try {
                lose();
            } finally {
                if (lock.isHeldByCurrentThread()) {
                    lock.unlock();
                }
            }
        }
        assertThat(lock.tryLock()).isTrue();
        assertThat(lock.holdCount()).isOne();
        lock.unlock();
        assertThat(engine.leftovers()).isZero();
    }

    @Test
    void poolThread_alwaysUnlocks_isFreeForTheNextJob() {
        DistributedLock lock = lock();
        for (int job = 0; job < 20; job++) {
            lock.lock();
            try {
                lose();
            } finally {
                assertThatThrownBy(lock::unlock).isInstanceOf(LockLostException.class);
            }
        }
        assertThat(lock.tryLock()).isTrue();
        lock.unlock();
        assertThat(engine.leftovers()).isZero();
    }

    // ---- readers and writers

    @Test
    void writeLock_readLockWasLost_isTaken() {
        for (boolean told : List.of(true, false)) {
            DistributedReadWriteLock rw = engine.readWriteLock("rw");
            lockAndLose(rw.readLock());
            if (told) {
                assertThat(rw.readLock().isHeldByCurrentThread()).isFalse();
            }

            assertThat(rw.writeLock().tryLock()).isTrue();

            rw.writeLock().unlock();
            assertThatThrownBy(() -> rw.readLock().unlock()).isInstanceOf(LockLostException.class);
        }
    }

    /** Nobody noticed the loss yet, and nothing but this question asks the clocks. */
    @Test
    void writeLock_readLockIsPastItsDeadline_isTaken() {
        DistributedReadWriteLock rw = engine.readWriteLock("rw");
        rw.readLock().lock();
        runtime.jump(seconds(31));

        assertThat(rw.writeLock().tryLock()).isTrue();
        rw.writeLock().unlock();
    }

    @Test
    void readLock_writeLockWasLost_toldOnceAndThenTaken() {
        DistributedReadWriteLock rw = engine.readWriteLock("rw");
        rw.writeLock().lock();
        lockAndLose(rw.readLock());

        assertThatThrownBy(() -> rw.readLock().lock()).isInstanceOf(LockLostException.class);
        rw.readLock().lock();
        assertThat(rw.readLock().holdCount()).isOne();
        assertThat(rw.writeLock().holdCount()).isZero();
        rw.readLock().unlock();

        assertThatThrownBy(() -> rw.readLock().unlock()).isInstanceOf(LockLostException.class);
        assertThatThrownBy(() -> rw.writeLock().unlock()).isInstanceOf(LockLostException.class);
        assertThatThrownBy(() -> rw.readLock().unlock()).isInstanceOf(IllegalMonitorStateException.class);
        assertThatThrownBy(() -> rw.writeLock().unlock()).isInstanceOf(IllegalMonitorStateException.class);
    }

    // ---- whatever the user keeps

    private static void collect() {
        WeakReference<Object> garbage = new WeakReference<>(new Object());
        await().atMost(Duration.ofSeconds(20)).until(() -> {
            System.gc();
            return garbage.refersTo(null);
        });
    }

    @Test
    void lock_lossNotToldAndNobodyKeepsTheLock_isToldAllTheSame() {
        engine.lock("a").lock();
        lose();
        collect();

        assertThatThrownBy(() -> engine.lock("a").lock()).isInstanceOf(LockLostException.class);

        engine.lock("b", LockOptions.defaults().fixedLease(seconds(5))).lock();
        lose();
        collect();
        assertThatThrownBy(() -> engine.lock("b").unlock()).isInstanceOf(LockLostException.class);
        engine.readWriteLock("c").readLock().lock();
        lose();
        collect();
        assertThatThrownBy(() -> engine.readWriteLock("c").readLock().tryLock()).isInstanceOf(LockLostException.class);
        assertThat(engine.leftovers()).isZero();
    }

    @Test
    void lock_threadsDiedWithTheirLosses_theirHoldsAreSweptOut() throws Exception {
        for (int i = 0; i < 50; i++) {
            int number = i;
            CountDownLatch locked = new CountDownLatch(1);
            CountDownLatch enough = new CountDownLatch(1);
            Actor<Boolean> dies = Actor.does("dies-" + i, () -> {
                engine.lock("order:" + number).lock();
                locked.countDown();
                return enough.await(20, TimeUnit.SECONDS);
            });
            locked.await();
            lose();
            assertThat(engine.leftovers()).as("what the thread was not told").isPositive();
            enough.countDown();
            assertThat(dies.result()).isTrue();
            dies.awaitDeath();
        }

        assertThat(engine.leftovers()).isLessThanOrEqualTo(9);
    }

    @Test
    void lock_threadDiedBeforeTheLoss_nothingIsKept() throws Exception {
        Actor<Boolean> dies = Actor.does("dies", () -> lock().tryLock());
        assertThat(dies.result()).isTrue();
        dies.awaitDeath();

        lose();

        assertThat(engine.leftovers()).isZero();
    }

    /** Told losses are kept by the lock objects alone. */
    @Test
    void lock_everyLossTold_nothingIsKept() {
        WeakReference<Lease> lease = lostAndTold();

        await().atMost(Duration.ofSeconds(20)).until(() -> {
            System.gc();
            return lease.refersTo(null);
        });
        assertThat(engine.leftovers()).isZero();
    }

    private WeakReference<Lease> lostAndTold() {
        lockAndLose(engine.lock("a"));
        WeakReference<Lease> lease = new WeakReference<>(engine.lock("a").lease());
        assertThat(engine.lock("a").isHeldByCurrentThread()).isFalse();
        return lease;
    }
}
