/**
 * The port of {@code io.holdfast.redis.driver} on Jedis. Uses only what Jedis has had since 5.2, so that an application
 * may pin that version; what came later is asked for in {@code JedisTls} and {@code JedisVersion}. Outside of this
 * package only {@code Drivers} knows it.
 */
@NullMarked
package io.holdfast.redis.jedis;

import org.jspecify.annotations.NullMarked;
