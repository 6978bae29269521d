package io.holdfast.comparison;

import io.holdfast.Lease;
import io.holdfast.LockClient;
import io.holdfast.quorum.QuorumLocks;
import io.holdfast.redis.RedisLocks;
import io.holdfast.redis.driver.RedisAddress;
import io.holdfast.redis.driver.RedisConnection;
import io.holdfast.redis.jedis.JedisDriver;
import io.holdfast.testing.redis.RedisServer;
import io.holdfast.testing.redis.RedisVersion;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.HdrHistogram.Histogram;
import redis.clients.jedis.DefaultJedisClientConfig;

/**
 * What agreeing costs: the time of a lock and its release on one server, on three and on five, in the same run; and
 * with servers dead. Beside it the limit: a script that does nothing, sent to as many servers by one thread before the
 * first answer is read.
 */
public final class QuorumLatency {
    private static final Duration PATIENCE = Duration.ofSeconds(10);
    private static final int ROUNDS = 15;
    private static final int WARM_UP = 3_000;
    private static final int CYCLES = 1_000;

    /** One lock and its release, or what stands for it: the time of each. */
    private interface Cycle {
        void run(Histogram locks, Histogram unlocks);
    }

    private final List<LockClient> clients = new ArrayList<>();
    private final Map<String, Cycle> cycles = new LinkedHashMap<>();
    private final Map<String, Times> times = new LinkedHashMap<>();

    private QuorumLatency() {}

    /** Of all rounds: to lock, and to unlock. */
    private record Times(List<Double> lockMicros, List<Double> unlockMicros) {
        Times() {
            this(new ArrayList<>(), new ArrayList<>());
        }

        double lock() {
            return median(lockMicros);
        }

        double unlock() {
            return median(unlockMicros);
        }

        private static double median(List<Double> values) {
            return values.stream().sorted().skip(values.size() / 2).findFirst().orElseThrow();
        }
    }

    /**
     * Runs it all.
     *
     * @param args {@code --sleepy} lets the cores sleep between requests
     * @throws Exception if anything fails
     */
    public static void main(String[] args) throws Exception {
        boolean sleepy = List.of(args).contains("--sleepy");
        if (args.length > (sleepy ? 1 : 0)) {
            System.err.println("unknown option; bin/bench-quorum knows --sleepy only");
            System.exit(2);
        }
        List<RedisServer> servers = Stream.generate(() -> RedisServer.start(RedisVersion.V7_0))
                .limit(5)
                .toList();
        try (WakefulCores cores = sleepy ? null : WakefulCores.start()) {
            System.out.println(sleepy ? "cores may sleep" : String.valueOf(cores));
            new QuorumLatency().run(servers);
        } finally {
            servers.forEach(RedisServer::close);
        }
    }

    private void run(List<RedisServer> servers) {
        List<String> urls = servers.stream().map(RedisServer::uri).toList();
        cycles.put("one server", cycle(RedisLocks.connect(urls.get(0))));
        cycles.put("3 nodes", cycle(quorum(urls.subList(0, 3))));
        cycles.put("5 nodes", cycle(quorum(urls)));
        for (int nodes : new int[] {1, 3, 5}) {
            cycles.put("limit, " + nodes, limit(servers.subList(0, nodes)));
        }
        measure("");
        cycles.keySet().removeIf(name -> name.startsWith("limit"));
        servers.get(2).kill();
        servers.get(4).kill();
        clients.forEach(client -> client.lock("first").acquire().close()); // waits for the dead once
        measure(", 1 of 3 or 2 of 5 dead");
        clients.forEach(LockClient::close);
        print();
    }

    private Cycle cycle(LockClient client) {
        clients.add(client);
        return (locks, unlocks) -> {
            long start = System.nanoTime();
            Lease lease = client.lock("latency").acquire();
            long locked = System.nanoTime();
            lease.close();
            Measured.record(locks, locked - start);
            Measured.record(unlocks, System.nanoTime() - locked);
        };
    }

    private static Cycle limit(List<RedisServer> servers) {
        JedisDriver driver =
                JedisDriver.create(DefaultJedisClientConfig.builder().build());
        List<RedisConnection> connections = servers.stream()
                .map(server -> driver.open(new RedisAddress(server.host(), server.port()), PATIENCE))
                .toList();
        byte[][] script = words("SCRIPT", "LOAD", "return 1");
        byte[] digest = (byte[]) Objects.requireNonNull(connections.get(0).call(PATIENCE, script));
        connections.forEach(connection -> connection.call(PATIENCE, script));
        byte[][] call = words("EVALSHA", new String(digest, StandardCharsets.US_ASCII), "1", "key");
        return (locks, unlocks) -> {
            trip(connections, call, locks);
            trip(connections, call, unlocks);
        };
    }

    private static void trip(List<RedisConnection> connections, byte[][] call, Histogram into) {
        long start = System.nanoTime();
        connections.forEach(connection -> connection.send(List.<byte[][]>of(call)));
        connections.forEach(connection -> connection.receive(PATIENCE));
        Measured.record(into, System.nanoTime() - start);
    }

    private static byte[][] words(String... words) {
        return Stream.of(words)
                .map(word -> word.getBytes(StandardCharsets.US_ASCII))
                .toArray(byte[][]::new);
    }

    private static LockClient quorum(List<String> urls) {
        return QuorumLocks.builder(urls)
                .startEmpty()
                .eachNode(node -> node.prefix("quorum-of-" + urls.size()))
                .connect();
    }

    private void measure(String state) {
        cycles.values().forEach(cycle -> repeat(cycle, WARM_UP, new Times()));
        for (int round = 0; round < ROUNDS; round++) {
            cycles.forEach(
                    (name, cycle) -> repeat(cycle, CYCLES, times.computeIfAbsent(name + state, made -> new Times())));
        }
    }

    private static void repeat(Cycle cycle, int number, Times into) {
        Histogram locks = Measured.newHistogram();
        Histogram unlocks = Measured.newHistogram();
        for (int i = 0; i < number; i++) {
            cycle.run(locks, unlocks);
        }
        into.lockMicros.add(locks.getValueAtPercentile(50) / 1_000.0);
        into.unlockMicros.add(unlocks.getValueAtPercentile(50) / 1_000.0);
    }

    private void print() {
        Times single = Objects.requireNonNull(times.get("one server"));
        System.out.printf("%-38s %10s %10s %14s%n", "", "lock µs", "unlock µs", "× one server");
        times.forEach((name, each) -> System.out.printf(
                "%-38s %10.1f %10.1f %14.2f%n",
                name, each.lock(), each.unlock(), (each.lock() + each.unlock()) / (single.lock() + single.unlock())));
    }
}
