package io.holdfast.redis.jedis;

import io.holdfast.redis.driver.RedisAddress;
import io.holdfast.redis.driver.RedisConnection;
import io.holdfast.redis.driver.RedisReplyException;
import io.holdfast.redis.jedis.JedisDriver.OpenConnection;
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
    private final boolean firstUse;

    /** Whether a reply may still be on its way: then nobody else may use the connection, whatever ended the wait. */
    private boolean waiting;

    JedisConnection(RedisAddress address, Pool<Connection> pool, Connection connection) {
        this.address = address;
        this.pool = pool;
        this.connection = connection;
        this.usualTimeoutMillis = connection.getSoTimeout();
        this.firstUse = connection instanceof OpenConnection open && open.isFirstUse();
    }

    @Override
    public void send(byte[]... command) {
        boolean interrupted = Thread.interrupted(); // a socket of a virtual thread would be closed
        try {
            waiting = true;
            if (connection instanceof OpenConnection open) {
                open.send(named(command), arguments(command));
            } else {
                connection.sendCommand(named(command), arguments(command)); // goes out when the reply is waited for
            }
        } catch (JedisException failure) {
            throw JedisDriver.translated(address, failure);
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    @Override
    public @Nullable Object receive(Duration timeout) {
        boolean interrupted = Thread.interrupted();
        try {
            limit(timeout);
            Object reply = connection.getOne();
            waiting = false;
            return reply;
        } catch (JedisDataException error) {
            waiting = false;
            throw JedisDriver.translated(address, error);
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
            waiting = true;
            for (byte[][] command : commands) {
                connection.sendCommand(named(command), arguments(command));
            }
            List<@Nullable Object> replies = new ArrayList<>(commands.size());
            List<Object> received = connection.getMany(commands.size());
            waiting = false;
            for (Object reply : received) {
                replies.add(
                        reply instanceof JedisDataException error
                                ? new RedisReplyException(address, String.valueOf(error.getMessage()))
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

    @Override
    public boolean isNew() {
        return firstUse;
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
        if (waiting || connection.isBroken()) {
            JedisDriver.discard(pool, connection);
            return;
        }
        if (connection.getSoTimeout() != usualTimeoutMillis) {
            connection.setSoTimeout(usualTimeoutMillis);
        }
        pool.returnResource(connection);
    }
}
