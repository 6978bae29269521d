/**
 * The store of the engine, on Redis. {@code RedisBackend} assembles the parts and delegates each call to the
 * responsible one: {@code Claims}, {@code Releases}, {@code Renewals}, {@code Inspector}, {@code Messages}. Internal:
 * may change in any release.
 *
 * <p>May use {@code io.holdfast.redis.servers} and what is below it.
 */
@NullMarked
package io.holdfast.redis.backend;

import org.jspecify.annotations.NullMarked;
