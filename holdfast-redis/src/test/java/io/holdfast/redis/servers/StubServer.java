package io.holdfast.redis.servers;

import io.holdfast.redis.driver.RedisAddress;
import org.jspecify.annotations.Nullable;

/** A server that nobody gets to call. */
final class StubServer implements Callers.Server, NodeSubscription.Server {
    @Override
    public RedisAddress address() {
        return new RedisAddress("localhost", 1);
    }

    @Override
    public @Nullable Session current() {
        return null;
    }

    @Override
    public Session session() {
        throw new IllegalStateException("called");
    }

    @Override
    public Session session(long untilNanos) {
        throw new IllegalStateException("called");
    }

    @Override
    public PooledConnection connection(Session met, long untilNanos) {
        throw new IllegalStateException("called");
    }

    @Override
    public long heardNanos() {
        return 0;
    }

    @Override
    public void broke() {}

    @Override
    public void doubt() {}
}
