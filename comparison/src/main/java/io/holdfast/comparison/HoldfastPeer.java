package io.holdfast.comparison;

import io.holdfast.Acquirable;
import io.holdfast.Fairness;
import io.holdfast.Lease;
import io.holdfast.LockClient;
import io.holdfast.LockOptions;
import io.holdfast.jdbc.JdbcLocks;
import io.holdfast.redis.RedisLocks;
import io.holdfast.zookeeper.ZooKeeperLocks;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Holdfast with leases; re-entry with the lock view, because a lease does not re-enter. */
final class HoldfastPeer implements Peer {
    private final LockClient locks;

    HoldfastPeer(String store, Duration lease, Fairness fairness) {
        LockOptions options = LockOptions.defaults().lease(lease).fairness(fairness);
        locks = connect(store, options);
    }

    private static LockClient connect(String store, LockOptions options) {
        if (store.startsWith("jdbc:")) {
            return JdbcLocks.builder(store, "", "").defaults(options).connect();
        }
        return store.startsWith("redis")
                ? RedisLocks.builder(store).defaults(options).connect()
                : ZooKeeperLocks.builder(store).defaults(options).connect();
    }

    @Override
    public Section mutex(String name) {
        return new Leased(locks.lock(name));
    }

    @Override
    public Section reentrant(String name) {
        return new LockSection(locks.lock(name));
    }

    @Override
    public Section readLock(String name) {
        return new Leased(locks.readWriteLock(name).readLock());
    }

    @Override
    public Section writeLock(String name) {
        return new Leased(locks.readWriteLock(name).writeLock());
    }

    @Override
    public Section permit(String name, int permits) {
        return new Leased(locks.semaphore(name, permits));
    }

    @Override
    public void close() {
        locks.close();
    }

    private static final class Leased implements Section {
        private final Acquirable<Lease> from;
        private @Nullable Lease lease;

        Leased(Acquirable<Lease> from) {
            this.from = from;
        }

        @Override
        public void enter() {
            lease = from.acquire();
        }

        @Override
        public void exit() {
            Objects.requireNonNull(lease, "lease").close();
        }
    }
}
