/**
 * The port of {@code io.holdfast.redis.driver} on Lettuce, for applications that have no other Redis client. Uses only
 * what Lettuce has had since 6.6. {@code RedisLocks} finds it by itself where Jedis is not on the class path.
 *
 * <p>May use {@code io.holdfast.redis.driver} and {@code TimeSource}; knows nothing of locks.
 */
@NullMarked
package io.holdfast.redis.lettuce;

import org.jspecify.annotations.NullMarked;
