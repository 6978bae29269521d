package io.holdfast.redis;

import io.holdfast.spi.LockBackend;
import io.holdfast.tck.BackendFixture;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

/** Locks of their own on servers that outlive the fixture. */
final class RedisFixture implements BackendFixture {
    private static final AtomicInteger COUNT = new AtomicInteger();

    private final Supplier<RedisLocksBuilder> builders;
    private final Runnable forget;
    private final String prefix = "test-" + COUNT.incrementAndGet();

    RedisFixture(Supplier<RedisLocksBuilder> builders, Runnable forget) {
        this.builders = builders;
        this.forget = forget;
    }

    @Override
    public LockBackend newBackend() {
        return builders.get().prefix(prefix).newBackend();
    }

    @Override
    public Optional<Runnable> forgetEverything() {
        return Optional.of(forget);
    }

    @Override
    public void close() {}
}
