package io.holdfast.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.holdfast.LockClient;
import io.holdfast.LockStoreException;
import io.holdfast.redis.driver.RedisAddress;
import io.holdfast.redis.jedis.JedisDriver;
import io.holdfast.testing.redis.FaultProxy;
import io.holdfast.testing.redis.RedisServer;
import io.holdfast.testing.redis.RedisVersion;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import redis.clients.jedis.DefaultJedisClientConfig;

/** Connections that ended while nobody looked, that take long, or that nobody takes: how long a caller waits, and what it hears. */
@Timeout(60)
class ConnectionFaultTest {
    private RedisServer server;
    private Bench bench;
    private FaultProxy proxy;

    @BeforeEach
    void open() {
        bench = new Bench();
        server = bench.open(RedisServer.start(RedisVersion.V7_0));
        proxy = bench.open(FaultProxy.to(server));
    }

    @AfterEach
    void close() throws Exception {
        server.resume();
        bench.close();
    }

    /** As a server with a time-out for idle clients does, or a firewall. */
    @Test
    void tryAcquire_serverClosedIdleConnections_asksOnceMore() {
        LockClient client = bench.client(server.uri());
        for (int i = 0; i < 10; i++) {
            assertThat((Long) server.command("CLIENT", "KILL", "TYPE", "normal", "SKIPME", "yes"))
                    .isPositive();
            client.lock("a").tryAcquire().orElseThrow().close();
        }
        server.command("CLIENT", "KILL", "TYPE", "normal", "SKIPME", "yes");
        assertThat(client.inspector().list("").toList()).isEmpty();
    }

    @Test
    void tryAcquire_nobodyTakesTheConnection_saysThatNothingWasAskedFor() {
        LockClient client = bench.client(proxy.uri());
        client.lock("a").acquire().close();
        proxy.refuse();
        proxy.reset();
        assertThatThrownBy(() -> client.lock("a").tryAcquire()) // perhaps on a connection that broke
                .isInstanceOf(LockStoreException.class);
        LockStoreException unsent = catchThrowableOfType(
                LockStoreException.class, () -> client.lock("a").tryAcquire());
        assertThat(unsent)
                .hasMessageContaining("nothing was asked for")
                .hasMessageContaining(String.valueOf(proxy.port()))
                .hasMessageNotContaining("nobody knows");
    }

    /** Whoever has little time does not wait for a connection as long as one who has much. */
    @Test
    void tryAcquire_connectionHasToBeMadeAndServerStandsStill_takesTheCallersTime() {
        Duration much = Duration.ofSeconds(20);
        LockClient client =
                bench.client(bench.builder(proxy.uri()).requestTimeout(much).connectTimeout(much));
        client.lock("a").acquire().close();
        server.pause();
        proxy.reset();
        long began = System.nanoTime();
        assertThatThrownBy(() -> client.lock("a").tryAcquire(Duration.ofMillis(200)))
                .isInstanceOf(LockStoreException.class);
        assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(much.dividedBy(2));
    }

    /** One try is an answer, however far the server is: so is a wait that is shorter than the way. */
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 50, 100})
    void tryAcquire_waitIsShorterThanTheWayToTheServer_isAnsweredAllTheSame(int millis) throws Exception {
        proxy.delayReplies(Duration.ofMillis(250));
        LockClient client = bench.client(bench.builder(proxy.uri())
                .requestTimeout(Duration.ofSeconds(10))
                .connectTimeout(Duration.ofSeconds(10)));
        assertThat(client.lock("a").tryAcquire(Duration.ofMillis(millis))).isPresent();
        assertThat(client.lock("a").tryAcquire(Duration.ofMillis(millis))).isEmpty();
    }

    @Test
    void trim_connectionsThatNobodyNeeded_oneIsLeft() {
        Connections connections = new Connections(
                JedisDriver.create(DefaultJedisClientConfig.builder().build()),
                new RedisAddress(server.host(), server.port()));
        long untilNanos = System.nanoTime() + Duration.ofSeconds(10).toNanos();
        List<Lent> lent =
                List.of(connections.take(untilNanos), connections.take(untilNanos), connections.take(untilNanos));
        lent.forEach(Lent::close);
        long nowNanos = System.nanoTime();
        connections.trim(nowNanos);
        assertThat(connections.idleCount()).isEqualTo(3);
        connections.trim(nowNanos + Connections.KEPT.toNanos() + 1);
        assertThat(connections.idleCount()).isEqualTo(1);

        Lent old = connections.take(untilNanos);
        connections.reset();
        old.close();
        assertThat(connections.idleCount()).as("of before the reset").isZero();
        connections.close();
    }
}
