package io.holdfast.comparison;

import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.redisson.Redisson;
import org.redisson.api.RFencedLock;
import org.redisson.api.RPermitExpirableSemaphore;
import org.redisson.api.RedissonClient;
import org.redisson.config.Config;

/** Redisson, its locks without a lease time: so its watchdog renews them. */
final class RedissonPeer implements Peer {
    enum Kind {
        PLAIN,
        FAIR,
        FENCED
    }

    private final Kind kind;
    private final Duration lease;
    private final RedissonClient redisson;

    RedissonPeer(String store, Duration lease, Kind kind) {
        this.kind = kind;
        this.lease = lease;
        Config config = new Config();
        config.setLockWatchdogTimeout(lease.toMillis());
        config.useSingleServer().setAddress(store);
        redisson = Redisson.create(config);
    }

    @Override
    public Section mutex(String name) {
        return switch (kind) {
            case PLAIN -> new LockSection(redisson.getLock(name));
            case FAIR -> new LockSection(redisson.getFairLock(name));
            case FENCED -> new Fenced(redisson.getFencedLock(name));
        };
    }

    @Override
    public Section readLock(String name) {
        return new LockSection(redisson.getReadWriteLock(name).readLock());
    }

    @Override
    public Section writeLock(String name) {
        return new LockSection(redisson.getReadWriteLock(name).writeLock());
    }

    @Override
    public Section permit(String name, int permits) {
        RPermitExpirableSemaphore semaphore = redisson.getPermitExpirableSemaphore(name);
        semaphore.trySetPermits(permits);
        return new Permit(semaphore, lease);
    }

    @Override
    public void close() {
        redisson.shutdown();
    }

    private record Fenced(RFencedLock lock) implements Section {
        @Override
        public void enter() {
            lock.lockAndGetToken();
        }

        @Override
        public void exit() {
            lock.unlock();
        }
    }

    /** Nothing renews a permit: it ends with its lease. */
    private static final class Permit implements Section {
        private final RPermitExpirableSemaphore semaphore;
        private final long leaseMillis;
        private @Nullable String id;

        Permit(RPermitExpirableSemaphore semaphore, Duration lease) {
            this.semaphore = semaphore;
            this.leaseMillis = lease.toMillis();
        }

        @Override
        public void enter() throws InterruptedException {
            id = semaphore.acquire(leaseMillis, TimeUnit.MILLISECONDS);
        }

        @Override
        public void exit() {
            semaphore.release(Objects.requireNonNull(id, "id"));
        }
    }
}
