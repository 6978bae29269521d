package io.holdfast.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.holdfast.Lease;
import io.holdfast.LockClient;
import io.holdfast.LockOptions;
import io.holdfast.spi.AttemptResult;
import io.holdfast.spi.TimeSource;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The engine on real clocks and threads. */
class SystemRuntimeTest {
    private final ScriptedBackend backend = new ScriptedBackend(TimeSource.system());

    private static List<Thread> threadsOf(String prefix) {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().startsWith(prefix))
                .toList();
    }

    private static void awaitNoThreads(String prefix) {
        await().atMost(Duration.ofSeconds(20)).until(() -> threadsOf(prefix).isEmpty());
    }

    @Test
    void start_ownThreads_daemonsWithTheNameOfTheClientAndGoneAfterClose() throws Exception {
        LockClient client = LockEngine.start(backend);
        String prefix = "holdfast-" + client.id();
        CompletableFuture<Void> asked = new CompletableFuture<>();
        backend.nextAttempt(claim -> {
            assertThat(Thread.currentThread().getName()).startsWith(prefix + "-worker");
            asked.join();
            return backend.grant(claim);
        });
        CompletableFuture<String> used = client.lock("a").acquireAsync().thenApply(lease -> {
            lease.close();
            return Thread.currentThread().getName();
        });
        asked.complete(null);

        assertThat(used.get(20, TimeUnit.SECONDS)).startsWith(prefix + "-callback");
        assertThat(threadsOf(prefix)).isNotEmpty().allMatch(Thread::isDaemon);
        client.close();

        awaitNoThreads(prefix);
        assertThat(backend.closings()).isOne();
    }

    @Test
    void start_twoClients_differentIds() {
        try (LockClient one = LockEngine.start(backend);
                LockClient two = LockEngine.start(new ScriptedBackend(TimeSource.system()))) {
            assertThat(one.id()).isNotEqualTo(two.id()).matches("[0-9a-z]{16}");
        }
    }

    @Test
    void schedule_cancelled_neverRuns() throws Exception {
        EngineRuntime runtime = EngineRuntime.system("test-schedule");
        AtomicInteger ran = new AtomicInteger();
        CountDownLatch cancelled = new CountDownLatch(1);
        CountDownLatch later = new CountDownLatch(1);

        runtime.schedule(() -> awaited(cancelled), 0);
        Runnable cancel = runtime.schedule(ran::incrementAndGet, 1);
        runtime.schedule(later::countDown, 2);
        cancel.run();
        cancelled.countDown();

        assertThat(later.await(20, TimeUnit.SECONDS)).isTrue();
        assertThat(ran).hasValue(0);
        runtime.close();
        awaitNoThreads("test-schedule");
    }

    @Test
    void closed_laterTasks_droppedQuietly() {
        EngineRuntime runtime = EngineRuntime.system("test-closed");
        runtime.close();
        runtime.close();
        AtomicInteger ran = new AtomicInteger();

        runtime.worker().execute(ran::incrementAndGet);
        runtime.renewals().execute(ran::incrementAndGet);
        runtime.callbacks().execute(ran::incrementAndGet);
        runtime.schedule(ran::incrementAndGet, 0).run();

        assertThat(ran).hasValue(0);
    }

    @Test
    void random_bound_neverReached() {
        EngineRuntime runtime = EngineRuntime.system("test-random");
        for (int i = 0; i < 1_000; i++) {
            assertThat(runtime.random(3)).isBetween(0L, 2L);
        }
        runtime.close();
    }

    @Test
    void close_interruptedCaller_closesAndKeepsTheFlag() {
        EngineRuntime runtime = EngineRuntime.system("test-interrupt");
        CountDownLatch running = new CountDownLatch(1);
        runtime.callbacks().execute(() -> {
            running.countDown();
            try {
                new CountDownLatch(1).await();
            } catch (InterruptedException ended) {
                Thread.currentThread().interrupt();
            }
        });
        await().until(() -> running.getCount() == 0);

        Thread.currentThread().interrupt();
        runtime.close();

        assertThat(Thread.interrupted()).isTrue();
        awaitNoThreads("test-interrupt");
    }

    // ---- the whole client on it

    @Test
    void renewal_realTime_leaseOutlivesItsLength() {
        LockOptions brief = LockOptions.defaults().lease(Duration.ofMillis(2_100));
        try (LockClient client = LockEngine.start(backend, brief)) {
            Lease lease = client.lock("a").acquire();

            await().atMost(Duration.ofSeconds(20))
                    .until(() -> backend.renewals().size() >= 4);

            assertThat(lease.isValid()).isTrue();
        }
        assertThat(backend.releases()).hasSize(1);
    }

    @Test
    void onLost_realTime_toldOnAThreadOfTheClient() throws Exception {
        LockOptions fixed = LockOptions.defaults().fixedLease(Duration.ofMillis(100));
        try (LockClient client = LockEngine.start(backend, fixed)) {
            CompletableFuture<String> told = new CompletableFuture<>();
            client.lock("a")
                    .acquire()
                    .onLost(reason -> told.complete(
                            reason + " on " + Thread.currentThread().getName()));

            assertThat(told.get(20, TimeUnit.SECONDS)).startsWith("EXPIRED on holdfast-" + client.id() + "-callback");
        }
    }

    @Test
    void tryAcquire_realTime_waitsAtLeastThatLong() throws Exception {
        backend.attempts(ScriptedBackend.queued(1, Duration.ofSeconds(10)));
        try (LockClient client = LockEngine.start(backend)) {
            long startNanos = TimeSource.system().nanoTime();

            assertThat(client.lock("a").tryAcquire(Duration.ofMillis(150))).isEmpty();

            assertThat(TimeSource.system().nanoTime() - startNanos)
                    .isGreaterThanOrEqualTo(Duration.ofMillis(150).toNanos());
        }
        assertThat(backend.known()).isEmpty();
    }

    /**
     * The release that leaves the line takes its time; the future must be told, and the store must still be open then.
     */
    @Test
    void close_waitingFutureAndSlowStore_futureFailsAndTheStoreIsClosedLast() throws Exception {
        AtomicReference<Boolean> closedTooEarly = new AtomicReference<>(false);
        CountDownLatch releasing = new CountDownLatch(1);
        CountDownLatch go = new CountDownLatch(1);
        backend.attempts(ScriptedBackend.queued(1, Duration.ofSeconds(10)));
        backend.releases(claim -> {
            releasing.countDown();
            try {
                go.await(500, TimeUnit.MILLISECONDS);
            } catch (InterruptedException ended) {
                Thread.currentThread().interrupt();
            }
            closedTooEarly.set(backend.closings() > 0);
            return true;
        });
        LockClient client = LockEngine.start(backend);
        CompletableFuture<Lease> future = client.lock("a").acquireAsync();
        await().until(() -> backend.attempts().size() == 1);

        client.close();

        assertThatThrownBy(() -> future.get(5, TimeUnit.SECONDS)).hasCauseInstanceOf(IllegalStateException.class);
        assertThat(releasing.getCount()).isZero();
        assertThat(closedTooEarly.get())
                .as("the store was closed during a release")
                .isFalse();
    }

    @Test
    void close_manyFuturesAtEveryStage_allOfThemEnd() throws Exception {
        backend.attempts(claim -> claim.id().sequence() % 2 == 0
                ? backend.grant(claim)
                : new AttemptResult.Queued(1, Duration.ofSeconds(10), true));
        for (int round = 0; round < 20; round++) {
            LockEngine client = (LockEngine) LockEngine.start(backend);
            List<CompletableFuture<Lease>> futures = IntStream.range(0, 50)
                    .mapToObj(i -> client.lock("a" + i % 25).acquireAsync())
                    .toList();

            client.close();

            assertThat(futures).allMatch(CompletableFuture::isDone);
            assertThat(client.leftovers()).isZero();
        }
        assertThat(backend.known()).isEmpty();
    }

    @Test
    void close_fromACallbackOfItsOwn_returns() throws Exception {
        LockClient client = LockEngine.start(backend);
        CompletableFuture<Void> closed = client.lock("a").acquireAsync().thenAccept(lease -> client.close());

        closed.get(20, TimeUnit.SECONDS);

        awaitNoThreads("holdfast-" + client.id());
        assertThat(backend.known()).isEmpty();
    }

    private static void awaited(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException closing) {
            Thread.currentThread().interrupt();
        }
    }
}
