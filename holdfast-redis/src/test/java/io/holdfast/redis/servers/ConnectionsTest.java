package io.holdfast.redis.servers;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.redis.driver.RedisAddress;
import io.holdfast.redis.jedis.JedisDriver;
import io.holdfast.redis.settings.Timing;
import io.holdfast.testing.redis.RedisServer;
import io.holdfast.testing.redis.RedisVersion;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import redis.clients.jedis.DefaultJedisClientConfig;

@Tag("integration")
class ConnectionsTest {
    @Test
    void trim_connectionsThatNobodyNeeded_oneIsLeft() {
        RedisServer server = RedisServer.start(RedisVersion.V7_0);
        Connections connections = new Connections(
                JedisDriver.create(DefaultJedisClientConfig.builder().build()),
                new RedisAddress(server.host(), server.port()),
                Timing.SYSTEM);
        long untilNanos = System.nanoTime() + Duration.ofSeconds(10).toNanos();
        List<PooledConnection> lent =
                List.of(connections.take(untilNanos), connections.take(untilNanos), connections.take(untilNanos));
        lent.forEach(PooledConnection::close);
        long nowNanos = System.nanoTime();
        connections.trim(nowNanos);
        assertThat(connections.idleCount()).isEqualTo(3);
        connections.trim(nowNanos + Connections.KEPT.toNanos() + 1);
        assertThat(connections.idleCount()).isEqualTo(1);

        PooledConnection old = connections.take(untilNanos);
        connections.reset();
        old.close();
        assertThat(connections.idleCount()).as("of before the reset").isZero();
        connections.close();
        server.close();
    }
}
