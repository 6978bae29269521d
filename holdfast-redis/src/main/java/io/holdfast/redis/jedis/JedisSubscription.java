package io.holdfast.redis.jedis;

import io.holdfast.redis.driver.RedisAddress;
import io.holdfast.redis.driver.RedisSubscription;
import java.nio.charset.StandardCharsets;
import java.util.List;
import redis.clients.jedis.Protocol.Command;
import redis.clients.jedis.exceptions.JedisException;

/** Reads one connection until it ends. Pings are written by another thread, the only other writer. */
final class JedisSubscription implements RedisSubscription {
    private final RedisAddress address;
    private final JedisLink connection;
    private final byte[] channel;
    private final boolean sharded;

    JedisSubscription(RedisAddress address, JedisLink connection, String channel, boolean sharded) {
        this.address = address;
        this.connection = connection;
        this.channel = channel.getBytes(StandardCharsets.UTF_8);
        this.sharded = sharded;
    }

    @Override
    public void listen(Listener listener) {
        try {
            connection.setTimeoutInfinite();
            connection.send(sharded ? Command.SSUBSCRIBE : Command.SUBSCRIBE, channel);
            while (hear(listener, connection.getUnflushedObject())) {
                // until the subscription ends
            }
        } catch (JedisException failure) {
            throw JedisLink.translated(address, failure);
        }
    }

    /** Whether the subscription goes on. */
    private static boolean hear(Listener listener, Object push) {
        if (!(push instanceof List<?> parts) || !(parts.get(0) instanceof byte[] kind)) {
            return true; // the plain PONG of a server that has not subscribed yet
        }
        switch (new String(kind, StandardCharsets.UTF_8)) {
            case "subscribe", "ssubscribe" -> listener.subscribed();
            case "message", "smessage" -> {
                if (parts.get(2) instanceof byte[] message) {
                    listener.message(message);
                }
            }
            case "pong" -> listener.pong();
            case "unsubscribe", "sunsubscribe" -> {
                return false;
            }
            default -> {}
        }
        return true;
    }

    @Override
    public void ping() {
        try {
            connection.send(Command.PING);
        } catch (JedisException failure) {
            throw JedisLink.translated(address, failure);
        }
    }

    @Override
    public void close() {
        connection.end();
    }
}
