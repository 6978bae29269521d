package io.holdfast.torture;

import io.holdfast.quorum.QuorumLocks;
import io.holdfast.quorum.QuorumLocksBuilder;
import io.holdfast.redis.RedisLocksBuilder;
import io.holdfast.testing.redis.ClockShim;
import io.holdfast.testing.redis.RedisConsole;
import io.holdfast.testing.redis.RedisConsoleException;
import io.holdfast.testing.redis.RedisServer;
import io.holdfast.testing.redis.RedisUnreachableException;
import io.holdfast.testing.redis.RedisVersion;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** Some servers that know nothing of each other. Each has a clock of its own, and none of these is right. */
final class QuorumSite extends Site {
    /** How long a client waits for one node. */
    static final Duration NODE_TIMEOUT = Duration.ofMillis(150);

    private static final Duration REQUEST_TIMEOUT = Duration.ofSeconds(1);
    private static final int MOST_CONNECTIONS = 16;

    /** Two clocks are never as far apart as a node that forgot is shut: tokens are promised to grow only then. */
    private static final long MOST_SKEW_MILLIS = 1_400;

    private static final Duration SOON = Duration.ofSeconds(1);

    private final List<RedisServer> servers = new ArrayList<>();
    private final List<ClockShim> clocks = new ArrayList<>();
    private final boolean guarded;

    /** @param guarded whether a node that forgot marks itself */
    QuorumSite(RedisVersion version, int nodes, boolean guarded, Rng rng) {
        super(new ClockShim());
        this.guarded = guarded;
        for (int i = 0; i < nodes; i++) {
            ClockShim clock = new ClockShim();
            if (ClockShim.isSupported()) {
                clock.step(Duration.ofMillis(rng.between(-MOST_SKEW_MILLIS, MOST_SKEW_MILLIS)));
            }
            clocks.add(clock);
            servers.add(configured(RedisServer.builder(version), clock).start());
        }
        connection(servers.stream().map(RedisServer::uri).toList())
                .startEmpty()
                .connect()
                .close();
    }

    /** How every client connects. */
    static QuorumLocksBuilder connection(List<String> urls) {
        return QuorumLocks.builder(urls)
                .nodeTimeout(NODE_TIMEOUT)
                .longestLease(Subject.LONGEST_LEASE)
                .eachNode(node -> configured(node).prefix(PREFIX));
    }

    /** How it connects to each node. */
    static RedisLocksBuilder configured(RedisLocksBuilder node) {
        return node.requestTimeout(REQUEST_TIMEOUT)
                .connectTimeout(REQUEST_TIMEOUT)
                .connections(MOST_CONNECTIONS);
    }

    int size() {
        return servers.size();
    }

    /** How many nodes may be out at a time. */
    int spare() {
        return (servers.size() - 1) / 2;
    }

    /** A number of nodes that may be out at a time. */
    int some(Rng rng) {
        return (int) rng.between(1, spare());
    }

    /**
     * How many nodes may be out while a subject can still be had. Of a semaphore of k, each node gives k: more of them
     * must agree.
     */
    int spareFor(Subject subject) {
        int capacity = subject.kind() == Subject.Kind.SEMAPHORE ? subject.capacity() : 1;
        return servers.size() - (servers.size() * capacity / (capacity + 1) + 1);
    }

    RedisServer server(int node) {
        return servers.get(node);
    }

    ClockShim clock(int node) {
        return clocks.get(node);
    }

    /** Does the node grant: is its mark its own, and the time over for which it was shut? */
    boolean isOpen(int node) {
        if (!guarded) {
            return true;
        }
        try (RedisConsole console = servers.get(node).console(SOON)) {
            String[] mark =
                    String.valueOf(console.command("GET", PREFIX + ":member")).split(" ", -1);
            if (mark.length < 3 || !(console.command("TIME") instanceof List<?> time)) {
                return false;
            }
            String process = mark[0].substring(0, mark[0].indexOf('-'));
            long nowMicros =
                    Long.parseLong(time.get(0) + String.format("%06d", Long.parseLong(String.valueOf(time.get(1)))));
            return String.valueOf(console.command("INFO", "server")).contains("run_id:" + process)
                    && Long.parseLong(mark[1]) <= nowMicros;
        } catch (RedisConsoleException | RedisUnreachableException e) {
            return false;
        }
    }

    /** The URLs with commas between. */
    @Override
    String url() {
        return servers.stream().map(RedisServer::uri).collect(Collectors.joining(","));
    }

    @Override
    List<RedisServer> servers() {
        return List.copyOf(servers);
    }

    @Override
    List<RedisServer> masters() {
        return servers();
    }

    /** All nodes answer; they may be shut. */
    @Override
    void awaitHealthy() {
        for (RedisServer server : servers) {
            Patience.until(server + " answers", () -> server.command("PING") != null);
        }
    }

    @Override
    public void close() {
        servers.forEach(RedisServer::close);
    }
}
