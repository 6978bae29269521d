package io.holdfast.redis.jedis;

import io.holdfast.redis.driver.RedisAddress;
import io.holdfast.redis.driver.RedisConnection;
import java.time.Duration;
import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.CommandArguments;
import redis.clients.jedis.args.Rawable;
import redis.clients.jedis.exceptions.JedisDataException;
import redis.clients.jedis.exceptions.JedisException;

/** One connection. Hides the thread's interrupt flag during a call: it would close a virtual thread's socket. */
final class JedisConnection implements RedisConnection {
    private final RedisAddress address;
    private final JedisLink connection;
    private final Words words = new Words();

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
                connection.sendCommand(words.of(command));
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

    /**
     * The words of the command that is being sent, as Jedis wants to read them: one after the other, and each at once.
     * Nothing is copied or wrapped, and one is enough for a connection, because Jedis has written a command when it
     * returns.
     */
    private static final class Words extends CommandArguments {
        private final Reader reader = new Reader();
        private byte[][] command = {};

        Words() {
            super(() -> new byte[0]);
        }

        Words of(byte[][] next) {
            command = next;
            return this;
        }

        @Override
        public int size() {
            return command.length;
        }

        @Override
        public Iterator<Rawable> iterator() {
            reader.read = 0;
            return reader;
        }

        private final class Reader implements Iterator<Rawable>, Rawable {
            private int read;

            @Override
            public boolean hasNext() {
                return read < command.length;
            }

            @Override
            public Rawable next() {
                read++;
                return this;
            }

            @Override
            public byte[] getRaw() {
                return command[read - 1];
            }
        }
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
