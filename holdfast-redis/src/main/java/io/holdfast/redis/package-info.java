/**
 * Locks on Redis: one server, Sentinel or Cluster. {@link io.holdfast.redis.RedisLocks} opens clients; users need only
 * this package, and {@code io.holdfast.redis.jedis} or {@code io.holdfast.redis.driver} to use a client library of
 * their own.
 *
 * <p>Behind it, each package knows those below: {@code backend} turns claims into calls, {@code servers} sends a call
 * to the server that has its key, {@code protocol} knows what is written and read there, {@code settings} holds the
 * user's options, {@code driver} moves the bytes. {@code doctor} examines servers. All but {@code driver} are internal.
 * {@code docs/protocol.md} says what the scripts guarantee.
 *
 * <p>May use all of them; of {@code io.holdfast.engine} only the entry point, in {@code RedisLocks}.
 */
@NullMarked
package io.holdfast.redis;

import org.jspecify.annotations.NullMarked;
