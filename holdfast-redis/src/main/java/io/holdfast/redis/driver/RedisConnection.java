package io.holdfast.redis.driver;

import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One connection, used by one thread at a time.
 *
 * <p>A reply is a {@link Long}, a {@code byte[]}, a {@link List} of replies, or null. A status is a {@code byte[]} too.
 */
public interface RedisConnection extends AutoCloseable {

    /**
     * Sends a command. Its reply must be received before anything else is done with the connection.
     *
     * @param command its name and arguments
     * @throws RedisLinkException if it could not be sent, or perhaps was
     */
    void send(byte[]... command);

    /**
     * Waits for the reply to what was sent.
     *
     * @param timeout how long to wait
     * @return the reply
     * @throws RedisReplyException if the reply is an error
     * @throws RedisLinkException if there was no reply; the command may or may not have been executed
     */
    @Nullable
    Object receive(Duration timeout);

    /**
     * Sends a command and waits for its reply.
     *
     * @param timeout how long to wait
     * @param command its name and arguments
     * @return the reply
     * @throws RedisReplyException if the reply is an error
     * @throws RedisLinkException if there was no reply; the command may or may not have been executed
     */
    default @Nullable Object call(Duration timeout, byte[]... command) {
        send(command);
        return receive(timeout);
    }

    /**
     * Sends commands all at once and waits for their replies.
     *
     * @param timeout how long to wait for each reply
     * @param commands their names and arguments
     * @return one reply for each; one that is an error is a {@link RedisReplyException}
     * @throws RedisLinkException if a reply is missing; each command may or may not have been executed
     */
    List<@Nullable Object> pipeline(Duration timeout, List<byte[][]> commands);

    /**
     * Tells whether this connection was never lent before, so that nobody has looked who answers there.
     *
     * @return false if that is not known
     */
    default boolean isNew() {
        return false;
    }

    /** Gives the connection back, or ends it if a reply is missing. */
    @Override
    void close();
}
