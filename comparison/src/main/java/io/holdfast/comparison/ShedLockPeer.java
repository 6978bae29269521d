package io.holdfast.comparison;

import com.zaxxer.hikari.HikariDataSource;
import java.time.Duration;
import java.util.Objects;
import net.javacrumbs.shedlock.core.ClockProvider;
import net.javacrumbs.shedlock.core.LockConfiguration;
import net.javacrumbs.shedlock.core.LockProvider;
import net.javacrumbs.shedlock.core.SimpleLock;
import net.javacrumbs.shedlock.provider.jdbctemplate.JdbcTemplateLockProvider;
import net.javacrumbs.shedlock.provider.redis.spring.RedisLockProvider;
import org.jspecify.annotations.Nullable;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.jdbc.core.JdbcTemplate;

/** ShedLock, which never waits: entering what somebody has already is an error. */
final class ShedLockPeer implements Peer {
    private final Runnable closing;
    private final LockProvider locks;
    private final Duration lease;

    ShedLockPeer(String store, Duration lease) {
        this.lease = lease;
        if (store.startsWith("jdbc:")) {
            HikariDataSource pool = SpringJdbcPeer.pool(store);
            locks = new JdbcTemplateLockProvider(JdbcTemplateLockProvider.Configuration.builder()
                    .withJdbcTemplate(new JdbcTemplate(pool))
                    .usingDbTime()
                    .build());
            closing = pool::close;
        } else {
            LettuceConnectionFactory connections = SpringPeer.connections(store);
            locks = new RedisLockProvider(connections);
            closing = connections::destroy;
        }
    }

    @Override
    public Section mutex(String name) {
        return new Single(name);
    }

    @Override
    public void close() {
        closing.run();
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
