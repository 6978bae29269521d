package io.holdfast.comparison;

import java.time.Duration;
import java.util.Objects;
import net.javacrumbs.shedlock.core.ClockProvider;
import net.javacrumbs.shedlock.core.LockConfiguration;
import net.javacrumbs.shedlock.core.LockProvider;
import net.javacrumbs.shedlock.core.SimpleLock;
import net.javacrumbs.shedlock.provider.redis.spring.RedisLockProvider;
import org.jspecify.annotations.Nullable;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/** ShedLock, which never waits: entering what somebody has already is an error. */
final class ShedLockPeer implements Peer {
    private final LettuceConnectionFactory connections;
    private final LockProvider locks;
    private final Duration lease;

    ShedLockPeer(String store, Duration lease) {
        this.lease = lease;
        connections = SpringPeer.connections(store);
        locks = new RedisLockProvider(connections);
    }

    @Override
    public Section mutex(String name) {
        return new Single(name);
    }

    @Override
    public void close() {
        connections.destroy();
    }

    private final class Single implements Section {
        private final String name;
        private @Nullable SimpleLock lock;

        Single(String name) {
            this.name = name;
        }

        @Override
        public void enter() {
            lock = locks.lock(new LockConfiguration(ClockProvider.now(), name, lease, Duration.ZERO))
                    .orElseThrow(() -> new IllegalStateException(name + " is locked"));
        }

        @Override
        public void exit() {
            Objects.requireNonNull(lock, "lock").unlock();
        }
    }
}
