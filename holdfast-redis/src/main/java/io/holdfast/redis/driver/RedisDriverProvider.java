package io.holdfast.redis.driver;

import java.util.Optional;

/**
 * Makes drivers of one Redis client library. Jedis is built in and preferred; others are found with
 * {@link java.util.ServiceLoader}.
 *
 * <p><b>Implementing.</b> For authors of a {@link RedisDriver}. The class names no type of the client library, so that
 * it can be loaded without it. A method that is added later has a default.
 *
 * @since 0.1
 */
public interface RedisDriverProvider {

    /**
     * Returns the name of the client library.
     *
     * @return for messages
     */
    String library();

    /**
     * Tells why the client library cannot be used.
     *
     * @return what is missing and what to do about it; empty if it can be used
     */
    Optional<String> obstacle();

    /**
     * Makes a driver. Called only if there is no {@link #obstacle()}.
     *
     * @param access how to get into the servers
     * @return a driver
     * @throws IllegalArgumentException if the library cannot do what is wanted
     */
    RedisDriver create(RedisAccess access);
}
