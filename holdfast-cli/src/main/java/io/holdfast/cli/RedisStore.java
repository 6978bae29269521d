package io.holdfast.cli;

import io.holdfast.Finding;
import io.holdfast.LockClient;
import io.holdfast.redis.RedisLocksBuilder;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** One Redis, a Sentinel's master or a cluster. */
record RedisStore(String url, RedisLocksBuilder builder) implements Store {
    @Override
    public LockClient connect() {
        return builder.connect();
    }

    @Override
    public Optional<Duration> leaseLimit() {
        return builder.leaseLimit();
    }

    @Override
    public List<Finding> examine() {
        return builder.examine();
    }

    @Override
    public Map<String, String> environment() {
        return Map.of(URL_VARIABLE, url);
    }
}
