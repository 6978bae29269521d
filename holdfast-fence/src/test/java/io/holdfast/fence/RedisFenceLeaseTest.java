package io.holdfast.fence;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.Lease;
import io.holdfast.LockClient;
import io.holdfast.LockLostException;
import io.holdfast.LockOptions;
import io.holdfast.testing.redis.RedisVersion;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import redis.clients.jedis.util.JedisClusterCRC16;

/**
 * Values with a fence of their own, and leases. Two stores that know nothing of each other stand for one that forgot.
 */
@Tag("integration")
class RedisFenceLeaseTest extends RedisFenceFixture {
    private final LockClient before = FrozenLocks.create();
    private final LockClient after = FrozenLocks.create();

    RedisFenceLeaseTest() {
        super(RedisVersion.V7_0);
    }

    @AfterEach
    void releaseAll() {
        redis.flushAll();
    }

    private static Lease leaseAfter(LockClient client, String name, int earlierOnes) {
        for (int i = 0; i < earlierOnes; i++) {
            client.lock(name).acquire().close();
        }
        return client.lock(name).acquire();
    }

    @Test
    void set_thenGet_returnsIt() {
        String key = newName();
        try (Lease lease = leaseAfter(before, key, 0)) {
            assertThat(fence.get(lease, key)).isEmpty();

            fence.set(lease, key, "grüße");

            assertThat(fence.get(lease, key)).contains("grüße");
            assertThat(redis.hgetAll(RedisFence.fenceKeyOf(key)))
                    .containsEntry("token", String.valueOf(lease.token()))
                    .containsEntry("holder", lease.id());
        }
    }

    @Test
    void set_laterHolderHasOnlyRead_refused() {
        String key = newName();
        try (Lease paused = leaseAfter(before, key, 0);
                Lease next = leaseAfter(after, key, 1)) {
            assertThat(next.token()).isGreaterThan(paused.token());
            fence.set(paused, key, "1");

            assertThat(fence.get(next, key)).contains("1");

            assertThatThrownBy(() -> fence.set(paused, key, "2")).isInstanceOf(StaleTokenException.class);
            assertThatThrownBy(() -> fence.get(paused, key)).isInstanceOf(StaleTokenException.class);
            assertThat(redis.get(key)).isEqualTo("1");
        }
    }

    @Test
    void enter_equalTokenOfAStoreThatForgot_refused() {
        String key = newName();
        try (Lease first = leaseAfter(before, key, 0);
                Lease second = leaseAfter(after, key, 0)) {
            assertThat(second.token()).isEqualTo(first.token());
            fence.enter(first, key + ":fence");

            assertThatThrownBy(() -> fence.enter(second, key + ":fence"))
                    .isInstanceOf(StaleTokenException.class)
                    .hasMessageContainingAll(first.id(), second.id());
            fence.enter(first, key + ":fence");
        }
    }

    @Test
    void run_leaseIsOver_refusedWithoutRedis() {
        RedisFence unreachable = RedisFence.over((script, keys, arguments) -> {
            throw new AssertionError("asked");
        });
        Lease closed = before.lock(newName()).acquire();
        closed.close();
        Lease lost = before.lock(newName(), LockOptions.defaults().fixedLease(Duration.ofMillis(100)))
                .acquire();
        Awaitility.await().until(() -> !lost.isValid());

        assertThatThrownBy(() -> unreachable.enter(closed, "fence")).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> unreachable.enter(lost, "fence")).isInstanceOf(LockLostException.class);
    }

    @Test
    void fenceKeyOf_anyKey_sameSlotAndNobodyElses() {
        Set<String> fences = new HashSet<>();
        for (String key :
                List.of("x", "{x}", "x{x}", "{x}y", "{x}{y}", "a{b", "{{x}", "{x}:holdfast-fence", "ключ", "x ")) {
            String fenceKey = RedisFence.fenceKeyOf(key);
            assertThat(JedisClusterCRC16.getSlot(fenceKey)).as(key).isEqualTo(JedisClusterCRC16.getSlot(key));
            assertThat(fences.add(fenceKey)).as(key).isTrue();
        }
        for (String key : List.of("", "{}x", "a}b", "}")) {
            assertThatThrownBy(() -> RedisFence.fenceKeyOf(key))
                    .as(key)
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("{tag}");
        }
    }
}
