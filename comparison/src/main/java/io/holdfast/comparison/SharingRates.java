package io.holdfast.comparison;

import io.holdfast.Acquirable;
import io.holdfast.Fairness;
import io.holdfast.Lease;
import io.holdfast.LockClient;
import io.holdfast.LockOptions;
import io.holdfast.memory.MemoryLocks;
import io.holdfast.quorum.QuorumLocks;
import io.holdfast.redis.RedisLocks;
import io.holdfast.testing.redis.RedisServer;
import io.holdfast.testing.redis.RedisVersion;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;

/**
 * What sharing gains where no other library is there to compare with: sixteen threads of one client that read and
 * write, or want one of four permits, on the store in memory, on one server and on a quorum. {@code FIFO} shares
 * nothing, so it is what the others are compared with. Both take turns, in rounds of half a second.
 */
public final class SharingRates {
    private static final int THREADS = 16;
    private static final int PERMITS = 4;
    private static final int WRITE_EVERY = 10;
    private static final int ROUNDS = 9;
    private static final long ROUND_NANOS = Duration.ofMillis(500).toNanos();

    private SharingRates() {}

    /**
     * Measures and prints.
     *
     * @param args none
     * @throws Exception if anything fails
     */
    public static void main(String[] args) throws Exception {
        if (args.length > 0) {
            System.err.println("bin/bench-sharing knows no option, got " + String.join(" ", args));
            System.exit(2);
        }
        List<RedisServer> servers = Stream.generate(() -> RedisServer.start(RedisVersion.V7_0))
                .limit(5)
                .toList();
        List<String> urls = servers.stream().map(RedisServer::uri).toList();
        Map<String, LockClient> stores = new LinkedHashMap<>();
        stores.put("memory", MemoryLocks.create());
        stores.put("one Redis", RedisLocks.connect(urls.get(0)));
        stores.put("quorum of 3", quorum(urls.subList(0, 3)));
        stores.put("quorum of 5", quorum(urls));
        System.out.printf("| store | workload | THROUGHPUT, cycles/s | FIFO | × |%n|---|---|---:|---:|---:|%n");
        try {
            for (Map.Entry<String, LockClient> store : stores.entrySet()) {
                compare(store.getKey(), "read-write", store.getValue(), SharingRates::readsAndWrites);
                compare(store.getKey(), "semaphore", store.getValue(), SharingRates::permits);
            }
        } finally {
            stores.values().forEach(LockClient::close);
            servers.forEach(RedisServer::close);
        }
    }

    private static LockClient quorum(List<String> urls) {
        return QuorumLocks.builder(urls)
                .startEmpty()
                .eachNode(node -> node.prefix("sharing-of-" + urls.size()))
                .connect();
    }

    /** What a thread takes in its so-manieth cycle. */
    private interface Work {
        Acquirable<Lease> next(LockClient client, LockOptions options, int cycle);
    }

    private static Acquirable<Lease> readsAndWrites(LockClient client, LockOptions options, int cycle) {
        var lock = client.readWriteLock("shared", options);
        return cycle % WRITE_EVERY == 0 ? lock.writeLock() : lock.readLock();
    }

    private static Acquirable<Lease> permits(LockClient client, LockOptions options, int cycle) {
        return client.semaphore("shared", PERMITS, options);
    }

    private static void compare(String store, String workload, LockClient client, Work work) throws Exception {
        List<Double> shared = new ArrayList<>();
        List<Double> fifo = new ArrayList<>();
        for (int round = 0; round < ROUNDS + 2; round++) {
            double one = rate(client, LockOptions.defaults(), work);
            double other = rate(client, LockOptions.defaults().fairness(Fairness.FIFO), work);
            if (round >= 2) { // the first ones are to get warm
                shared.add(one);
                fifo.add(other);
            }
        }
        System.out.printf(
                "| %s | %s | %,.0f | %,.0f | %.1f |%n",
                store, workload, median(shared), median(fifo), median(shared) / median(fifo));
    }

    private static double rate(LockClient client, LockOptions options, Work work) throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(THREADS);
        try {
            long startNanos = System.nanoTime();
            List<Future<Integer>> parts = new ArrayList<>();
            for (int i = 0; i < THREADS; i++) {
                int first = i;
                parts.add(threads.submit(() -> {
                    int cycle = first;
                    while (System.nanoTime() - startNanos < ROUND_NANOS) {
                        work.next(client, options, cycle++).acquire().close();
                    }
                    return cycle - first;
                }));
            }
            long cycles = 0;
            for (Future<Integer> part : parts) {
                cycles += part.get();
            }
            return cycles * 1e9 / (System.nanoTime() - startNanos);
        } finally {
            threads.shutdownNow();
        }
    }

    private static double median(List<Double> values) {
        return values.stream().sorted().skip(values.size() / 2).findFirst().orElseThrow();
    }
}
