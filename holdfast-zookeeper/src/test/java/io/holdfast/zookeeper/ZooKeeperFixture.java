package io.holdfast.zookeeper;

import io.holdfast.spi.LockBackend;
import io.holdfast.spi.TimeSource;
import io.holdfast.tck.BackendFixture;
import io.holdfast.tck.Wire;
import io.holdfast.testing.redis.FaultProxy;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** Each fixture has a root of its own, on servers that outlive it. */
final class ZooKeeperFixture implements BackendFixture {
    /** Carries the kit's longest lease. */
    static final Duration SESSION = Duration.ofSeconds(200);

    private static final AtomicInteger COUNT = new AtomicInteger();

    private final String address;
    private final @Nullable Integer port;
    private final String root = "/test-" + COUNT.incrementAndGet();
    private @Nullable FaultProxy proxy;

    /**
     * Clients of these servers.
     *
     * @param port of the only one, which clients may also reach through a wire that breaks; null if there are more
     */
    ZooKeeperFixture(String address, @Nullable Integer port) {
        this.address = address;
        this.port = port;
    }

    private ZooKeeperLocksBuilder builder(String servers) {
        return ZooKeeperLocks.builder(servers).root(root).session(SESSION);
    }

    @Override
    public LockBackend newBackend(TimeSource clocks) {
        return builder(address).newBackend(clocks);
    }

    /** The session of a client that is closed ends, and with it what it holds. */
    @Override
    public boolean endsWithClient() {
        return true;
    }

    @Override
    public Optional<Wire> wire() {
        if (port != null && proxy == null) {
            proxy = FaultProxy.ofBytes("127.0.0.1", port);
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
            return builder(wire.host() + ":" + wire.port())
                    .requestTimeout(Duration.ofMillis(500))
                    .newBackend(clocks);
        }

        /** The connection ends instead: ZooKeeper's client gives up a dumb one only after two thirds of its session. */
        @Override
        public void dropNextReply() {
            wire.closeInsteadOfReply(1, request -> true);
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
