/**
 * What the backend needs of a Redis client library, and no more: a connection that sends commands and reads replies,
 * and a subscription. {@link io.holdfast.redis.driver.RedisDriver} is all that an adapter for another library has to
 * provide.
 *
 * <p>Knows nothing of locks or of any library.
 */
@NullMarked
package io.holdfast.redis.driver;

import org.jspecify.annotations.NullMarked;
