/**
 * The port of {@code io.holdfast.redis.driver} on Jedis. Uses only what Jedis has had since 7.2, so that an application
 * may pin that version. Outside of this package only the builder knows Jedis.
 */
@NullMarked
package io.holdfast.redis.jedis;

import org.jspecify.annotations.NullMarked;
