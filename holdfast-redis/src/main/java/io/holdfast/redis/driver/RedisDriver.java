package io.holdfast.redis.driver;

import java.time.Duration;

/**
 * A Redis client library, as far as this backend needs it.
 *
 * <p><b>Guarantees</b> that an adapter must give: a command is sent at most once. There is no retry, no replay after a
 * reconnect and no redirection that the caller does not see; an unknown outcome is an exception.
 *
 * <p><b>Threads.</b> Safe for use by any number of threads.
 *
 * <p><b>Failures.</b> {@link RedisLinkException} where a server cannot be reached, {@link RedisReplyException} where it
 * refuses the user.
 *
 * <p><b>Implementing.</b> For authors of adapters. A method that is added later has a default.
 *
 * @since 0.1
 */
public interface RedisDriver extends AutoCloseable {

    /**
     * Makes a connection for the caller alone.
     *
     * @param address which server
     * @param patience how long that may take, from the first packet to the last answer
     * @return a connection that is logged in and has its database selected
     */
    RedisConnection open(RedisAddress address, Duration patience);

    /**
     * Makes a connection for messages only.
     *
     * @param address which server
     * @param channel what to listen to
     * @param sharded whether with {@code SSUBSCRIBE} instead of {@code SUBSCRIBE}
     * @return a subscription that does not listen yet
     */
    RedisSubscription subscription(RedisAddress address, String channel, boolean sharded);

    /** Frees what this driver has apart from its connections; their users close those. */
    @Override
    void close();
}
