/**
 * The port of {@code io.holdfast.redis.driver} on Jedis. Uses only what Jedis has had since 7.2, so that an application may pin that.
 * No other class knows Jedis, but the builder that sets it up.
 */
@NullMarked
package io.holdfast.redis.jedis;

import org.jspecify.annotations.NullMarked;
