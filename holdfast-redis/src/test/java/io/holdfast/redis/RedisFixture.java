package io.holdfast.redis;

import io.holdfast.spi.LockBackend;
import io.holdfast.tck.BackendFixture;
import io.holdfast.testing.redis.RedisServer;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

/** Each fixture has its own locks, on servers that outlive it. */
final class RedisFixture implements BackendFixture {
    /** Only this fixture's keys: others use the server at the same time. */
    private static final String FORGET =
            "for _, key in ipairs(redis.call('KEYS', ARGV[1] .. ':*')) do redis.call('DEL', key) end";

    private static final AtomicInteger COUNT = new AtomicInteger();

    private final Supplier<RedisLocksBuilder> builders;
    private final Supplier<List<RedisServer>> masters;
    private final String prefix = "test-" + COUNT.incrementAndGet();

    RedisFixture(Supplier<RedisLocksBuilder> builders, Supplier<List<RedisServer>> masters) {
        this.builders = builders;
        this.masters = masters;
    }

    @Override
    public LockBackend newBackend() {
        return builders.get().prefix(prefix).newBackend();
    }

    @Override
    public Optional<Runnable> forgetEverything() {
        return Optional.of(() -> masters.get().forEach(server -> server.command("EVAL", FORGET, "0", prefix)));
    }

    @Override
    public void close() {}
}
