/**
 * Locks on Redis, alone, with Sentinel or as a cluster: {@link io.holdfast.redis}. To use another Redis client library,
 * implement {@link io.holdfast.redis.driver}.
 *
 * @since 0.1
 */
@SuppressWarnings({"requires-automatic", "requires-transitive-automatic"
}) // Jedis has a reserved name, but no descriptor yet
module io.holdfast.redis {
    requires transitive io.holdfast.core;
    requires transitive redis.clients.jedis;

    uses io.holdfast.redis.driver.RedisDriverProvider;

    exports io.holdfast.redis;
    exports io.holdfast.redis.driver;
    exports io.holdfast.redis.jedis;
}
