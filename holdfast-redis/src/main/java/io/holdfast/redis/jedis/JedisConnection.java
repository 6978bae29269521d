package io.holdfast.redis.jedis;

import io.holdfast.redis.driver.RedisAddress;
import io.holdfast.redis.driver.RedisConnection;
import io.holdfast.redis.driver.RedisReplyException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.Connection;
import redis.clients.jedis.commands.ProtocolCommand;
import redis.clients.jedis.exceptions.JedisDataException;
import redis.clients.jedis.exceptions.JedisException;
import redis.clients.jedis.util.Pool;

/** A connection lent by a pool. */
final class JedisConnection implements RedisConnection {
    private final RedisAddress address;
    private final Pool<Connection> pool;
    private final Connection connection;
    private final int usualTimeoutMillis;

    JedisConnection(RedisAddress address, Pool<Connection> pool, Connection connection) {
        this.address = address;
        this.pool = pool;
        this.connection = connection;
        this.usualTimeoutMillis = connection.getSoTimeout();
    }

    @Override
    public @Nullable Object call(Duration timeout, byte[]... command) {
        boolean interrupted = Thread.interrupted(); // a socket of a virtual thread would be closed
        try {
            limit(timeout);
            connection.sendCommand(named(command), arguments(command));
            return connection.getOne();
        } catch (JedisException failure) {
            throw JedisDriver.translated(address, failure);
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    @Override
    public List<@Nullable Object> pipeline(Duration timeout, List<byte[][]> commands) {
        boolean interrupted = Thread.interrupted();
        try {
            limit(timeout);
            for (byte[][] command : commands) {
                connection.sendCommand(named(command), arguments(command));
            }
            List<@Nullable Object> replies = new ArrayList<>(commands.size());
            for (Object reply : connection.getMany(commands.size())) {
                replies.add(
                        reply instanceof JedisDataException error
                                ? new RedisReplyException(String.valueOf(error.getMessage()))
                                : reply);
            }
            return replies;
        } catch (JedisException failure) {
            throw JedisDriver.translated(address, failure);
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private void limit(Duration timeout) {
        int millis = (int) Math.max(1, Math.min(timeout.toMillis(), Integer.MAX_VALUE));
        if (millis != connection.getSoTimeout()) {
            connection.setSoTimeout(millis);
        }
    }

    private static ProtocolCommand named(byte[][] command) {
        return () -> command[0];
    }

    private static byte[][] arguments(byte[][] command) {
        return Arrays.copyOfRange(command, 1, command.length);
    }

    @Override
    public void close() {
        if (connection.isBroken()) {
            pool.returnBrokenResource(connection);
            return;
        }
        if (connection.getSoTimeout() != usualTimeoutMillis) {
            connection.setSoTimeout(usualTimeoutMillis);
        }
        pool.returnResource(connection);
    }
}
