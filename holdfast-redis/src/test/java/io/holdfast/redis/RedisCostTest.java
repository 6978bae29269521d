package io.holdfast.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.DistributedLock;
import io.holdfast.Fairness;
import io.holdfast.Lease;
import io.holdfast.LockClient;
import io.holdfast.LockOptions;
import io.holdfast.testing.redis.CommandStat;
import io.holdfast.testing.redis.RedisConsole;
import io.holdfast.testing.redis.RedisServer;
import io.holdfast.testing.redis.RedisVersion;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What locking costs, counted by the server. */
class RedisCostTest {
    private static final LockOptions FIFO = LockOptions.defaults().fairness(Fairness.FIFO);

    private RedisServer server;

    @BeforeEach
    void start() {
        server = RedisServer.start(RedisVersion.V7_0);
    }

    @AfterEach
    void stop() {
        server.close();
    }

    @Test
    void cycle_uncontended_isTwoCommands() {
        try (LockClient locks = RedisLocks.connect(server.uri())) {
            DistributedLock lock = locks.lock("order:42");
            lock.acquire().close();
            server.resetStats();

            for (int i = 0; i < 100; i++) {
                lock.acquire().close();
            }

            assertThat(calls("evalsha")).isEqualTo(200);
            assertThat(calls("publish")).isZero();
            assertThat(sent()).containsOnly("evalsha");
        }
    }

    @Test
    void heldLock_reentryAndQuestions_costNothing() {
        try (LockClient locks = RedisLocks.connect(server.uri())) {
            DistributedLock lock = locks.lock("order:42");
            lock.lock();
            try (Lease lease = locks.lock("other").acquire()) {
                server.resetStats();

                lock.lock();
                assertThat(lock.isHeldByCurrentThread()).isTrue();
                assertThat(lease.remaining()).isPositive();
                assertThat(lease.token()).isPositive();
                assertThat(lease.isValid()).isTrue();
                lock.unlock();

                assertThat(sent()).isEmpty();
            } finally {
                lock.unlock();
            }
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 16, 256})
    void handOver_fifo_isTwoCommandsHoweverManyWait(int waiters) throws Exception {
        int cycles = 4_000;
        int clients = 4;
        List<LockClient> locks = new ArrayList<>();
        ExecutorService threads = Executors.newCachedThreadPool();
        try {
            for (int i = 0; i < clients; i++) {
                locks.add(RedisLocks.builder(server.uri()).connections(8).connect());
            }
            AtomicBoolean measuring = new AtomicBoolean();
            AtomicLong done = new AtomicLong();
            AtomicBoolean stop = new AtomicBoolean();
            AtomicLong inside = new AtomicLong();
            List<Future<?>> workers = new ArrayList<>();
            for (int i = 0; i < waiters; i++) {
                DistributedLock lock = locks.get(i % clients).lock("shared", FIFO);
                workers.add(threads.submit(() -> {
                    while (!stop.get()) {
                        try (Lease lease = lock.acquire()) {
                            assertThat(inside.incrementAndGet()).isOne();
                            inside.decrementAndGet();
                            done.incrementAndGet();
                        }
                    }
                }));
            }
            await().atMost(Duration.ofSeconds(30)).until(() -> done.get() > Math.max(500, 3L * waiters));
            measuring.set(true);
            server.resetStats();
            long before = done.get();
            await().pollInterval(Duration.ofMillis(10))
                    .atMost(Duration.ofSeconds(60))
                    .until(() -> done.get() - before >= cycles);
            long commands = calls("evalsha");
            long counted = done.get() - before;
            stop.set(true);
            for (Future<?> worker : workers) {
                worker.get(60, TimeUnit.SECONDS);
            }
            double perCycle = (double) commands / counted;
            System.out.printf("hand-over with %d waiting: %.3f commands per cycle%n", waiters, perCycle);
            assertThat(perCycle)
                    .as("commands per cycle with %d waiting", waiters)
                    .isLessThanOrEqualTo(2.1);
        } finally {
            threads.shutdownNow();
            locks.forEach(LockClient::close);
        }
    }

    @Test
    void tenThousandLeases_areRenewedInOneCheapRound() {
        int leases = 10_000;
        LockOptions options = LockOptions.defaults().lease(Duration.ofSeconds(9));
        try (LockClient locks =
                RedisLocks.builder(server.uri()).defaults(options).connect()) {
            AtomicLong lost = new AtomicLong();
            List<Lease> held = new ArrayList<>();
            for (int i = 0; i < leases; i++) {
                Lease lease = locks.lock("job:" + i).acquire();
                lease.onLost(reason -> lost.incrementAndGet());
                held.add(lease);
            }
            // The first rounds bring together what was acquired one after another.
            long roundOfAll = leases / 100;
            await().atMost(Duration.ofSeconds(20)).until(() -> renewalsOf(server) >= roundOfAll);
            List<Double> rounds = new ArrayList<>();
            for (int round = 0; round < 4; round++) {
                awaitQuiet();
                server.resetStats();
                await().atMost(Duration.ofSeconds(20)).until(() -> renewalsOf(server) > 0);
                awaitQuiet();
                CommandStat stat = server.commandStats().get("evalsha");
                System.out.printf(
                        "a round of %d renewals: %d calls, %.1f ms of the server%n",
                        leases, stat.calls(), stat.usec() / 1e3);
                assertThat(stat.calls()).isLessThanOrEqualTo(roundOfAll + 10);
                rounds.add(stat.usec() / 1e3);
                if (stat.usec() < 50_000) {
                    break;
                }
            }
            assertThat(rounds).as("milliseconds of Redis per round").anyMatch(millis -> millis < 50);
            assertThat(lost).hasValue(0);
            held.forEach(Lease::close);
        }
    }

    private static long renewalsOf(RedisServer server) {
        CommandStat stat = server.commandStats().get("evalsha");
        return stat == null ? 0 : stat.calls();
    }

    private void awaitQuiet() {
        AtomicLong last = new AtomicLong(-1);
        await().pollInterval(Duration.ofMillis(300))
                .atMost(Duration.ofSeconds(20))
                .until(() -> last.getAndSet(renewalsOf(server)) == last.get());
    }

    @Test
    void keys_inEveryState_haveAnEnd() throws Exception {
        try (LockClient one = RedisLocks.connect(server.uri());
                LockClient other = RedisLocks.connect(server.uri())) {
            ExecutorService threads = Executors.newCachedThreadPool();
            AtomicBoolean stop = new AtomicBoolean();
            CountDownLatch ready = new CountDownLatch(1);
            List<Future<?>> workers = new ArrayList<>();
            for (LockClient client : List.of(one, other)) {
                workers.add(threads.submit(
                        () -> cycle(stop, () -> client.lock("a", FIFO).acquire().close())));
                workers.add(threads.submit(() ->
                        cycle(stop, () -> client.semaphore("b", 1).acquire().close())));
                workers.add(threads.submit(() -> cycle(
                        stop,
                        () -> client.readWriteLock("c").writeLock().acquire().close())));
                workers.add(threads.submit(() -> cycle(
                        stop,
                        () -> client.readWriteLock("c").readLock().acquire().close())));
                workers.add(threads.submit(() -> {
                    client.latch("d", 2).await();
                    return null;
                }));
            }
            ready.countDown();
            for (int i = 0; i < 300; i++) {
                assertThat(withoutEnd()).isEmpty();
            }
            one.latch("d", 2).countDown();
            other.latch("d", 2).countDown();
            stop.set(true);
            for (Future<?> worker : workers) {
                worker.get(30, TimeUnit.SECONDS);
            }
            threads.shutdown();
            assertThat(withoutEnd()).isEmpty();
        }
    }

    private static void cycle(AtomicBoolean stop, Runnable work) {
        while (!stop.get()) {
            work.run();
        }
    }

    private Set<String> withoutEnd() {
        Set<String> endless = new TreeSet<>();
        try (RedisConsole console = server.console()) {
            for (Object key : (List<?>) console.command("KEYS", "*")) {
                if (Long.valueOf(-1).equals(console.command("PTTL", key.toString()))) {
                    endless.add(key.toString());
                }
            }
        }
        return endless;
    }

    private long calls(String command) {
        CommandStat stat = server.commandStats().get(command);
        return stat == null ? 0 : stat.calls();
    }

    /** What was sent to the server, without what scripts did inside and what this test asks. */
    private Set<String> sent() {
        Set<String> sent = new TreeSet<>(server.commandStats().keySet());
        sent.removeAll(Set.of("info", "config|resetstat", "time", "hget", "hset", "pexpire"));
        return sent;
    }
}
