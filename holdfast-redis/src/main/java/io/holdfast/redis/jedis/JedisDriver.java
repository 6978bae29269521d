package io.holdfast.redis.jedis;

import io.holdfast.redis.driver.RedisAddress;
import io.holdfast.redis.driver.RedisConnection;
import io.holdfast.redis.driver.RedisDriver;
import io.holdfast.redis.driver.RedisLinkException;
import io.holdfast.redis.driver.RedisSubscription;
import java.time.Duration;
import java.util.Objects;
import java.util.function.Function;
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
    /** Makes the configuration of a new connection. */
    private final Function<RedisAddress, JedisClientConfig> configs;

    private final SocketFactory sockets;

    /** How long a subscription may take to connect. */
    private final Duration patience;

    private volatile boolean closed;

    JedisDriver(Function<RedisAddress, JedisClientConfig> configs, SocketFactory sockets, Duration patience) {
        this.configs = configs;
        this.sockets = Objects.requireNonNull(sockets, "sockets");
        this.patience = patience;
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
        Objects.requireNonNull(config, "config");
        return new JedisDriver(address -> config, sockets, Duration.ofMillis(config.getConnectionTimeoutMillis()));
    }

    @Override
    public RedisConnection open(RedisAddress address, Duration patience) {
        if (closed) {
            throw RedisLinkException.local("the client is closed", null);
        }
        boolean interrupted = Thread.interrupted(); // a virtual thread could not connect with the flag set
        try {
            return new JedisConnection(address, link(address, patience));
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
        try {
            return new JedisSubscription(address, link(address, patience), channel, sharded);
        } catch (JedisException failure) {
            throw unsent(JedisLink.translated(address, failure));
        }
    }

    private JedisLink link(RedisAddress address, Duration most) {
        JedisClientConfig config = configs.apply(address);
        JedisLink link = new JedisLink(new JedisSockets(address, config, most, sockets), config);
        if (asksNothing(config)) {
            link.meet();
        }
        return link;
    }

    /** Whether Jedis connects without waiting for an answer. */
    private static boolean asksNothing(JedisClientConfig config) {
        return config.getRedisProtocol() == null
                && config.getCredentialsProvider() == null
                && config.getClientName() == null
                && config.getDatabase() == 0;
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
