package io.holdfast.redis.jedis;

import io.holdfast.redis.driver.RedisAddress;
import io.holdfast.redis.driver.RedisConnection;
import io.holdfast.redis.driver.RedisDriver;
import io.holdfast.redis.driver.RedisLinkException;
import io.holdfast.redis.driver.RedisReplyException;
import io.holdfast.redis.driver.RedisSubscription;
import java.lang.System.Logger.Level;
import java.net.SocketTimeoutException;
import java.nio.channels.ClosedByInterruptException;
import java.time.Duration;
import java.util.NoSuchElementException;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.Function;
import org.apache.commons.pool2.PooledObject;
import org.apache.commons.pool2.impl.DefaultPooledObject;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.Connection;
import redis.clients.jedis.ConnectionFactory;
import redis.clients.jedis.ConnectionPool;
import redis.clients.jedis.ConnectionPoolConfig;
import redis.clients.jedis.DefaultJedisClientConfig;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.JedisClientConfig;
import redis.clients.jedis.RedisClient;
import redis.clients.jedis.commands.ProtocolCommand;
import redis.clients.jedis.exceptions.JedisConnectionException;
import redis.clients.jedis.exceptions.JedisDataException;
import redis.clients.jedis.exceptions.JedisException;
import redis.clients.jedis.util.Pool;

/**
 * Redis through Jedis: one pool of blocking connections for each server.
 *
 * <p><b>Guarantees.</b> Those of {@link RedisDriver}. Jedis' own retries and redirections are not used.
 *
 * <p><b>Threads.</b> Safe for use by any number of threads. A thread keeps a connection for the time of one call.
 *
 * <pre>{@code
 * RedisClient mine = RedisClient.create("redis://localhost:6379");
 * LockClient locks = RedisLocks.connect("redis://localhost:6379", JedisDriver.over(mine));
 * }</pre>
 */
public final class JedisDriver implements RedisDriver {
    private static final System.Logger LOG = System.getLogger("io.holdfast.redis");

    private final JedisClientConfig config;
    private final Function<RedisAddress, Pool<Connection>> open;
    private final boolean owned;
    private final ConcurrentMap<RedisAddress, Pool<Connection>> pools = new ConcurrentHashMap<>();
    private volatile boolean closed;

    private JedisDriver(JedisClientConfig config, Function<RedisAddress, Pool<Connection>> open, boolean owned) {
        this.config = config;
        this.open = open;
        this.owned = owned;
    }

    /**
     * Opens pools of its own.
     *
     * @param config how to connect
     * @param connections how many connections at most to each server
     * @return a driver that closes its pools
     */
    public static JedisDriver create(JedisClientConfig config, int connections) {
        ConnectionPoolConfig size = new ConnectionPoolConfig();
        size.setMaxTotal(connections);
        size.setMaxIdle(connections);
        size.setJmxEnabled(false);
        return new JedisDriver(
                config, address -> new ConnectionPool(new FreshConnections(address, config), size), true);
    }

    /**
     * Uses the connections of a client that the application has already. Its pool must have room: every thread that asks for a lock takes a
     * connection for the time of one round trip. Subscriptions get connections of their own, made with the given configuration.
     *
     * @param client the application's client, which stays open
     * @param config how the client was told to connect; user, password and TLS are needed for the subscription
     * @return a driver for that client's one server
     */
    public static JedisDriver over(RedisClient client, JedisClientConfig config) {
        Pool<Connection> pool = Objects.requireNonNull(client, "client").getPool();
        return new JedisDriver(config, address -> pool, false);
    }

    /**
     * Uses the connections of a client that the application has already, made without user, password and TLS.
     *
     * @param client the application's client, which stays open
     * @return a driver for that client's one server
     */
    public static JedisDriver over(RedisClient client) {
        return over(client, DefaultJedisClientConfig.builder().build());
    }

    @Override
    public RedisConnection connection(RedisAddress address, Duration patience) {
        if (closed) {
            throw RedisLinkException.local("the client is closed", null);
        }
        Pool<Connection> pool = pools.computeIfAbsent(address, open);
        long untilNanos = System.nanoTime() + patience.toNanos();
        boolean interrupted = Thread.interrupted(); // a virtual thread could not connect with the flag set
        try {
            while (true) {
                try {
                    return new JedisConnection(address, pool, pool.borrowObject(patienceUntil(untilNanos)));
                } catch (InterruptedException flag) {
                    interrupted = true; // nothing was sent yet: once more
                } catch (Exception failure) {
                    throw translated(address, failure);
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private static Duration patienceUntil(long untilNanos) {
        return Duration.ofNanos(Math.max(1, untilNanos - System.nanoTime()));
    }

    @Override
    public RedisSubscription subscription(RedisAddress address, String channel, boolean sharded) {
        try {
            return new JedisSubscription(address, new OpenConnection(address, config), channel, sharded);
        } catch (JedisException failure) {
            throw translated(address, failure);
        }
    }

    @Override
    public void reset(RedisAddress address) {
        Pool<Connection> pool = pools.get(address);
        if (pool != null && owned) {
            pool.clear();
        }
    }

    @Override
    public void close() {
        closed = true;
        if (owned) {
            pools.values().forEach(Pool::close);
        }
    }

    /** Drops a connection at once. The pool makes another one in its place, which must not be waited for: the server may be gone. */
    static void discard(Pool<Connection> pool, Connection connection) {
        connection.setBroken();
        try {
            connection.disconnect();
        } catch (JedisException gone) {
            LOG.log(Level.DEBUG, () -> "already gone: " + gone.getMessage());
        }
        Thread thread = new Thread(() -> dropped(pool, connection), "holdfast-redis-discard");
        thread.setDaemon(true);
        thread.start();
    }

    private static void dropped(Pool<Connection> pool, Connection connection) {
        try {
            pool.returnBrokenResource(connection);
        } catch (JedisException | IllegalStateException noOther) {
            LOG.log(Level.DEBUG, () -> "no other connection yet: " + noOther.getMessage());
        }
    }

    static RuntimeException translated(RedisAddress address, Exception failure) {
        JedisDataException reply = find(JedisDataException.class, failure);
        if (reply != null) {
            return new RedisReplyException(address, String.valueOf(reply.getMessage()));
        }
        if (failure instanceof NoSuchElementException) {
            return RedisLinkException.local(
                    "all connections to " + address + " are in use; raise connections() or ask for fewer locks at once",
                    failure);
        }
        Throwable root = failure;
        while (root.getCause() != null) {
            root = root.getCause();
        }
        String text = root.getMessage() == null ? root.getClass().getSimpleName() : root.getMessage();
        if (root instanceof SocketTimeoutException) {
            return RedisLinkException.timedOut("Redis at " + address + " did not answer in time: " + text, failure);
        }
        return root instanceof ClosedByInterruptException
                        || Thread.currentThread().isInterrupted()
                ? RedisLinkException.local("the call to " + address + " was interrupted: " + text, failure)
                : RedisLinkException.broken("Redis at " + address + ": " + text, failure);
    }

    private static <T extends Throwable> @Nullable T find(Class<T> type, Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (type.isInstance(cause)) {
                return type.cast(cause);
            }
        }
        return null;
    }

    /** Makes connections that know whether they were ever lent. */
    private static final class FreshConnections extends ConnectionFactory {
        private final RedisAddress address;
        private final JedisClientConfig config;

        FreshConnections(RedisAddress address, JedisClientConfig config) {
            super(new HostAndPort(address.host(), address.port()), config);
            this.address = address;
            this.config = config;
        }

        @Override
        public PooledObject<Connection> makeObject() {
            return new DefaultPooledObject<>(new OpenConnection(address, config));
        }
    }

    /** Lets a second thread write while the first one reads, and knows whether it was ever lent. */
    static final class OpenConnection extends Connection {
        private boolean used;
        private boolean wasOpen; // set while the constructor above this one runs, so it has no value here

        OpenConnection(RedisAddress address, JedisClientConfig config) {
            super(new HostAndPort(address.host(), address.port()), config);
        }

        /** Once only: left to itself, a connection that was closed meanwhile comes back for the next command, and without its login. */
        @Override
        public void connect() {
            if (wasOpen && !isConnected()) {
                throw new JedisConnectionException("the connection was closed");
            }
            super.connect();
            wasOpen = true;
        }

        /** Whether this is the first time that somebody asks. */
        boolean isFirstUse() {
            boolean first = !used;
            used = true;
            return first;
        }

        synchronized void send(ProtocolCommand command, byte[]... arguments) {
            sendCommand(command, arguments);
            flush();
        }
    }
}
