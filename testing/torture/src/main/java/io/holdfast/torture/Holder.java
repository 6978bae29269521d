package io.holdfast.torture;

import io.holdfast.Lease;
import io.holdfast.LockClient;
import io.holdfast.LockOptions;
import io.holdfast.Safety;
import io.holdfast.redis.RedisLocks;
import io.holdfast.redis.jedis.JedisDriver;
import io.holdfast.testing.redis.FaultProxy;
import io.holdfast.testing.redis.RedisServer;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

/**
 * A client that holds one lock and does nothing else, so that nothing but its renewals can tell it where the master is.
 * Its keys have a prefix of their own, whose guard knows of no restart, and its lease is long enough to be kept over a
 * failover.
 */
final class Holder implements AutoCloseable {
    private static final AtomicInteger NUMBER = new AtomicInteger();
    private static final String NAME = "held";
    private static final int CONNECTIONS = 4;
    private static final Duration TIMEOUT = Duration.ofSeconds(1);
    private static final Duration LAST_MOMENT = Duration.ofSeconds(1);

    private final Site site;
    private final String prefix = "holder-" + NUMBER.incrementAndGet();
    private final Map<Integer, FaultProxy> proxies = new HashMap<>();
    private final Duration length;
    private final LockClient client;
    private final Lease lease;

    Holder(Site site, Safety safety) {
        this.site = site;
        this.length = Duration.ofSeconds(safety == Safety.STRICT ? 40 : 9);
        Map<Integer, Integer> ports = new HashMap<>();
        for (RedisServer server : Stream.concat(site.servers().stream(), site.sentinels().stream())
                .toList()) {
            FaultProxy proxy = FaultProxy.to(server);
            proxies.put(server.port(), proxy);
            ports.put(server.port(), proxy.port());
            ports.put(site.announcedPort(server), proxy.port());
        }
        var builder = RedisLocks.builder(site.url())
                .prefix(prefix)
                .requestTimeout(TIMEOUT)
                .connectTimeout(TIMEOUT)
                .safety(safety)
                .longestLease(length)
                .driver(new ProxiedDriver(JedisDriver.create(Worker.config()), ports))
                .connections(CONNECTIONS);
        this.client = Patience.insist((safety == Safety.STRICT ? builder.startEmpty() : builder)::connect);
        this.lease = Patience.insist(client.lock(NAME, LockOptions.defaults().lease(length))::acquire);
    }

    /** The server that has the lock. */
    RedisServer master() {
        return site.masterOf(prefix + ":lock:{" + NAME + "}");
    }

    FaultProxy proxy(RedisServer server) {
        return Objects.requireNonNull(proxies.get(server.port()));
    }

    /** The next renewal must reach the new master while there is time; returns what is wrong otherwise. */
    Optional<String> follow() {
        Duration before = lease.remaining();
        while (lease.isValid()) {
            Duration left = lease.remaining();
            if (left.compareTo(before) > 0) {
                return Optional.empty();
            }
            if (left.compareTo(LAST_MOMENT) < 0) {
                return Optional.of(
                        "a holder with " + before.toMillis() + " ms left did not find the new master in time");
            }
            before = left;
            Threads.sleep(50);
        }
        return loss();
    }

    Optional<String> loss() {
        return lease.isValid()
                ? Optional.empty()
                : Optional.of("a holder lost its lock with a new master there: "
                        + lease.lost().toCompletableFuture().getNow(null));
    }

    @Override
    public void close() {
        lease.close();
        client.close();
        proxies.values().forEach(FaultProxy::close);
    }
}
