package io.holdfast.simulation;

import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;

/** Locks that are locked one after the other. What was locked first may be lost when the last one is. */
final class ByHand implements Lock {
    private final List<? extends Lock> locks;

    ByHand(List<? extends Lock> locks) {
        this.locks = List.copyOf(locks);
    }

    @Override
    public void lock() {
        locks.forEach(Lock::lock);
    }

    @Override
    public void lockInterruptibly() {
        lock();
    }

    @Override
    public boolean tryLock() {
        lock();
        return true;
    }

    @Override
    public boolean tryLock(long time, TimeUnit unit) {
        lock();
        return true;
    }

    @Override
    public void unlock() {
        locks.forEach(Lock::unlock);
    }

    @Override
    public Condition newCondition() {
        throw new UnsupportedOperationException("nobody asks for it");
    }
}
