package io.holdfast.fence;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.Lease;
import io.holdfast.LockClient;
import io.holdfast.testing.redis.RedisCluster;
import io.holdfast.testing.redis.RedisServer;
import io.holdfast.testing.redis.RedisVersion;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.RedisClusterClient;

/** A fence and its data on a real cluster: in one slot, wherever that is. */
@Tag("integration")
class RedisFenceClusterTest {
    private static RedisCluster cluster;
    private static RedisClusterClient redis;

    private final RedisFence fence = RedisFence.over((script, keys, arguments) -> redis.eval(script, keys, arguments));

    @BeforeAll
    static void start() {
        cluster = RedisCluster.start(RedisVersion.V7_0);
        Set<HostAndPort> nodes = cluster.nodes().stream()
                .map((RedisServer each) -> new HostAndPort(each.host(), each.port()))
                .collect(Collectors.toSet());
        redis = RedisClusterClient.create(nodes);
    }

    @AfterAll
    static void end() {
        redis.close();
        cluster.close();
    }

    @Test
    void setAndGet_keysOfManySlots_eachBesideItsFence() {
        try (LockClient locks = FrozenLocks.create()) {
            for (String key : List.of("a", "b", "c", "{d}:x", "e{f}", "g{h")) {
                try (Lease lease = locks.lock(key).acquire()) {
                    fence.set(lease, key, "1");
                    assertThat(fence.get(lease, key)).contains("1");
                }
            }
        }
    }

    @Test
    void run_dataInAnotherSlot_refusedByTheCluster() {
        FenceEntry entry = new FenceEntry("order", 33, "a:1");

        assertThatThrownBy(() -> fence.run(entry, "{a}:fence", "return 1", List.of("{b}:data"), List.of()))
                .isInstanceOf(RuntimeException.class)
                .hasMessageContaining("slot");
    }
}
