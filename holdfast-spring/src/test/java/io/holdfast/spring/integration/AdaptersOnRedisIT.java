package io.holdfast.spring.integration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.LockClient;
import io.holdfast.redis.RedisLocks;
import io.holdfast.spring.leader.Election;
import io.holdfast.spring.leader.LeaderGranted;
import io.holdfast.spring.leader.LeaderRevoked;
import io.holdfast.spring.shedlock.HoldfastLockProvider;
import io.holdfast.testing.redis.RedisServer;
import io.holdfast.testing.redis.RedisVersion;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import net.javacrumbs.shedlock.core.LockConfiguration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The adapters and an election on a real server. */
@Tag("integration")
class AdaptersOnRedisIT {
    private static RedisServer server;

    @BeforeAll
    static void start() {
        server = RedisServer.start(RedisVersion.V7_0);
    }

    @AfterAll
    static void end() {
        server.close();
    }

    @Test
    void registry_twoClients_oneHolds() throws Exception {
        try (LockClient one = RedisLocks.connect(server.uri());
                LockClient two = RedisLocks.connect(server.uri())) {
            HoldfastLockRegistry here = new HoldfastLockRegistry(one, "orders:");
            HoldfastLockRegistry there = new HoldfastLockRegistry(two, "orders:");
            here.obtain("42").lock();
            assertThat(there.obtain("42").tryLock(10, TimeUnit.MILLISECONDS)).isFalse();
            here.renewLock("42");
            here.obtain("42").unlock();
            assertThat(there.obtain("42").tryLock(10, TimeUnit.SECONDS)).isTrue();
            there.obtain("42").unlock();
        }
    }

    @Test
    void provider_lockAtLeastFor_outlivesTheClient() {
        LockConfiguration quick =
                new LockConfiguration(Instant.now(), "report", Duration.ofSeconds(7), Duration.ofSeconds(6));
        LockConfiguration next = new LockConfiguration(Instant.now(), "report", Duration.ofMinutes(1), Duration.ZERO);
        try (LockClient two = RedisLocks.connect(server.uri())) {
            HoldfastLockProvider other = new HoldfastLockProvider(two, "job:");
            try (LockClient one = RedisLocks.connect(server.uri())) {
                new HoldfastLockProvider(one, "job:").lock(quick).orElseThrow().unlock();
                assertThat(other.lock(next)).isEmpty();
            }
            assertThat(two.inspector().find(io.holdfast.LockKind.LOCK, "job:report"))
                    .isPresent();
            await().until(() -> other.lock(next).isPresent());
        }
    }

    @Test
    void election_leaderStops_revokedThenTheOtherIsGranted() {
        List<Object> told = new CopyOnWriteArrayList<>();
        try (LockClient one = RedisLocks.connect(server.uri());
                LockClient two = RedisLocks.connect(server.uri())) {
            Election first = new Election(one, "billing");
            first.setApplicationEventPublisher(told::add);
            Election second = new Election(two, "billing");
            second.setApplicationEventPublisher(told::add);
            first.start();
            await().until(() -> told.size() == 1);
            second.start();
            first.stop();
            await().until(() -> told.size() == 3);
            second.stop();

            LeaderGranted granted = (LeaderGranted) told.get(0);
            assertThat(told.get(1)).isEqualTo(new LeaderRevoked("billing", granted.token()));
            assertThat(((LeaderGranted) told.get(2)).token()).isGreaterThan(granted.token());
        }
    }
}
