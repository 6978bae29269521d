package io.holdfast.redis;

import io.holdfast.LockClient;
import io.holdfast.LockOptions;
import io.holdfast.Safety;
import io.holdfast.engine.LockEngine;
import io.holdfast.redis.driver.RedisDriver;
import io.holdfast.redis.settings.RedisUrl;
import io.holdfast.spi.LockBackend;
import java.time.Duration;
import java.util.Objects;

/**
 * Opens clients whose locks live in Redis: one server, the master that Sentinels agree on, or a cluster.
 *
 * <p><b>Guarantees.</b> All that {@link LockClient} promises. A lock and its release are one command each; the server
 * notifies waiters. Tokens grow with the server's clock and never go back while the record is kept.
 *
 * <p><b>Not guaranteed.</b> With {@link Safety#AVAILABLE}, a failover or a restart that loses writes may grant a lock
 * twice; {@link Safety#STRICT} waits instead. A server clock that is set forward ends leases early.
 * {@code docs/guarantees.md} has the whole table.
 *
 * <p><b>Threads.</b> Safe for use by any number of threads. Each client has a small pool of connections, and one more
 * for messages on each server where it waits.
 *
 * <p><b>Failures.</b> {@link io.holdfast.LockStoreException} when the server cannot be reached or cannot be used; the
 * message says what to change. {@link IllegalArgumentException} for a URL or an option that makes no sense.
 *
 * <pre>{@code
 * try (LockClient locks = RedisLocks.connect("redis://localhost:6379")) {
 *     try (Lease lease = locks.lock("order:42").acquire()) {
 *         ship(lease.token());
 *     }
 * }
 * }</pre>
 *
 * @since 0.1
 */
public final class RedisLocks {
    private RedisLocks() {}

    /**
     * Opens a client with the default options.
     *
     * @param url {@code redis://host:port/database}, {@code redis-sentinel://host,host,host/master} or
     *     {@code redis-cluster://host,host,host}; with {@code rediss} for TLS, and with {@code user:password@} before
     *     the hosts
     * @return the client, to be closed
     */
    public static LockClient connect(String url) {
        return builder(url).connect();
    }

    /**
     * Opens a client that connects through a driver of the application.
     *
     * @param url as for {@link #connect(String)}; it only says where the server is, its user and password are ignored
     * @param driver for instance {@code JedisDriver.create(config)} with a configuration of the application; closed
     *     with the client
     * @return the client, to be closed
     */
    public static LockClient connect(String url, RedisDriver driver) {
        return builder(url).driver(driver).connect();
    }

    /**
     * Begins a client with options.
     *
     * @param url as for {@link #connect(String)}
     * @return a builder
     */
    public static RedisLocksBuilder builder(String url) {
        return new RedisLocksBuilder(RedisUrl.parse(Objects.requireNonNull(url, "url")));
    }

    /**
     * Begins a client with options, without a URL.
     *
     * @return a builder, which needs {@link RedisLocksBuilder#address} at least
     */
    public static RedisLocksBuilder builder() {
        return new RedisLocksBuilder(RedisUrl.empty());
    }

    static LockClient start(LockBackend backend, LockOptions defaults, Duration deadlockDelay) {
        return LockEngine.start(backend, defaults, deadlockDelay);
    }

    static Duration defaultDeadlockDelay() {
        return LockEngine.DEFAULT_DEADLOCK_DELAY;
    }

    static Duration checkedDeadlockDelay(Duration delay) {
        return LockEngine.checkedDeadlockDelay(delay);
    }
}
