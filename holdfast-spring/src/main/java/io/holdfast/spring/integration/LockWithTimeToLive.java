package io.holdfast.spring.integration;

import io.holdfast.LockClient;
import io.holdfast.LockOptions;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import org.springframework.integration.support.locks.DistributedLock;

/** A lock as Spring Integration 7 and later want it; loaded where that has the type. */
final class LockWithTimeToLive implements DistributedLock {
    private final io.holdfast.DistributedLock lock;
    private final LockClient client;
    private final LockOptions options;

    LockWithTimeToLive(io.holdfast.DistributedLock lock, LockClient client, LockOptions options) {
        this.lock = lock;
        this.client = client;
        this.options = options;
    }

    /** As the other libraries do it: not renewed, and lost when the time is over. */
    @Override
    public void lock(Duration ttl) {
        client.lock(lock.name(), options.fixedLease(ttl)).lock();
    }

    @Override
    public boolean tryLock(Duration waitTime, Duration ttl) throws InterruptedException {
        return lock.tryLock(waitTime, ttl);
    }

    @Override
    public void lock() {
        lock.lock();
    }

    @Override
    public void lockInterruptibly() throws InterruptedException {
        lock.lockInterruptibly();
    }

    @Override
    public boolean tryLock() {
        return lock.tryLock();
    }

    @Override
    public boolean tryLock(long time, TimeUnit unit) throws InterruptedException {
        return lock.tryLock(time, unit);
    }

    @Override
    public void unlock() {
        lock.unlock();
    }

    @Override
    public Condition newCondition() {
        return lock.newCondition();
    }

    @Override
    public String toString() {
        return lock.toString();
    }
}
