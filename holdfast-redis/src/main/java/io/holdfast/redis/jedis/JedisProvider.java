package io.holdfast.redis.jedis;

import io.holdfast.redis.driver.RedisAccess;
import io.holdfast.redis.driver.RedisDriver;
import io.holdfast.redis.driver.RedisDriverProvider;
import java.util.Optional;

/**
 * Tells whether Jedis can be used, and makes drivers of it. Names no type of Jedis, so that it can be loaded without
 * it.
 *
 * @since 0.1
 */
public final class JedisProvider implements RedisDriverProvider {
    /** Creates the provider. */
    public JedisProvider() {}

    @Override
    public String library() {
        return "Jedis";
    }

    @Override
    public Optional<String> obstacle() {
        return JedisVersion.obstacle(JedisProvider.class.getClassLoader());
    }

    @Override
    public RedisDriver create(RedisAccess access) {
        return JedisAccess.driver(access);
    }
}
