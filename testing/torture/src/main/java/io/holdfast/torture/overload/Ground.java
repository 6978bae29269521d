package io.holdfast.torture.overload;

import io.holdfast.LockClient;
import io.holdfast.quorum.QuorumLocks;
import io.holdfast.redis.RedisLocks;
import io.holdfast.redis.jedis.JedisDriver;
import io.holdfast.testing.redis.RedisCluster;
import io.holdfast.testing.redis.RedisServer;
import io.holdfast.testing.redis.RedisVersion;
import io.holdfast.torture.ProxiedDriver;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import redis.clients.jedis.ClientSetInfoConfig;
import redis.clients.jedis.DefaultJedisClientConfig;
import redis.clients.jedis.RedisProtocol;

/** Servers of one kind, at one distance, and a client of them. */
final class Ground implements AutoCloseable {
    private final Deque<AutoCloseable> opened = new ArrayDeque<>();
    private final List<RedisServer> servers = new ArrayList<>();
    private final Duration distance;
    private final LockClient client;

    Ground(String store, Duration distance) {
        this.distance = distance;
        client = switch (store) {
            case "single" -> RedisLocks.connect(start(distance));
            case "quorum" ->
                QuorumLocks.builder(List.of(start(distance), start(distance), start(distance)))
                        .startEmpty()
                        .nodeTimeout(Duration.ofSeconds(1).plus(distance))
                        .connect();
            case "cluster" -> cluster(distance);
            default -> throw new IllegalArgumentException("a store is single, cluster or quorum, not " + store);
        };
    }

    private <T extends AutoCloseable> T open(T resource) {
        opened.push(resource);
        return resource;
    }

    private String start(Duration distance) {
        RedisServer server = open(RedisServer.start(RedisVersion.V7_0));
        servers.add(server);
        return "redis://127.0.0.1:" + line(server, distance);
    }

    private int line(RedisServer server, Duration distance) {
        return distance.isZero()
                ? server.port()
                : open(new DelayLine(server.host(), server.port(), distance)).port();
    }

    private LockClient cluster(Duration distance) {
        RedisCluster cluster = open(RedisCluster.start(RedisVersion.V7_0));
        Map<Integer, Integer> lines = new HashMap<>();
        for (RedisServer server : cluster.masters()) {
            servers.add(server);
            lines.put(server.port(), line(server, distance));
        }
        JedisDriver driver = JedisDriver.create(DefaultJedisClientConfig.builder()
                .protocol(RedisProtocol.RESP2)
                .clientSetInfoConfig(ClientSetInfoConfig.DISABLED)
                .build());
        return RedisLocks.connect(cluster.uri(), new ProxiedDriver(driver, lines));
    }

    /** The first server without a lock. */
    BareServer bare() {
        RedisServer first = servers.get(0);
        return open(new BareServer(first.host(), line(first, distance)));
    }

    LockClient client() {
        return client;
    }

    /** How many scripts the servers have run. */
    long commands() {
        return servers.stream()
                .map(RedisServer::commandStats)
                .filter(stats -> stats.containsKey("evalsha"))
                .mapToLong(stats -> stats.get("evalsha").calls())
                .sum();
    }

    @Override
    public void close() throws Exception {
        client.close();
        while (!opened.isEmpty()) {
            opened.pop().close();
        }
    }
}
