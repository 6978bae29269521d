package io.holdfast.quorum;

import io.holdfast.spi.LockBackend;
import io.holdfast.spi.TimeSource;
import io.holdfast.tck.BackendFixture;
import io.holdfast.tck.Wire;
import io.holdfast.testing.redis.FaultProxy;
import io.holdfast.testing.redis.RedisServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;

/** Each fixture has its own locks, on servers that outlive it. */
final class QuorumFixture implements BackendFixture {
    private static final AtomicInteger COUNT = new AtomicInteger();

    /** Deletes what is held and leaves the mark: a server that forgot unnoticed. */
    private static final String FORGET = "for _, key in ipairs(redis.call('KEYS', ARGV[1] .. ':*')) do"
            + " if key ~= ARGV[1] .. ':member' then redis.call('DEL', key) end end";

    private final Servers servers;
    private final List<FaultProxy> proxies = new ArrayList<>();
    private final String prefix = "test-" + COUNT.incrementAndGet();

    QuorumFixture(Servers servers) {
        this.servers = servers;
    }

    @Override
    public LockBackend newBackend(TimeSource clocks) {
        return builder(servers.urls()).nodeTimeout(Duration.ofSeconds(2)).newBackend(clocks);
    }

    private QuorumLocksBuilder builder(List<String> urls) {
        return QuorumLocks.builder(urls)
                .longestLease(Duration.ofMinutes(3))
                .startEmpty()
                .eachNode(node -> node.prefix(prefix));
    }

    /** A minute is too much for a node. */
    @Override
    public Duration clockTolerance() {
        return Duration.ofSeconds(50);
    }

    @Override
    public Optional<Runnable> forgetEverything() {
        return Optional.of(() -> {
            for (RedisServer server : servers.list()) {
                server.command("EVAL", FORGET, "0", prefix);
            }
        });
    }

    /** To all nodes: what breaks at a minority is not seen by anybody. */
    @Override
    public Optional<Wire> wire() {
        if (proxies.isEmpty()) {
            servers.list().forEach(server -> proxies.add(FaultProxy.to(server)));
        }
        return Optional.of(new ProxyWire());
    }

    @Override
    public void close() {
        proxies.forEach(FaultProxy::close);
    }

    private final class ProxyWire implements Wire {
        @Override
        public LockBackend newBackend(TimeSource clocks) {
            Duration timeout = Duration.ofMillis(500);
            return builder(proxies.stream().map(FaultProxy::uri).toList())
                    .nodeTimeout(timeout)
                    .eachNode(node -> node.prefix(prefix).requestTimeout(timeout))
                    .newBackend(clocks);
        }

        @Override
        public void dropNextReply() {
            proxies.forEach(
                    proxy -> proxy.dropReplies(1, request -> request.get(0).equalsIgnoreCase("EVALSHA")));
        }

        @Override
        public void holdRequests(Duration time) {
            proxies.forEach(proxy -> proxy.holdRequests(time));
        }

        @Override
        public long faults() {
            return proxies.stream()
                    .mapToLong(proxy -> proxy.swallowedReplies() + proxy.everHeld())
                    .sum();
        }
    }
}
