package io.holdfast.quorum;

import io.holdfast.spi.LockBackend;
import io.holdfast.tck.BackendFixture;
import io.holdfast.testing.redis.RedisServer;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;

/** Each fixture has its own locks, on servers that outlive it. */
final class QuorumFixture implements BackendFixture {
    private static final AtomicInteger COUNT = new AtomicInteger();

    /** Deletes what is held and leaves the mark: a server that forgot unnoticed. */
    private static final String FORGET = "for _, key in ipairs(redis.call('KEYS', ARGV[1] .. ':*')) do"
            + " if key ~= ARGV[1] .. ':member' then redis.call('DEL', key) end end";

    private final Servers servers;
    private final String prefix = "test-" + COUNT.incrementAndGet();

    QuorumFixture(Servers servers) {
        this.servers = servers;
    }

    @Override
    public LockBackend newBackend() {
        return QuorumLocks.builder(servers.urls())
                .longestLease(Duration.ofMinutes(3))
                .nodeTimeout(Duration.ofSeconds(2))
                .startEmpty()
                .eachNode(node -> node.prefix(prefix))
                .newBackend();
    }

    @Override
    public Optional<Runnable> forgetEverything() {
        return Optional.of(() -> {
            for (RedisServer server : servers.list()) {
                server.command("EVAL", FORGET, "0", prefix);
            }
        });
    }

    @Override
    public void close() {}
}
