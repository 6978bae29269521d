/**
 * What is written to a server and read from it: keys, scripts, replies, slots, what a server reports about itself,
 * which servers are fit, and what an error means. Knows nothing of connections, so all of it can be tested without a
 * server. Internal: may change in any release.
 *
 * <p>May use {@code io.holdfast.redis.settings} and {@code io.holdfast.redis.driver}, besides {@code io.holdfast} and
 * {@code io.holdfast.spi}.
 */
@NullMarked
package io.holdfast.redis.protocol;

import org.jspecify.annotations.NullMarked;
