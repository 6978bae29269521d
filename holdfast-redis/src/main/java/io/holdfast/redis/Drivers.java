package io.holdfast.redis;

import io.holdfast.redis.driver.RedisAccess;
import io.holdfast.redis.driver.RedisDriver;
import io.holdfast.redis.driver.RedisDriverProvider;
import io.holdfast.redis.jedis.JedisProvider;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.ServiceLoader;

/** Chooses the Redis client library: Jedis if it can be used, else the first other one that can. */
final class Drivers {
    private Drivers() {}

    static RedisDriver create(RedisAccess access) {
        List<String> obstacles = new ArrayList<>();
        for (RedisDriverProvider each : providers()) {
            Optional<String> obstacle = each.obstacle();
            if (obstacle.isEmpty()) {
                return each.create(access);
            }
            obstacles.add(obstacle.get());
        }
        throw new IllegalStateException("no Redis client library can be used: " + String.join("; ", obstacles));
    }

    private static List<RedisDriverProvider> providers() {
        List<RedisDriverProvider> providers = new ArrayList<>(List.of(new JedisProvider()));
        ServiceLoader.load(RedisDriverProvider.class, Drivers.class.getClassLoader())
                .forEach(providers::add);
        return providers;
    }
}
