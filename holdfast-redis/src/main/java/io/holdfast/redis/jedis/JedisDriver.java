package io.holdfast.redis.jedis;

import io.holdfast.redis.driver.RedisAddress;
import io.holdfast.redis.driver.RedisConnection;
import io.holdfast.redis.driver.RedisDriver;
import io.holdfast.redis.driver.RedisLinkException;
import io.holdfast.redis.driver.RedisSubscription;
import java.time.Duration;
import java.util.Objects;
import javax.net.SocketFactory;
import redis.clients.jedis.JedisClientConfig;
import redis.clients.jedis.exceptions.JedisException;

/**
 * Redis through the connections of Jedis.
 *
 * <p><b>Guarantees.</b> Those of {@link RedisDriver}. Jedis' own pools, retries and redirections are not used.
 *
 * <p><b>Threads.</b> Safe for use by any number of threads.
 *
 * <pre>{@code
 * JedisClientConfig mine = DefaultJedisClientConfig.builder().user("billing").password(secret()).build();
 * LockClient locks = RedisLocks.connect("redis://localhost:6379", JedisDriver.create(mine));
 * }</pre>
 *
 * @since 0.1
 */
public final class JedisDriver implements RedisDriver {
    private final JedisClientConfig config;
    private final SocketFactory sockets;
    private volatile boolean closed;

    private JedisDriver(JedisClientConfig config, SocketFactory sockets) {
        this.config = Objects.requireNonNull(config, "config");
        this.sockets = Objects.requireNonNull(sockets, "sockets");
    }

    /**
     * Connects with a configuration of the application: its user, password, database and TLS.
     *
     * @param config how to connect
     * @return a driver
     */
    public static JedisDriver create(JedisClientConfig config) {
        return create(config, SocketFactory.getDefault());
    }

    /**
     * Connects with a configuration of the application, over its sockets.
     *
     * @param config how to connect
     * @param sockets makes sockets that are not connected yet; with TLS, the encrypted sockets are layered over them
     * @return a driver
     */
    public static JedisDriver create(JedisClientConfig config, SocketFactory sockets) {
        return new JedisDriver(config, sockets);
    }

    @Override
    public RedisConnection open(RedisAddress address, Duration patience) {
        if (closed) {
            throw RedisLinkException.local("the client is closed", null);
        }
        boolean interrupted = Thread.interrupted(); // a virtual thread could not connect with the flag set
        try {
            return new JedisConnection(address, new JedisLink(address, config, patience, sockets));
        } catch (JedisException failure) {
            throw unsent(JedisLink.translated(address, failure));
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    @Override
    public RedisSubscription subscription(RedisAddress address, String channel, boolean sharded) {
        Duration patience = Duration.ofMillis(config.getConnectionTimeoutMillis());
        try {
            return new JedisSubscription(address, new JedisLink(address, config, patience, sockets), channel, sharded);
        } catch (JedisException failure) {
            throw unsent(JedisLink.translated(address, failure));
        }
    }

    /** A login is not a request: if it failed, nothing was asked for. */
    private static RuntimeException unsent(RuntimeException failure) {
        return failure instanceof RedisLinkException link && !link.isLocal()
                ? RedisLinkException.unreachable(String.valueOf(link.getMessage()), link.getCause(), link.isTimeout())
                : failure;
    }

    @Override
    public void close() {
        closed = true;
    }
}
