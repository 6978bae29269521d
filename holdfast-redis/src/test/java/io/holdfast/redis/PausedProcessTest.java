package io.holdfast.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.redis.driver.RedisAddress;
import io.holdfast.redis.driver.RedisConnection;
import io.holdfast.redis.driver.RedisDriver;
import io.holdfast.redis.driver.RedisSubscription;
import io.holdfast.redis.jedis.JedisDriver;
import io.holdfast.spi.Claim;
import io.holdfast.spi.RenewResult;
import io.holdfast.spi.TimeSource;
import io.holdfast.testing.redis.FaultProxy;
import io.holdfast.testing.redis.RedisServer;
import io.holdfast.testing.redis.RedisVersion;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import redis.clients.jedis.DefaultJedisClientConfig;

/**
 * A thread that stands still for longer than a request may take, before it sends anything: ten thousand others were
 * first, or the garbage collector. Its server is 50 ms away, and well.
 */
@Tag("integration")
@Timeout(60)
class PausedProcessTest {
    private static final Duration PAUSE = Duration.ofSeconds(3);
    private static final Duration REQUEST = Duration.ofSeconds(2);
    private static final Duration DISTANCE = Duration.ofMillis(50);

    @RegisterExtension
    final Bench bench = new Bench();

    private final Clock clock = new Clock();
    private final RedisServer server = bench.open(RedisServer.start(RedisVersion.V7_0));
    private final FaultProxy wire = bench.open(FaultProxy.to(server));
    private final RawLocks locks = bench.open(new RawLocks(bench.builder(wire.uri())
            .connections(1)
            .requestTimeout(REQUEST)
            .driver(new PausingDriver(clock))
            .newBackend(clock)));

    @Test
    void renewal_pausedBeforeItIsSent_renews() {
        Claim held = locks.claim("held", 20_000, false);
        locks.grant(held);
        wire.delayReplies(DISTANCE);
        Thread renews = Thread.currentThread();

        clock.pauseAtNextLook(() -> Thread.currentThread() == renews);

        assertThat(locks.renew(held, 20_000)).isInstanceOf(RenewResult.Renewed.class);
        assertThat(clock.pauses()).isOne();
    }

    @Test
    void callers_theirCarrierIsPausedBeforeItSends_areServed() {
        locks.grant(locks.claim("first", 20_000, false));
        wire.delayReplies(DISTANCE);
        wire.holdRequests(bench.attempts("inside"));
        Executor anew = task -> new Thread(task).start();
        CompletableFuture<Long> inside =
                CompletableFuture.supplyAsync(() -> locks.grant(locks.claim("inside", 20_000, false)), anew);
        Bench.soon("a caller has the only connection").until(() -> wire.held() == 1);
        List<CompletableFuture<Long>> together = List.of("a", "b", "c").stream()
                .map(name -> CompletableFuture.supplyAsync(() -> locks.grant(locks.claim(name, 20_000, false)), anew))
                .toList();
        Bench.soon("the others wait in line").until(() -> HandshakeCrowdTest.waitingIn("WaitingCall") == 3);

        clock.pauseAtNextSend();
        wire.releaseHeld();

        assertThat(Bench.get(inside)).isPositive();
        together.forEach(each -> assertThat(Bench.get(each)).isPositive());
        assertThat(clock.pauses()).isOne();
    }

    /** The machine's clocks, and the pauses that a test makes. */
    private static final class Clock implements TimeSource {
        private final AtomicLong pauses = new AtomicLong();
        private volatile @Nullable BooleanSupplier atNextLook;
        private volatile boolean atNextSend;

        long pauses() {
            return pauses.get();
        }

        /** The clock says what it is, and then time passes: that is what a pause looks like. */
        void pauseAtNextLook(BooleanSupplier mine) {
            atNextLook = mine;
        }

        /** The next carrier stops when it has everything together. */
        void pauseAtNextSend() {
            atNextSend = true;
        }

        void sending() {
            if (atNextSend && Thread.currentThread().getName().contains("carrier")) {
                atNextSend = false;
                pauses.incrementAndGet();
            }
        }

        @Override
        public long nanoTime() {
            long now = System.nanoTime() + pauses.get() * PAUSE.toNanos();
            BooleanSupplier mine = atNextLook;
            if (mine != null && mine.getAsBoolean()) {
                atNextLook = null;
                pauses.incrementAndGet();
            }
            return now;
        }

        @Override
        public long wallMillis() {
            return System.currentTimeMillis() + pauses.get() * PAUSE.toMillis();
        }
    }

    /** Connections that pause before they send. */
    private record PausingDriver(Clock clock, RedisDriver driver) implements RedisDriver {
        PausingDriver(Clock clock) {
            this(clock, JedisDriver.create(DefaultJedisClientConfig.builder().build()));
        }

        @Override
        public RedisConnection open(RedisAddress address, Duration patience) {
            RedisConnection connection = driver.open(address, patience);
            return new RedisConnection() {
                @Override
                public void send(List<byte[][]> commands) {
                    clock.sending();
                    connection.send(commands);
                }

                @Override
                public @Nullable Object receive(Duration timeout) {
                    return connection.receive(timeout);
                }

                @Override
                public boolean isUsable() {
                    return connection.isUsable();
                }

                @Override
                public void close() {
                    connection.close();
                }
            };
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
}
