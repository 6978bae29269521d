/**
 * Locks on Redis: one server, Sentinel or Cluster. {@link io.holdfast.redis.RedisLocks} opens clients; this package is the door, and the only one that users
 * need, with {@code io.holdfast.redis.jedis} or {@code io.holdfast.redis.driver} for those who bring a client library of their own.
 *
 * <p>Behind it, each room knows those below: {@code backend} turns claims into calls, {@code servers} brings a call to the server that has its key, {@code
 * protocol} knows what is written and read there, {@code settings} what the user said, {@code driver} how bytes get there. {@code doctor} looks at servers.
 * These are internal. {@code docs/protocol.md} says what the scripts promise.
 *
 * <p>May use all of them; of {@code io.holdfast.engine} only the door, in {@code RedisLocks}.
 */
@NullMarked
package io.holdfast.redis;

import org.jspecify.annotations.NullMarked;
