package io.holdfast.redis.lettuce;

import io.holdfast.redis.driver.RedisAccess;
import io.holdfast.redis.driver.RedisAddress;
import io.holdfast.redis.driver.RedisConnection;
import io.holdfast.redis.driver.RedisCredentials;
import io.holdfast.redis.driver.RedisDriver;
import io.holdfast.redis.driver.RedisLinkException;
import io.holdfast.redis.driver.RedisSubscription;
import io.holdfast.spi.TimeSource;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.protocol.ProtocolVersion;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Redis through the connections of Lettuce.
 *
 * <p><b>Guarantees.</b> Those of {@link RedisDriver}. Each connection has one user at a time. Lettuce repeats nothing
 * and does not reconnect.
 *
 * <p><b>Not guaranteed.</b> {@code RedisLocksBuilder.sockets} and {@code tls(SSLSocketFactory)} are refused, because
 * Lettuce has no such sockets; {@code tlsContext} is what to use.
 *
 * <p><b>Threads.</b> Safe for use by any number of threads. Has two threads of its own for all its connections.
 *
 * <pre>{@code
 * LockClient locks = RedisLocks.connect("redis://localhost:6379"); // with holdfast-redis-lettuce and without Jedis
 * }</pre>
 *
 * @since 0.1
 */
public final class LettuceDriver implements RedisDriver {
    private static final TimeSource TIME = TimeSource.system();

    private final RedisAccess access;
    private final LettuceClients clients;

    private LettuceDriver(RedisAccess access) {
        this.access = access;
        this.clients = new LettuceClients(access);
    }

    /**
     * Makes a driver.
     *
     * @param access how to get into the servers
     * @return a driver
     * @throws IllegalArgumentException if it asks for sockets, which Lettuce does not use
     */
    public static LettuceDriver create(RedisAccess access) {
        if (access.sockets() != null || access.tls().sockets() != null) {
            throw new IllegalArgumentException("sockets() and tls(SSLSocketFactory) cannot be used with Lettuce, which"
                    + " has no sockets of the JDK; use tlsContext(), or Jedis");
        }
        return new LettuceDriver(Objects.requireNonNull(access, "access"));
    }

    @Override
    public RedisConnection open(RedisAddress address, Duration patience) {
        long untilNanos = TIME.nanoTime() + patience.toNanos();
        RedisCredentials credentials = access.currentCredentials(address);
        LettuceClients.Target target = clients.target(address, ProtocolVersion.RESP2);
        StatefulRedisConnection<byte[], byte[]> made = Waiting.forConnection(
                address, target.client().connectAsync(ByteArrayCodec.INSTANCE, target.uri(patience)), patience);
        LettuceConnection connection = new LettuceConnection(address, made);
        boolean ready = false;
        try {
            enter(connection, credentials, untilNanos);
            ready = true;
            return connection;
        } catch (RedisLinkException failure) {
            throw unsent(failure);
        } finally {
            if (!ready) {
                connection.close();
            }
        }
    }

    /** Not left to Lettuce, so that an error is what the server said and nothing else. */
    private void enter(LettuceConnection connection, @Nullable RedisCredentials credentials, long untilNanos) {
        if (credentials != null) {
            connection.call(
                    left(untilNanos),
                    credentials.user() == null
                            ? words("AUTH", credentials.password())
                            : words("AUTH", credentials.user(), credentials.password()));
        }
        if (access.clientName() != null) {
            connection.call(left(untilNanos), words("CLIENT", "SETNAME", access.clientName()));
        }
        if (access.database() != 0) {
            connection.call(left(untilNanos), words("SELECT", String.valueOf(access.database())));
        }
    }

    private static byte[][] words(String... words) {
        byte[][] command = new byte[words.length][];
        for (int i = 0; i < words.length; i++) {
            command[i] = words[i].getBytes(StandardCharsets.UTF_8);
        }
        return command;
    }

    private static Duration left(long untilNanos) {
        return Duration.ofNanos(Math.max(1, untilNanos - TIME.nanoTime()));
    }

    /** Messages come by RESP3, where they cannot be taken for the answer to a ping. */
    @Override
    public RedisSubscription subscription(RedisAddress address, String channel, boolean sharded) {
        RedisCredentials credentials = access.currentCredentials(address);
        LettuceClients.Target target = clients.target(address, ProtocolVersion.RESP3);
        RedisURI uri = target.uri(access.connectTimeout());
        uri.setDatabase(access.database());
        if (credentials != null) {
            uri.setCredentialsProvider(LettuceClients.provider(credentials));
        }
        if (access.clientName() != null) {
            uri.setClientName(access.clientName());
        }
        StatefulRedisPubSubConnection<byte[], byte[]> made = Waiting.forConnection(
                address, target.client().connectPubSubAsync(ByteArrayCodec.INSTANCE, uri), access.connectTimeout());
        return new LettuceSubscription(address, made, channel, sharded);
    }

    /** A login is not a request: if it failed, nothing was asked for. */
    private static RuntimeException unsent(RedisLinkException failure) {
        return failure.isLocal()
                ? failure
                : RedisLinkException.unreachable(
                        String.valueOf(failure.getMessage()), failure.getCause(), failure.isTimeout());
    }

    @Override
    public void close() {
        clients.close();
    }
}
