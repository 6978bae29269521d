package io.holdfast.redis.jedis;

import io.holdfast.redis.driver.RedisAddress;
import io.holdfast.redis.driver.RedisConnection;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.commands.ProtocolCommand;
import redis.clients.jedis.exceptions.JedisDataException;
import redis.clients.jedis.exceptions.JedisException;

/** One connection. Hides the thread's interrupt flag during a call: it would close a virtual thread's socket. */
final class JedisConnection implements RedisConnection {
    private final RedisAddress address;
    private final JedisLink connection;

    /** How many replies may still arrive. Until then the connection must not be reused, whatever ended the wait. */
    private int missing;

    JedisConnection(RedisAddress address, JedisLink connection) {
        this.address = address;
        this.connection = connection;
    }

    @Override
    public void send(List<byte[][]> commands) {
        boolean interrupted = Thread.interrupted();
        try {
            missing += commands.size();
            for (byte[][] command : commands) {
                connection.sendCommand(named(command), arguments(command));
            }
            connection.flush();
        } catch (JedisException failure) {
            throw JedisLink.translated(address, failure);
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
            Object reply = connection.getUnflushedObject();
            missing--;
            return reply;
        } catch (JedisDataException error) {
            missing--;
            throw JedisLink.translated(address, error);
        } catch (JedisException failure) {
            throw JedisLink.translated(address, failure);
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
    public boolean isUsable() {
        return missing == 0 && !connection.isBroken();
    }

    @Override
    public void close() {
        connection.end();
    }
}
