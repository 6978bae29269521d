package io.holdfast.redis;

import io.holdfast.redis.driver.RedisAddress;
import io.holdfast.redis.driver.RedisConnection;
import io.holdfast.redis.driver.RedisDriver;
import io.holdfast.redis.driver.RedisSubscription;
import java.time.Duration;

/** A driver that others need afterwards. */
final class LentDriver implements RedisDriver {
    private final RedisDriver driver;

    LentDriver(RedisDriver driver) {
        this.driver = driver;
    }

    @Override
    public RedisConnection open(RedisAddress address, Duration patience) {
        return driver.open(address, patience);
    }

    @Override
    public RedisSubscription subscription(RedisAddress address, String channel, boolean sharded) {
        return driver.subscription(address, channel, sharded);
    }

    @Override
    public void close() {
        // its owner does that
    }
}
