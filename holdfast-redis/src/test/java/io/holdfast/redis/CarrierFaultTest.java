package io.holdfast.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.Lease;
import io.holdfast.LockClient;
import io.holdfast.LockStoreException;
import io.holdfast.redis.driver.RedisConnection;
import io.holdfast.spi.AttemptResult;
import io.holdfast.spi.PipelinedBackend;
import io.holdfast.testing.process.Logged;
import io.holdfast.testing.redis.FaultProxy;
import io.holdfast.testing.redis.RedisServer;
import io.holdfast.testing.redis.RedisVersion;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.logging.Level;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Carriers fail, and no call is forgotten in the line. */
@Tag("integration")
@Timeout(60)
class CarrierFaultTest {
    private static final Executor EACH = task -> {
        Thread thread = new Thread(task);
        thread.setDaemon(true);
        thread.start();
    };

    private static final Duration SECOND = Duration.ofSeconds(1);

    @RegisterExtension
    final Bench bench = new Bench();

    private RedisServer server;
    private FaultProxy proxy;

    @BeforeEach
    void open() {
        server = bench.open(RedisServer.start(RedisVersion.V7_0));
        proxy = bench.open(FaultProxy.to(server));
    }

    @AfterEach
    void resume() {
        server.resume();
    }

    private static boolean isCarrier() {
        return Thread.currentThread().getName().startsWith("holdfast-redis-carrier");
    }

    /** Its connections can be used once, and it runs out of memory when a carrier first needs one. */
    private static final class Starving extends Wires {
        private final AtomicBoolean starved = new AtomicBoolean();

        @Override
        void opening() {
            if (isCarrier() && starved.compareAndSet(false, true)) {
                throw new OutOfMemoryError("a test says so");
            }
        }

        @Override
        boolean isUsable(RedisConnection connection) {
            return false;
        }
    }

    /** Runs out of memory when a carrier first sends on a connection that it opened itself. */
    private static final class Choking extends Wires {
        private final AtomicInteger open = new AtomicInteger();
        private final AtomicBoolean choked = new AtomicBoolean();

        @Override
        void opening() {
            open.incrementAndGet();
        }

        @Override
        void closed() {
            open.decrementAndGet();
        }

        @Override
        void send(RedisConnection connection, List<byte[][]> commands) {
            if (isCarrier() && choked.compareAndSet(false, true)) {
                throw new OutOfMemoryError("a test says so");
            }
            connection.send(commands);
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

    /** Rule: a connection that a carrier took is given back or closed, whatever happens. */
    @Test
    void acquire_carrierRunsOutOfMemoryWithAConnection_itIsNotLost() {
        Choking driver = new Choking();
        Logged logged = bench.open(new Logged("io.holdfast.redis"));
        RawLocks raw = bench.raw(
                bench.builder(proxy.uri()).driver(driver).connections(1).requestTimeout(SECOND.multipliedBy(10)));
        raw.grant(raw.claim("first", 20_000, false));
        PipelinedBackend backend = (PipelinedBackend) raw.backend();
        proxy.dropReplies(1, bench.attempts("lost"));
        Supplier<AttemptResult> lost = backend.beginAttempt(raw.claim("lost", 20_000, false), SECOND.dividedBy(4));
        Supplier<AttemptResult> carried = backend.beginAttempt(raw.claim("carried", 20_000, false), SECOND);
        assertThatThrownBy(lost::get)
                .as("in a time that is too short to call the server silent")
                .isInstanceOf(LockStoreException.class)
                .hasMessageContaining("did not answer in time");
        assertThatThrownBy(carried::get)
                .isInstanceOf(LockStoreException.class)
                .hasMessageContaining("a carrier to ")
                .hasMessageContaining(" failed");
        assertThat(driver.choked).isTrue();
        raw.close();
        Bench.soon("nothing is left open").until(() -> driver.open.get() == 0);
        Bench.soon("the error is in the log, and does not end the thread")
                .until(() -> !logged.of(Level.SEVERE, "a carrier to " + proxy.host() + ":" + proxy.port() + " failed")
                        .isEmpty());
    }

    private static List<Supplier<AttemptResult>> begin(RawLocks raw, int count) {
        PipelinedBackend backend = (PipelinedBackend) raw.backend();
        return IntStream.range(0, count)
                .mapToObj(i -> backend.beginAttempt(raw.claim("crowd-" + i, 20_000, false), SECOND))
                .toList();
    }

    /** Counts the connections that carriers open. */
    private static final class Counting extends Wires {
        private final AtomicInteger opened = new AtomicInteger();

        @Override
        void opening() {
            opened.addAndGet(isCarrier() ? 1 : 0);
        }
    }

    /** Rule: a server that was silent for a whole request timeout has failed for all calls in its line. */
    @Test
    void crowd_serverDiesSilently_whoWaitsInTheLineDoesNotFindOutAgain() {
        Counting driver = new Counting();
        RawLocks raw = bench.raw(
                bench.builder(proxy.uri()).driver(driver).connections(4).requestTimeout(SECOND));
        begin(raw, 4).forEach(each -> assertThat(each.get()).isNotNull()); // each has its connection then
        proxy.halfOpen();
        List<Supplier<AttemptResult>> all = begin(raw, 600);
        for (Supplier<AttemptResult> each : all) {
            assertThatThrownBy(each::get).isInstanceOf(LockStoreException.class);
        }
        assertThat(driver.opened).as("connections that were tried for the rest").hasValue(0);
    }

    /** Rule: the same, if it dies while a batch is under way. */
    @Test
    void crowd_serverDiesSilentlyUnderACarrier_theRestDoesNotFindOutAgain() {
        Counting driver = new Counting();
        RawLocks raw = bench.raw(
                bench.builder(proxy.uri()).driver(driver).connections(1).requestTimeout(SECOND));
        raw.grant(raw.claim("first", 20_000, false));
        PipelinedBackend backend = (PipelinedBackend) raw.backend();
        Supplier<AttemptResult> second = backend.beginAttempt(raw.claim("second", 20_000, false), SECOND);
        List<Supplier<AttemptResult>> all = begin(raw, 150);
        proxy.holdRequests(request -> request.toString().contains("crowd-"));
        assertThat(second.get()).isInstanceOf(AttemptResult.Granted.class);
        for (Supplier<AttemptResult> each : all) {
            assertThatThrownBy(each::get).isInstanceOf(LockStoreException.class);
        }
        assertThat(driver.opened).as("connections that were tried for the rest").hasValue(0);
    }
}
