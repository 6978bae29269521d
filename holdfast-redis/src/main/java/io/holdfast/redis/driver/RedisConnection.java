package io.holdfast.redis.driver;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One connection, used by one thread at a time.
 *
 * <p>A reply is a {@link Long}, a {@code byte[]}, a {@link List} of replies, or null. A status is a {@code byte[]} too.
 *
 * <p><b>Implementing.</b> For authors of a {@link RedisDriver}. A method that is added later has a default.
 *
 * @since 0.1
 */
public interface RedisConnection extends AutoCloseable {

    /**
     * Sends commands, all at once, without waiting. Each reply must be received before anything else is sent.
     *
     * @param commands their names and arguments
     * @throws RedisLinkException if they were not sent, or it is not known whether they were
     */
    void send(List<byte[][]> commands);

    /**
     * Waits for the next reply to what was sent.
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
        send(List.<byte[][]>of(command));
        return receive(timeout);
    }

    /**
     * Sends commands all at once and waits for their replies.
     *
     * @param timeout how long to wait for each reply
     * @param commands their names and arguments
     * @return one reply for each; an error is a {@link RedisReplyException} in the list
     * @throws RedisLinkException if a reply is missing; each command may or may not have been executed
     */
    default List<@Nullable Object> pipeline(Duration timeout, List<byte[][]> commands) {
        send(commands);
        List<@Nullable Object> replies = new ArrayList<>(commands.size());
        for (int i = 0; i < commands.size(); i++) {
            try {
                replies.add(receive(timeout));
            } catch (RedisReplyException refused) {
                replies.add(refused);
            }
        }
        return replies;
    }

    /**
     * Tells whether the connection can be used again: it is not broken, and no reply is missing.
     *
     * @return false if it can only be closed
     */
    boolean isUsable();

    /** Ends the connection. */
    @Override
    void close();
}
