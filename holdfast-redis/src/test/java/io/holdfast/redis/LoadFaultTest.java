package io.holdfast.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.Lease;
import io.holdfast.LockClient;
import io.holdfast.LockOptions;
import io.holdfast.LockStoreException;
import io.holdfast.redis.servers.Connections;
import io.holdfast.spi.AttemptResult;
import io.holdfast.spi.PipelinedBackend;
import io.holdfast.testing.redis.FaultProxy;
import io.holdfast.testing.redis.RedisServer;
import io.holdfast.testing.redis.RedisVersion;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** More callers than connections: all are served in turn, and no lease is lost. */
@Tag("integration")
@Timeout(120)
class LoadFaultTest {
    @AutoClose
    private static RedisServer server;

    @RegisterExtension
    final Bench bench = new Bench();

    private final List<Thread> threads = new ArrayList<>();
    private final AtomicBoolean over = new AtomicBoolean();
    private final AtomicLong cycles = new AtomicLong();
    private final Queue<Throwable> failures = new ConcurrentLinkedQueue<>();

    @BeforeAll
    static void start() {
        server = RedisServer.start(RedisVersion.V7_0);
    }

    @AfterEach
    void join() throws InterruptedException {
        server.resume();
        over.set(true);
        for (Thread thread : threads) {
            thread.join();
        }
    }

    /** Starts threads that lock and unlock, each a lock of its own, until the test ends. */
    private void crowd(LockClient client, int size) {
        for (int i = 0; i < size; i++) {
            String name = "crowd-" + i;
            Thread thread = new Thread(null, () -> cycle(client, name), name, 256 << 10);
            thread.setDaemon(true);
            threads.add(thread);
            thread.start();
        }
    }

    private void cycle(LockClient client, String name) {
        while (!over.get()) {
            try (Lease lease = client.lock(name).acquire()) {
                cycles.incrementAndGet();
            } catch (Throwable failure) {
                failures.add(failure);
                return;
            }
        }
    }

    private void awaitCycles(long more) {
        long before = cycles.get();
        Bench.soon(more + " more cycles")
                .atMost(Duration.ofSeconds(60))
                .until(() -> cycles.get() >= before + more || !failures.isEmpty());
        assertThat(failures).isEmpty();
    }

    /**
     * The leases are so short that each ends within six seconds after the stall unless it is renewed after it, and so
     * long that there are three seconds to do it.
     */
    @Test
    void crowd_serverStallsForAWhile_nothingHeldIsLostAndEverybodyGoesOn() {
        LockClient client = bench.client(server.uri());
        List<Lease> held = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            held.add(client.lock("held-" + i, Bench.lease(9_000)).acquire());
        }
        crowd(client, 500);
        awaitCycles(1_000);
        server.pause();
        Bench.passes(System.nanoTime() + Duration.ofSeconds(3).toNanos());
        server.resume();
        Bench.always(
                "held, longer than a lease that is not renewed",
                Duration.ofSeconds(7),
                () -> held.stream().allMatch(Lease::isValid));
        awaitCycles(1_000);
    }

    /** One by one, each would wait for two hundred round trips, which is longer than any request may take. */
    @Test
    void acquire_moreCallersThanConnections_areCarriedTogether() throws Exception {
        FaultProxy proxy = bench.open(FaultProxy.to(server));
        LockClient client =
                bench.client(bench.builder(proxy.uri()).connections(1).requestTimeout(Duration.ofSeconds(3)));
        client.lock("first").acquire().close();
        proxy.delayReplies(Duration.ofMillis(50));
        long before = proxy.accepted();
        int size = 200;
        CyclicBarrier together = new CyclicBarrier(size);
        List<CompletableFuture<?>> all = new ArrayList<>();
        for (int i = 0; i < size; i++) {
            String name = "crowd-" + i;
            CompletableFuture<Void> served = new CompletableFuture<>();
            Thread thread = new Thread(() -> {
                try {
                    together.await();
                    client.lock(name)
                            .tryAcquire(Duration.ofSeconds(4))
                            .orElseThrow()
                            .close();
                    served.complete(null);
                } catch (Throwable failure) {
                    served.completeExceptionally(failure);
                }
            });
            thread.start();
            all.add(served);
        }
        all.forEach(each -> Bench.get(each, Duration.ofSeconds(30)));
        assertThat(proxy.accepted() - before)
                .as("connections made for a crowd that may use one")
                .isLessThanOrEqualTo(1);
    }

    @Test
    void renewal_callersHaveAllConnections_hasOneOfItsOwn() {
        FaultProxy proxy = bench.open(FaultProxy.to(server));
        LockClient client =
                bench.client(bench.builder(proxy.uri()).connections(1).requestTimeout(Duration.ofSeconds(20)));
        Executor anew = task -> new Thread(task).start();
        Lease held = client.lock("held", Bench.lease(4_500)).acquire();
        proxy.holdRequests(bench.attempts("stuck"));
        CompletableFuture<Lease> stuck =
                CompletableFuture.supplyAsync(() -> client.lock("stuck").acquire(), anew);
        Bench.soon("a caller without an answer").until(() -> proxy.held() == 1);
        CompletableFuture<Lease> behind = CompletableFuture.supplyAsync(
                () -> client.lock("behind", LockOptions.defaults().fixedLease(Duration.ofSeconds(10)))
                        .acquire(),
                anew);
        Bench.always("held", Duration.ofSeconds(5), held::isValid);
        assertThat(behind).isNotDone();
        proxy.releaseHeld();
        Bench.get(stuck).close();
        assertThat(Bench.get(behind).remaining())
                .as("of 10 s, after 5 s in the line")
                .isGreaterThan(Duration.ofSeconds(5));
        Bench.get(behind).close();
    }

    /** The time before sending is not the server's silence: each of two calls in a row has the time of a request. */
    @Test
    void tryAcquire_behindAnother_hasTheTimeOfARequestWhenItsTurnComes() {
        FaultProxy proxy = bench.open(FaultProxy.to(server));
        LockClient client = bench.client(bench.builder(proxy.uri())
                .connections(1)
                .requestTimeout(Duration.ofSeconds(5))
                .connectTimeout(Duration.ofSeconds(20))); // so that a connection in the background is slow, no failure
        client.lock("first").acquire().close();
        Executor anew = task -> new Thread(task).start();
        long before = proxy.requests();
        proxy.delayReplies(Duration.ofSeconds(3));
        CompletableFuture<Optional<Lease>> one =
                CompletableFuture.supplyAsync(() -> client.lock("one").tryAcquire(), anew);
        Bench.soon("a request on its way").until(() -> proxy.requests() > before);
        CompletableFuture<Optional<Lease>> two =
                CompletableFuture.supplyAsync(() -> client.lock("two").tryAcquire(), anew);
        assertThat(Bench.get(one)).isPresent();
        assertThat(Bench.get(two)).isPresent();
        proxy.delayReplies(Duration.ZERO);
    }

    /** Otherwise a short lease would be over, or need another request, by the time its turn comes. */
    @Test
    void attempt_waitedForItsTurn_leaseBeginsWhenItWasSent() {
        FaultProxy proxy = bench.open(FaultProxy.to(server));
        RawLocks raw = bench.raw(bench.builder(proxy.uri()).connections(1).requestTimeout(Duration.ofSeconds(20)));
        Executor anew = task -> new Thread(task).start();
        proxy.holdRequests(bench.attempts("stuck"));
        CompletableFuture<AttemptResult> stuck =
                CompletableFuture.supplyAsync(() -> raw.attempt(raw.claim("stuck", 30_000, false)), anew);
        Bench.soon("a caller without an answer").until(() -> proxy.held() == 1);
        long before = System.nanoTime();
        CompletableFuture<AttemptResult> behind =
                CompletableFuture.supplyAsync(() -> raw.attempt(raw.claim("behind", 10_000, false)), anew);
        Bench.passes(before + Duration.ofSeconds(4).toNanos());
        proxy.releaseHeld();
        assertThat(Bench.get(stuck)).isInstanceOf(AttemptResult.Granted.class);
        assertThat(Bench.get(behind))
                .isInstanceOfSatisfying(
                        AttemptResult.Granted.class,
                        granted -> assertThat(granted.left())
                                .as("counted from the call, which waited for four seconds")
                                .isGreaterThan(Duration.ofMillis(10_500)));
    }

    /** One for the subscription and one for requests: connections opened for a crowd are closed afterwards. */
    @Test
    void idleClient_hasTwoConnections() {
        LockClient client = bench.client(bench.builder(server.uri()).clientName(bench.prefix()));
        Bench.soon("a subscription").until(() -> connections() == 2);
        for (int i = 0; i < 5; i++) {
            client.lock("a").acquire().close();
        }
        assertThat(connections()).isEqualTo(2);
        crowd(client, 50);
        awaitCycles(500);
        over.set(true);
        Bench.soon("no more than an idle client needs")
                .atMost(Connections.KEPT.plus(Bench.PATIENCE))
                .until(() -> connections() == 2);
    }

    @Test
    void tryAcquire_timeIsUpBeforeThereIsAConnection_isNoTroubleOfTheStore() throws Exception {
        FaultProxy proxy = bench.open(FaultProxy.to(server));
        LockClient locks =
                bench.client(bench.builder(proxy.uri()).connections(1).requestTimeout(Duration.ofSeconds(10)));
        locks.lock("first").acquire().close();
        proxy.holdRequests(bench.attempts("slow"));
        CompletableFuture<Lease> slow = locks.lock("slow").acquireAsync();
        Bench.soon("the only connection to be in use").until(() -> proxy.held() == 1);

        assertThat(locks.lock("other").tryAcquire(Duration.ofMillis(200))).isEmpty();

        proxy.releaseHeld();
        Bench.get(slow).close();
    }

    /** A member of a quorum may have the claim already: only its own answer tells that it has not. */
    @Test
    void beginAttempt_timeIsUpBeforeThereIsAConnection_nobodyKnows() throws Exception {
        FaultProxy proxy = bench.open(FaultProxy.to(server));
        RawLocks locks = bench.raw(bench.builder(proxy.uri())
                .connections(1)
                .replicas(1, Duration.ofMillis(100)) // so that it is not sent at once
                .requestTimeout(Duration.ofSeconds(10)));
        proxy.holdRequests(bench.attempts("slow-member"));
        CompletableFuture<AttemptResult> slow =
                CompletableFuture.supplyAsync(() -> locks.attempt(locks.claim("slow-member", 20_000, false)));
        Bench.soon("the only connection to be in use").until(() -> proxy.held() == 1);

        Supplier<AttemptResult> answer = ((PipelinedBackend) locks.backend())
                .beginAttempt(locks.claim("other", 20_000, true), Duration.ofMillis(200));

        assertThatThrownBy(answer::get).isInstanceOf(LockStoreException.class);
        proxy.releaseHeld();
        assertThat(slow).failsWithin(Duration.ofSeconds(20));
    }

    private long connections() {
        return String.valueOf(server.command("CLIENT", "LIST"))
                .lines()
                .filter(line -> line.contains(" name=" + bench.prefix() + " "))
                .count();
    }
}
