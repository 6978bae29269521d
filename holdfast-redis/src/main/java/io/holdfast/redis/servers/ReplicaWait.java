package io.holdfast.redis.servers;

import io.holdfast.redis.driver.RedisConnection;
import io.holdfast.redis.protocol.Bytes;
import io.holdfast.redis.protocol.Replies;
import java.time.Duration;

/**
 * Asks how many replicas have what a connection wrote. {@code WAIT} knows the writes of its own connection only, so it
 * must be the same one.
 */
final class ReplicaWait {
    private static final long MOST_MILLIS = 1_000;

    private ReplicaWait() {}

    /** Returns as soon as there are enough. */
    static long on(RedisConnection connection, long wanted, Duration patience) {
        long millis = Math.max(1, Math.min(patience.toMillis() / 2, MOST_MILLIS));
        return on(connection, wanted, Duration.ofMillis(millis), patience);
    }

    /**
     * Returns as soon as there are enough.
     *
     * @param timeout how long the server waits for them
     * @param patience how long to wait for the server
     */
    static long on(RedisConnection connection, long wanted, Duration timeout, Duration patience) {
        return Replies.number(
                connection.call(patience, Bytes.of("WAIT"), Bytes.of(wanted), Bytes.of(timeout.toMillis())));
    }
}
