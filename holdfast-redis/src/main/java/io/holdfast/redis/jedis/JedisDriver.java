package io.holdfast.redis.jedis;

import io.holdfast.redis.driver.RedisAddress;
import io.holdfast.redis.driver.RedisConnection;
import io.holdfast.redis.driver.RedisDriver;
import io.holdfast.redis.driver.RedisLinkException;
import io.holdfast.redis.driver.RedisReplyException;
import io.holdfast.redis.driver.RedisSubscription;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.nio.channels.ClosedByInterruptException;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.locks.ReentrantLock;
import javax.net.SocketFactory;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.Connection;
import redis.clients.jedis.JedisClientConfig;
import redis.clients.jedis.commands.ProtocolCommand;
import redis.clients.jedis.exceptions.JedisConnectionException;
import redis.clients.jedis.exceptions.JedisDataException;
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
     * Connects as the application says: with its user, password, database and TLS.
     *
     * @param config how to connect
     * @return a driver
     */
    public static JedisDriver create(JedisClientConfig config) {
        return create(config, SocketFactory.getDefault());
    }

    /**
     * Connects as the application says, over its sockets.
     *
     * @param config how to connect
     * @param sockets makes sockets that are not connected yet; with TLS, the encrypted ones are put over them
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
            return new JedisConnection(address, new OpenConnection(address, config, patience, sockets));
        } catch (JedisException failure) {
            throw unsent(translated(address, failure));
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
            return new JedisSubscription(
                    address, new OpenConnection(address, config, patience, sockets), channel, sharded);
        } catch (JedisException failure) {
            throw unsent(translated(address, failure));
        }
    }

    /** A login is no request: whatever broke it, nothing was asked for. */
    private static RuntimeException unsent(RuntimeException failure) {
        return failure instanceof RedisLinkException link && !link.isLocal()
                ? RedisLinkException.unreachable(String.valueOf(link.getMessage()), link.getCause(), link.isTimeout())
                : failure;
    }

    @Override
    public void close() {
        closed = true;
    }

    static RuntimeException translated(RedisAddress address, Exception failure) {
        JedisDataException reply = find(JedisDataException.class, failure);
        if (reply != null) {
            return new RedisReplyException(address, String.valueOf(reply.getMessage()));
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
                ? RedisLinkException.interrupted("the call to " + address + " was interrupted: " + text, failure)
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

    /** Lets a second thread write while the first one reads, and does not come back once it was closed. */
    static final class OpenConnection extends Connection {
        private final ReentrantLock writing = new ReentrantLock();
        private boolean wasOpen; // set while the constructor above this one runs, so it has no value here

        OpenConnection(RedisAddress address, JedisClientConfig config, Duration patience, SocketFactory sockets) {
            super(new JedisSockets(address, config, patience, sockets), config);
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

        void send(ProtocolCommand command, byte[]... arguments) {
            writing.lock();
            try {
                sendCommand(command, arguments);
                flush();
            } finally {
                writing.unlock();
            }
        }

        @Override
        protected void flush() { // for this package
            super.flush();
        }

        void end() {
            try {
                forceDisconnect();
            } catch (IOException gone) {
                // nothing is left to close
            }
        }
    }
}
