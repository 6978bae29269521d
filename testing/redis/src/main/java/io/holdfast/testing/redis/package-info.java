/**
 * Real Redis servers for tests, on this machine and without containers, and the faults to put them through.
 *
 * <p>{@link io.holdfast.testing.redis.RedisServer} is one server process;
 * {@link io.holdfast.testing.redis.RedisReplicas}, {@link io.holdfast.testing.redis.RedisSentinels} and
 * {@link io.holdfast.testing.redis.RedisCluster} are the usual ways to run several.
 * {@link io.holdfast.testing.redis.FaultProxy} stands between a client and a server and breaks the wire;
 * {@link io.holdfast.testing.redis.ClockShim} moves a server's wall clock.
 *
 * <p>Nothing here knows Holdfast or a Redis client: whatever is tested, these tools see it from the outside.
 */
@NullMarked
package io.holdfast.testing.redis;

import org.jspecify.annotations.NullMarked;
