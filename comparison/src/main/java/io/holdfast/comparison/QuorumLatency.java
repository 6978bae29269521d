package io.holdfast.comparison;

import io.holdfast.Lease;
import io.holdfast.LockClient;
import io.holdfast.quorum.QuorumLocks;
import io.holdfast.redis.RedisLocks;
import io.holdfast.testing.redis.RedisServer;
import io.holdfast.testing.redis.RedisVersion;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.HdrHistogram.Histogram;

/** What agreeing costs: the time of a lock and its release on one server, on three and on five, in the same run; and with servers dead. */
public final class QuorumLatency {
    private static final int ROUNDS = 15;
    private static final int WARM_UP = 3_000;
    private static final int CYCLES = 1_000;

    private final Map<String, LockClient> clients = new LinkedHashMap<>();
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
            System.err.println("unknown option; ./bench-quorum knows --sleepy only");
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
        clients.put("one server", RedisLocks.connect(urls.get(0)));
        clients.put("3 nodes", quorum(urls.subList(0, 3)));
        clients.put("5 nodes", quorum(urls));
        measure("");
        servers.get(2).kill();
        servers.get(4).kill();
        clients.values().forEach(client -> client.lock("first").acquire().close()); // waits for the dead once
        measure(", 1 of 3 or 2 of 5 dead");
        clients.values().forEach(LockClient::close);
        print();
    }

    private static LockClient quorum(List<String> urls) {
        return QuorumLocks.builder(urls)
                .startEmpty()
                .eachNode(node -> node.prefix("quorum-of-" + urls.size()))
                .connect();
    }

    private void measure(String state) {
        clients.values().forEach(client -> cycles(client, WARM_UP, new Times()));
        for (int round = 0; round < ROUNDS; round++) {
            clients.forEach(
                    (name, client) -> cycles(client, CYCLES, times.computeIfAbsent(name + state, made -> new Times())));
        }
    }

    private static void cycles(LockClient client, int number, Times into) {
        Histogram locks = Measured.newHistogram();
        Histogram unlocks = Measured.newHistogram();
        for (int i = 0; i < number; i++) {
            long start = System.nanoTime();
            Lease lease = client.lock("latency").acquire();
            long locked = System.nanoTime();
            lease.close();
            Measured.record(locks, locked - start);
            Measured.record(unlocks, System.nanoTime() - locked);
        }
        into.lockMicros.add(locks.getValueAtPercentile(50) / 1_000.0);
        into.unlockMicros.add(unlocks.getValueAtPercentile(50) / 1_000.0);
    }

    private void print() {
        Times single = java.util.Objects.requireNonNull(times.get("one server"));
        System.out.printf("%-38s %10s %10s %14s%n", "", "lock µs", "unlock µs", "× one server");
        times.forEach((name, each) -> System.out.printf(
                "%-38s %10.1f %10.1f %14.2f%n",
                name, each.lock(), each.unlock(), (each.lock() + each.unlock()) / (single.lock() + single.unlock())));
    }
}
