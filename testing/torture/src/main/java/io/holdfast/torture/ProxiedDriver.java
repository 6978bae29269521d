package io.holdfast.torture;

import io.holdfast.redis.driver.RedisAddress;
import io.holdfast.redis.driver.RedisConnection;
import io.holdfast.redis.driver.RedisDriver;
import io.holdfast.redis.driver.RedisSubscription;
import java.time.Duration;
import java.util.Map;

/**
 * Goes to each server through the proxy that stands before it for this worker, whatever address Sentinels and clusters
 * name.
 */
public final class ProxiedDriver implements RedisDriver {
    private final RedisDriver driver;
    private final Map<Integer, Integer> proxies;

    /** @param proxies the port of the proxy for the port of each server */
    public ProxiedDriver(RedisDriver driver, Map<Integer, Integer> proxies) {
        this.driver = driver;
        this.proxies = Map.copyOf(proxies);
    }

    private RedisAddress proxied(RedisAddress address) {
        return new RedisAddress(address.host(), proxies.getOrDefault(address.port(), address.port()));
    }

    @Override
    public RedisConnection open(RedisAddress address, Duration patience) {
        return driver.open(proxied(address), patience);
    }

    @Override
    public RedisSubscription subscription(RedisAddress address, String channel, boolean sharded) {
        return driver.subscription(proxied(address), channel, sharded);
    }

    @Override
    public void close() {
        driver.close();
    }
}
