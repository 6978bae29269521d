package io.holdfast.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.Lease;
import io.holdfast.LockClient;
import io.holdfast.redis.driver.RedisAddress;
import io.holdfast.redis.driver.RedisConnection;
import io.holdfast.redis.driver.RedisDriver;
import io.holdfast.redis.driver.RedisSubscription;
import io.holdfast.redis.jedis.JedisDriver;
import io.holdfast.testing.redis.FaultProxy;
import io.holdfast.testing.redis.RedisServer;
import io.holdfast.testing.redis.RedisVersion;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import redis.clients.jedis.DefaultJedisClientConfig;

/** Those who carry the calls of others fail: nobody is forgotten in the line. */
@Timeout(60)
class CarrierFaultTest {
    private static final Executor EACH = task -> {
        Thread thread = new Thread(task);
        thread.setDaemon(true);
        thread.start();
    };

    private Bench bench;
    private RedisServer server;
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

    /** Has connections that are good for one use, and runs out of memory when a carrier first wants one. */
    private static final class Starving implements RedisDriver {
        private final RedisDriver driver =
                JedisDriver.create(DefaultJedisClientConfig.builder().build());
        private final AtomicBoolean starved = new AtomicBoolean();

        @Override
        public RedisConnection open(RedisAddress address, Duration patience) {
            if (Thread.currentThread().getName().startsWith("holdfast-redis-carrier")
                    && starved.compareAndSet(false, true)) {
                throw new OutOfMemoryError("a test says so");
            }
            return new Once(driver.open(address, patience));
        }

        @Override
        public RedisSubscription subscription(RedisAddress address, String channel, boolean sharded) {
            return driver.subscription(address, channel, sharded);
        }

        @Override
        public void close() {
            driver.close();
        }
    }

    private record Once(RedisConnection connection) implements RedisConnection {
        @Override
        public void send(List<byte[][]> commands) {
            connection.send(commands);
        }

        @Override
        public @Nullable Object receive(Duration timeout) {
            return connection.receive(timeout);
        }

        @Override
        public boolean isUsable() {
            return false;
        }

        @Override
        public void close() {
            connection.close();
        }
    }

    @Test
    void acquire_carrierRunsOutOfMemory_everybodyGoesOn() {
        Starving driver = new Starving();
        LockClient client =
                bench.client(bench.builder(proxy.uri()).driver(driver).connections(1));
        client.lock("first").acquire().close();
        proxy.delayReplies(Duration.ofMillis(200));
        List<CompletableFuture<Lease>> all = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            String name = "lock-" + i;
            all.add(CompletableFuture.supplyAsync(() -> client.lock(name).acquire(), EACH));
        }
        for (CompletableFuture<Lease> each : all) {
            Bench.get(each, Duration.ofSeconds(20)).close();
        }
        assertThat(driver.starved).isTrue();
    }
}
