package io.holdfast.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.LockClient;
import io.holdfast.spi.BackendListener;
import io.holdfast.spi.ClaimId;
import io.holdfast.spi.LockBackend;
import io.holdfast.spi.Resource;
import io.holdfast.testing.redis.RedisCluster;
import io.holdfast.testing.redis.RedisServer;
import io.holdfast.testing.redis.RedisVersion;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The list of clients: who is in it, and who is not any more. */
@Tag("integration")
class ClientIndexTest {
    private static final String KEY = "holdfast:{clients}";

    private static List<String> clients(String uri) {
        try (LockBackend reader = RedisLocks.builder(uri).newBackend()) {
            reader.start("reader", new BackendListener() {
                @Override
                public void granted(ClaimId claim, long token, Duration left, long startNanos) {}

                @Override
                public void changed(Resource resource) {}

                @Override
                public void missed() {}
            });
            return reader.clients();
        }
    }

    @Test
    void client_isListed_untilItIsClosed() {
        try (RedisServer server = RedisServer.start(RedisVersion.V7_0)) {
            try (LockClient one = RedisLocks.connect(server.uri());
                    LockClient two = RedisLocks.connect(server.uri())) {
                assertThat(clients(server.uri())).contains(one.id(), two.id(), "reader");
                assertThat((Long) server.command("PTTL", KEY)).isBetween(1L, 60_000L);
            }
            assertThat(server.command("EXISTS", KEY)).as("everybody left").isEqualTo(0L);
        }
    }

    @Test
    void reading_dropsWhatEndedAMinuteAgo_andShowsOnlyWhoIsAlive() {
        try (RedisServer server = RedisServer.start(RedisVersion.V7_0);
                LockClient one = RedisLocks.connect(server.uri())) {
            long now = System.currentTimeMillis();
            server.command("HSET", KEY, "long-dead", "" + (now - 70_000), "dead", "" + (now - 10_000), "odd", "x");
            assertThat(clients(server.uri())).contains(one.id()).doesNotContain("long-dead", "dead", "odd");
            assertThat(server.command("HEXISTS", KEY, "long-dead")).isEqualTo(0L);
            assertThat(server.command("HEXISTS", KEY, "odd")).isEqualTo(0L);
            assertThat(server.command("HEXISTS", KEY, "dead")).isEqualTo(1L);
        }
    }

    @Test
    void cluster_oneListForAllShards() {
        try (RedisCluster cluster = RedisCluster.start(RedisVersion.V7_0)) {
            try (LockClient one = RedisLocks.connect(cluster.uri());
                    LockClient two = RedisLocks.connect(cluster.uri())) {
                await().atMost(Duration.ofSeconds(20))
                        .untilAsserted(() -> assertThat(clients(cluster.uri())).contains(one.id(), two.id()));
            }
            assertThat(clients(cluster.uri())).containsExactly("reader");
        }
    }
}
