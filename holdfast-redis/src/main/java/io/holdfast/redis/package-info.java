/**
 * Locks on Redis: one server, Sentinel or Cluster.
 *
 * <p>{@link io.holdfast.redis.RedisLocks} opens clients. Behind it, from the top: {@code RedisBackend} puts the parts together, {@code Claims} turns claims into script calls,
 * {@code Courier} brings a call to the server that has the key, {@code Topology} knows the servers, {@code Node} is one of them as this client
 * sees it, with its {@code Session} since the last handshake and its {@code Ear} for messages. The scripts are resources beside
 * these classes; {@code docs/protocol.md} says what they promise.
 *
 * <p>May use {@code io.holdfast}, {@code io.holdfast.spi} and {@code io.holdfast.redis.driver}; of {@code io.holdfast.engine} and
 * {@code io.holdfast.redis.jedis} only the doors, in {@code RedisLocks}.
 */
@NullMarked
package io.holdfast.redis;

import org.jspecify.annotations.NullMarked;
