package io.holdfast.redis;

import io.holdfast.spi.LockBackend;
import io.holdfast.spi.TimeSource;
import io.holdfast.tck.BackendFixture;
import io.holdfast.tck.Wire;
import io.holdfast.testing.redis.FaultProxy;
import io.holdfast.testing.redis.RedisServer;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Each fixture has its own locks, on servers that outlive it. */
final class RedisFixture implements BackendFixture {
    /** Only this fixture's keys: others use the server at the same time. */
    private static final String FORGET =
            "for _, key in ipairs(redis.call('KEYS', ARGV[1] .. ':*')) do redis.call('DEL', key) end";

    private static final AtomicInteger COUNT = new AtomicInteger();

    private final Supplier<RedisLocksBuilder> builders;
    private final Supplier<List<RedisServer>> masters;
    private final String prefix = "test-" + COUNT.incrementAndGet();

    private final @Nullable RedisServer server;
    private @Nullable FaultProxy proxy;

    /** One server, which clients may also reach through a wire that breaks. */
    RedisFixture(RedisServer server) {
        this.builders = () -> RedisLocks.builder(server.uri());
        this.masters = () -> List.of(server);
        this.server = server;
    }

    /** Servers that tell their clients where the others are, so that a proxy before them would be passed by. */
    RedisFixture(Supplier<RedisLocksBuilder> builders, Supplier<List<RedisServer>> masters) {
        this.builders = builders;
        this.masters = masters;
        this.server = null;
    }

    @Override
    public LockBackend newBackend(TimeSource clocks) {
        return builders.get().prefix(prefix).newBackend(clocks);
    }

    /** A minute is too much. */
    @Override
    public Duration clockTolerance() {
        return Duration.ofSeconds(50);
    }

    @Override
    public Optional<Runnable> forgetEverything() {
        return Optional.of(() -> masters.get().forEach(server -> server.command("EVAL", FORGET, "0", prefix)));
    }

    @Override
    public Optional<Wire> wire() {
        if (server != null && proxy == null) {
            proxy = FaultProxy.to(server);
        }
        return Optional.ofNullable(proxy).map(ProxyWire::new);
    }

    @Override
    public void close() {
        if (proxy != null) {
            proxy.close();
        }
    }

    private final class ProxyWire implements Wire {
        private final FaultProxy wire;

        ProxyWire(FaultProxy wire) {
            this.wire = wire;
        }

        @Override
        public LockBackend newBackend(TimeSource clocks) {
            return RedisLocks.builder(wire.uri())
                    .prefix(prefix)
                    .requestTimeout(Duration.ofMillis(500))
                    .newBackend(clocks);
        }

        @Override
        public void dropNextReply() {
            wire.dropReplies(1, request -> request.get(0).equalsIgnoreCase("EVALSHA"));
        }

        @Override
        public void holdRequests(Duration time) {
            wire.holdRequests(time);
        }

        @Override
        public long faults() {
            return wire.swallowedReplies() + wire.everHeld();
        }
    }
}
