package io.holdfast.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.Lease;
import io.holdfast.LockClient;
import io.holdfast.LockOptions;
import io.holdfast.testing.redis.RedisCluster;
import io.holdfast.testing.redis.RedisServer;
import io.holdfast.testing.redis.RedisVersion;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Rule: a silent shard does not delay the renewals of others. */
@Tag("integration")
class ShardFaultTest {
    private static final Duration LEASE = Duration.ofSeconds(6);

    @Test
    void shardStandsStill_leasesOnTheOthers_areRenewed() {
        try (RedisCluster cluster = RedisCluster.start(
                        RedisVersion.V7_0, 0, server -> server.config("cluster-require-full-coverage", "no"));
                LockClient locks = RedisLocks.builder(cluster.uri())
                        .requestTimeout(Duration.ofSeconds(1))
                        .defaults(LockOptions.defaults().lease(LEASE))
                        .connect()) {
            Map<RedisServer, List<Lease>> held = new LinkedHashMap<>();
            for (int i = 0; i < 3_000; i++) {
                String name = "job:" + i;
                held.computeIfAbsent(cluster.masterOf("holdfast:lock:{" + name + "}"), made -> new ArrayList<>())
                        .add(locks.lock(name).acquire());
            }
            RedisServer dead = cluster.masters().get(0);
            dead.pause();
            try {
                await().atMost(LEASE.multipliedBy(5))
                        .until(() -> held.get(dead).stream().noneMatch(Lease::isValid));
                await().during(LEASE)
                        .atMost(LEASE.multipliedBy(3))
                        .until(() -> held.entrySet().stream()
                                .filter(shard -> shard.getKey() != dead)
                                .allMatch(shard -> shard.getValue().stream().allMatch(Lease::isValid)));
            } finally {
                dead.resume();
            }
            assertThat(held).hasSize(3);
        }
    }

    /** Rule: asynchronous calls to a silent shard do not delay others. */
    @Test
    void shardStandsStill_asyncCallsToTheOthers_areServed() {
        Duration slow = Duration.ofSeconds(20); // far more than the others may take
        try (RedisCluster cluster = RedisCluster.start(
                        RedisVersion.V7_0, 0, server -> server.config("cluster-require-full-coverage", "no"));
                LockClient locks =
                        RedisLocks.builder(cluster.uri()).requestTimeout(slow).connect()) {
            RedisServer dead = cluster.masters().get(0);
            Map<Boolean, List<String>> names = IntStream.range(0, 300)
                    .mapToObj(i -> "job:" + i)
                    .collect(Collectors.partitioningBy(
                            name -> cluster.masterOf("holdfast:lock:{" + name + "}") == dead));
            names.get(false).forEach(name -> locks.lock(name).acquire().close());
            dead.pause();
            try {
                names.get(true).forEach(name -> locks.lock(name).acquireAsync());
                List<CompletableFuture<Lease>> others = names.get(false).stream()
                        .map(name -> locks.lock(name).acquireAsync())
                        .toList();
                await().atMost(slow.dividedBy(2)).until(() -> others.stream().allMatch(CompletableFuture::isDone));
                others.forEach(each -> each.join().close());
            } finally {
                dead.resume();
            }
        }
    }
}
