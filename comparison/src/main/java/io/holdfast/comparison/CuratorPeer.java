package io.holdfast.comparison;

import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.framework.recipes.locks.InterProcessLock;
import org.apache.curator.framework.recipes.locks.InterProcessMutex;
import org.apache.curator.framework.recipes.locks.InterProcessReadWriteLock;
import org.apache.curator.framework.recipes.locks.InterProcessSemaphoreV2;
import org.apache.curator.framework.recipes.locks.Lease;
import org.apache.curator.retry.ExponentialBackoffRetry;
import org.jspecify.annotations.Nullable;

/**
 * Curator's recipes. A lock lives as long as the session, which Curator keeps alive; an object counts the holds of each
 * thread.
 */
final class CuratorPeer implements Peer {
    private static final Duration LONGEST_CONNECT = Duration.ofSeconds(15);

    private final CuratorFramework zooKeeper;
    private final Map<String, InterProcessMutex> mutexes = new ConcurrentHashMap<>();
    private final Map<String, InterProcessReadWriteLock> readWriteLocks = new ConcurrentHashMap<>();

    CuratorPeer(String store, Duration lease) {
        int session = (int) lease.toMillis();
        zooKeeper = CuratorFrameworkFactory.builder()
                .connectString(store)
                .sessionTimeoutMs(session)
                .connectionTimeoutMs((int) Math.min(session, LONGEST_CONNECT.toMillis()))
                .retryPolicy(new ExponentialBackoffRetry(1000, 3))
                .build();
        zooKeeper.start();
    }

    @Override
    public Section mutex(String name) {
        return new Locked(mutexes.computeIfAbsent("/mutex/" + name, path -> new InterProcessMutex(zooKeeper, path)));
    }

    @Override
    public Section readLock(String name) {
        return new Locked(readWriteLock(name).readLock());
    }

    @Override
    public Section writeLock(String name) {
        return new Locked(readWriteLock(name).writeLock());
    }

    private InterProcessReadWriteLock readWriteLock(String name) {
        return readWriteLocks.computeIfAbsent(
                "/read-write/" + name, path -> new InterProcessReadWriteLock(zooKeeper, path));
    }

    @Override
    public Section permit(String name, int permits) {
        return new Permit(new InterProcessSemaphoreV2(zooKeeper, "/semaphore/" + name, permits));
    }

    @Override
    public void close() {
        zooKeeper.close();
    }

    private record Locked(InterProcessLock lock) implements Section {
        @Override
        public void enter() throws Exception {
            lock.acquire();
        }

        @Override
        public void exit() throws Exception {
            lock.release();
        }
    }

    private static final class Permit implements Section {
        private final InterProcessSemaphoreV2 semaphore;
        private @Nullable Lease lease;

        Permit(InterProcessSemaphoreV2 semaphore) {
            this.semaphore = semaphore;
        }

        @Override
        public void enter() throws Exception {
            lease = semaphore.acquire();
        }

        @Override
        public void exit() {
            semaphore.returnLease(Objects.requireNonNull(lease, "lease"));
        }
    }
}
