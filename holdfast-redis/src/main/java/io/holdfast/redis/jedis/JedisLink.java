package io.holdfast.redis.jedis;

import io.holdfast.redis.driver.RedisAddress;
import io.holdfast.redis.driver.RedisLinkException;
import io.holdfast.redis.driver.RedisReplyException;
import java.net.SocketTimeoutException;
import java.nio.channels.ClosedByInterruptException;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.Connection;
import redis.clients.jedis.JedisClientConfig;
import redis.clients.jedis.commands.ProtocolCommand;
import redis.clients.jedis.exceptions.JedisConnectionException;
import redis.clients.jedis.exceptions.JedisDataException;

/** Lets a second thread write while the first one reads, and never reconnects once it was closed. */
final class JedisLink extends Connection {
    private final ReentrantLock writing = new ReentrantLock();
    private final JedisSockets socket;
    private boolean wasOpen; // set by the super constructor, so it has no initial value here

    JedisLink(JedisSockets socket, JedisClientConfig config) {
        super(socket, config);
        this.socket = socket;
    }

    /** Connects only once: Jedis would reconnect a closed connection for the next command, and without its login. */
    @Override
    public void connect() {
        if (wasOpen && !isConnected()) {
            throw new JedisConnectionException("the connection was closed");
        }
        super.connect();
        wasOpen = true;
    }

    /** Waits for a first answer: who accepts a connection may be silent, and no request must find that out. */
    void meet() {
        boolean met = false;
        try {
            ping();
            met = true;
        } finally {
            if (!met) {
                end();
            }
        }
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

    /** Ends the connection at once, also under a thread that reads. Jedis has a method for that only since 7.0. */
    void end() {
        setBroken();
        socket.end();
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
}
