import io.holdfast.redis.driver.RedisDriverProvider;
import io.holdfast.redis.lettuce.LettuceProvider;

/**
 * Locks on Redis through Lettuce: {@link io.holdfast.redis.lettuce}. {@code RedisLocks} finds it by itself.
 *
 * @since 0.1
 */
@SuppressWarnings("requires-automatic") // Lettuce and Netty have reserved names, but no descriptors
module io.holdfast.redis.lettuce {
    requires transitive io.holdfast.redis;
    requires lettuce.core;
    requires io.netty.common;
    requires io.netty.handler;
    requires io.netty.transport;
    requires jdk.net; // Lettuce needs it, and has no descriptor that would say so

    exports io.holdfast.redis.lettuce;

    provides RedisDriverProvider with
            LettuceProvider;
}
