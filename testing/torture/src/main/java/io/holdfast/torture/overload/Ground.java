package io.holdfast.torture.overload;

import io.holdfast.testing.redis.DelayLine;
import io.holdfast.testing.redis.RedisCluster;
import io.holdfast.testing.redis.RedisServer;
import io.holdfast.testing.redis.RedisVersion;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/** Servers of one kind, at one distance. They and the way to them are no part of the loaded process. */
final class Ground implements AutoCloseable {
    private final Deque<AutoCloseable> opened = new ArrayDeque<>();
    private final List<RedisServer> servers = new ArrayList<>();
    private final List<Integer> ports = new ArrayList<>();
    private final String address;
    private final Pings pings;

    Ground(String store, Duration distance) {
        address = switch (store) {
            case "single" -> far(start(), distance);
            case "quorum" -> String.join(",", far(start(), distance), far(start(), distance), far(start(), distance));
            case "cluster" -> cluster(distance);
            default -> throw new IllegalArgumentException("a store is single, cluster or quorum, not " + store);
        };
        pings = open(new Pings(servers.get(0).host(), ports.get(0), distance));
    }

    private <T extends AutoCloseable> T open(T resource) {
        opened.push(resource);
        return resource;
    }

    private RedisServer start() {
        return open(RedisServer.start(RedisVersion.V7_0));
    }

    /** Puts a server at a distance. Returns its address there. */
    private String far(RedisServer server, Duration distance) {
        int port = distance.isZero()
                ? server.port()
                : open(new DelayLine(server.host(), server.port(), distance)).port();
        servers.add(server);
        ports.add(port);
        return "redis://127.0.0.1:" + port;
    }

    private String cluster(Duration distance) {
        RedisCluster cluster = open(RedisCluster.start(RedisVersion.V7_0));
        StringBuilder text = new StringBuilder(cluster.uri());
        for (RedisServer server : cluster.masters()) {
            far(server, distance);
            text.append(' ').append(server.port()).append('=').append(ports.get(ports.size() - 1));
        }
        return text.toString();
    }

    /** Where the servers are, as {@link LoadedProcess} reads it. */
    String address() {
        return address;
    }

    /** The port of the first server. */
    int port() {
        return ports.get(0);
    }

    /** How long the way to the first server and back took, without any load on the one who asks. */
    Pings pings() {
        return pings;
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
        while (!opened.isEmpty()) {
            opened.pop().close();
        }
    }
}
