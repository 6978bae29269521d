package io.holdfast.redis.driver;

/**
 * One connection that listens to one channel.
 *
 * <p><b>Implementing.</b> For authors of a {@link RedisDriver}. A method that is added later has a default.
 *
 * @since 0.1
 */
public interface RedisSubscription extends AutoCloseable {

    /**
     * Receives what the subscription gets. Called by the listening thread.
     *
     * <p><b>Implementing.</b> Not for users, and not for authors of a {@link RedisDriver}, who call it. New methods may
     * come with any version.
     *
     * @since 0.1
     */
    interface Listener {
        /** The server has confirmed the subscription. */
        void subscribed();

        /**
         * A message.
         *
         * @param message what was published
         */
        void message(byte[] message);

        /** The server answered a ping. */
        void pong();
    }

    /**
     * Subscribes and listens until closed, or until the server ends the subscription.
     *
     * @param listener receives what comes
     * @throws RedisReplyException if the server refuses
     * @throws RedisLinkException if the connection breaks
     */
    void listen(Listener listener);

    /** Sends a ping. May be called by any thread while another one listens. */
    void ping();

    /** Ends the subscription. May be called by any thread. */
    @Override
    void close();
}
