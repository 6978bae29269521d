package io.holdfast.redis.driver;

import java.time.Duration;

/**
 * A Redis client library, as this backend uses one.
 *
 * <p><b>Guarantees</b> that an adapter has to give: a command is sent at most once. There is no retry, no replay after a reconnect
 * and no redirection behind the caller's back; an outcome that is not known is an exception.
 *
 * <p><b>Threads.</b> Safe for use by any number of threads.
 *
 * <p><b>Failures.</b> {@link RedisLinkException} where a server cannot be reached, {@link RedisReplyException} where it refuses the
 * user.
 */
public interface RedisDriver extends AutoCloseable {

    /**
     * Lends a connection to one thread.
     *
     * @param address which server
     * @param patience how long to wait for a free one, or for a new one to be made
     * @return a connection that is logged in and has its database selected; closing gives it back
     */
    RedisConnection connection(RedisAddress address, Duration patience);

    /**
     * Opens a connection for messages only, not counted among those that are lent.
     *
     * @param address which server
     * @param channel what to listen to
     * @param sharded whether with {@code SSUBSCRIBE} instead of {@code SUBSCRIBE}
     * @return a subscription that does not listen yet
     */
    RedisSubscription subscription(RedisAddress address, String channel, boolean sharded);

    /**
     * Forgets the connections to a server that are not lent, because the server may be another one now.
     *
     * @param address which server
     */
    void reset(RedisAddress address);

    /** Closes what this driver opened itself. */
    @Override
    void close();
}
