package io.holdfast.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.holdfast.Lease;
import io.holdfast.LockKind;
import io.holdfast.LockLostException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.context.annotation.Bean;
import org.springframework.scheduling.annotation.Async;
import org.springframework.scheduling.annotation.EnableAsync;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Hooks;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

/** {@link Locked} on what returns futures and publishers: what they do is locked, not only their making. */
class WithoutThreadsTest {
    private static final int CALLS = 1_000;

    /** That a client has at most, however many wait: 16 workers and a few more. */
    private static final int CLIENT_THREADS = 24;

    static class Shop {
        private final AtomicInteger inside = new AtomicInteger();
        private final AtomicInteger most = new AtomicInteger();
        private final AtomicInteger runs = new AtomicInteger();

        AtomicInteger most() {
            return most;
        }

        AtomicInteger runs() {
            return runs;
        }

        private void enter() {
            runs.incrementAndGet();
            most.accumulateAndGet(inside.incrementAndGet(), Math::max);
        }

        @Locked(value = "a", waitFor = "60s")
        public CompletableFuture<Integer> future() {
            enter();
            return CompletableFuture.supplyAsync(inside::decrementAndGet);
        }

        @Locked(value = "a", waitFor = "60s")
        public Future<Integer> plainFuture() {
            enter();
            return CompletableFuture.supplyAsync(inside::decrementAndGet);
        }

        @Locked(value = "a", waitFor = "60s")
        public Mono<Integer> mono() {
            return Mono.fromRunnable(this::enter)
                    .then(Mono.fromSupplier(inside::decrementAndGet).subscribeOn(Schedulers.parallel()));
        }

        @Locked(value = "a", waitFor = "60s")
        public Flux<Integer> flux() {
            return Mono.fromRunnable(this::enter)
                    .thenMany(Flux.range(1, 3).publishOn(Schedulers.parallel()))
                    .doOnComplete(inside::decrementAndGet);
        }

        @Locked(value = "a", waitFor = "60s")
        public <T> Mono<T> run(Supplier<Mono<T>> work) {
            return Mono.defer(work);
        }

        @Locked(value = "a", waitFor = "60s")
        public <T> CompletableFuture<T> runFuture(Supplier<CompletableFuture<T>> work) {
            return work.get();
        }

        @Locked(value = "a", waitFor = "0", onBusy = Locked.OnBusy.SKIP)
        public Mono<String> skipped() {
            return Mono.just("done");
        }

        @Locked(value = "a", waitFor = "0")
        public Flux<String> busy() {
            return Flux.just("done");
        }

        @Locked(value = "a", onLost = Locked.OnLost.INTERRUPT)
        public Mono<String> never() {
            return Mono.never();
        }

        @Async
        @Locked("a")
        public CompletableFuture<String> async() {
            CurrentLocks.assertHeld();
            return CompletableFuture.completedFuture(Thread.currentThread().getName());
        }
    }

    @EnableAsync(proxyTargetClass = true)
    static class WithAsync {
        @Bean
        java.util.concurrent.Executor taskExecutor() {
            return new org.springframework.core.task.SimpleAsyncTaskExecutor("async-");
        }
    }

    private TestLocks locks;
    private Shop shop;

    @BeforeEach
    void start() {
        locks = new TestLocks(WithAsync.class, Shop.class);
        shop = locks.bean(Shop.class);
    }

    @AfterEach
    void stop() {
        await().untilAsserted(() -> assertThat(locks.isUsed(LockKind.LOCK, "a")).isFalse());
        locks.close();
    }

    private void everybodyWasAlone() {
        assertThat(shop.runs()).hasValue(CALLS);
        assertThat(shop.most()).hasValue(1);
    }

    @Test
    void futures_oneAtATime() throws Exception {
        List<Future<Integer>> all = new ArrayList<>();
        for (int i = 0; i < CALLS; i++) {
            all.add(i % 2 == 0 ? shop.future() : shop.plainFuture());
        }
        for (Future<Integer> each : all) {
            assertThat(each.get(60, TimeUnit.SECONDS)).isZero();
        }
        everybodyWasAlone();
    }

    @Test
    void monos_oneAtATime_eachSubscriptionHasItsLock() {
        Mono<Integer> mono = shop.mono();

        List<Integer> results =
                Flux.range(0, CALLS).flatMap(i -> mono, CALLS).collectList().block(Duration.ofSeconds(60));

        assertThat(results).hasSize(CALLS).containsOnly(0);
        everybodyWasAlone();
    }

    @Test
    void fluxes_oneAtATime() {
        Long values =
                Flux.range(0, CALLS).flatMap(i -> shop.flux(), CALLS).count().block(Duration.ofSeconds(60));

        assertThat(values).isEqualTo(3L * CALLS);
        everybodyWasAlone();
    }

    @Test
    void waitingMonos_blockNoThread() {
        Scheduler one = Schedulers.newSingle("one");
        List<Throwable> dropped = new CopyOnWriteArrayList<>();
        Hooks.onErrorDropped(dropped::add);
        try (Lease other = locks.elsewhere().lock("a").acquire()) {
            List<Disposable> waiting = new ArrayList<>();
            Set<Thread> before = threadsWhileWaiting(0, one, waiting);
            Set<Thread> after = new HashSet<>(threadsWhileWaiting(200, one, waiting));
            after.removeAll(before);
            assertThat(after)
                    .as("those of the client alone")
                    .allMatch(thread -> thread.getName().startsWith("holdfast-"))
                    .hasSizeLessThanOrEqualTo(CLIENT_THREADS);
            waiting.forEach(Disposable::dispose);
            await().untilAsserted(() -> assertThat(locks.elsewhere()
                            .inspector()
                            .find(LockKind.LOCK, "a")
                            .orElseThrow()
                            .waiters())
                    .isEmpty());
        } finally {
            Hooks.resetOnErrorDropped();
            one.dispose();
        }
        assertThat(shop.runs()).hasValue(0);
        assertThat(dropped).as("what Reactor would write into the log").isEmpty();
    }

    /** Lets more wait; the one thread is free again although nobody has the lock yet. */
    private Set<Thread> threadsWhileWaiting(int more, Scheduler one, List<Disposable> waiting) {
        for (int i = 0; i < more; i++) {
            waiting.add(shop.mono().subscribeOn(one).subscribe());
        }
        assertThat(Mono.fromCallable(() -> 1).subscribeOn(one).block(Duration.ofSeconds(30)))
                .isEqualTo(1);
        return Thread.getAllStackTraces().keySet();
    }

    @Test
    void cancelledFuture_leavesTheLine() {
        try (Lease other = locks.elsewhere().lock("a").acquire()) {
            CompletableFuture<Integer> waiting = shop.future();
            await().until(() -> !locks.elsewhere()
                    .inspector()
                    .find(LockKind.LOCK, "a")
                    .orElseThrow()
                    .waiters()
                    .isEmpty());
            waiting.cancel(true);
        }
        await().until(() -> locks.isFree("a"));
        assertThat(shop.runs()).hasValue(0);
    }

    @Test
    void cancelledInside_cancelGoesUp_andGivesBack() {
        CompletableFuture<String> inner = new CompletableFuture<>();
        CompletableFuture<String> outer = shop.runFuture(() -> inner);
        await().until(() -> !locks.isFree("a"));
        outer.cancel(true);
        await().until(inner::isCancelled);
        await().until(() -> locks.isFree("a"));

        Disposable mono = shop.run(Mono::never).subscribe();
        await().until(() -> !locks.isFree("a"));
        mono.dispose();
        await().until(() -> locks.isFree("a"));
    }

    @Test
    void failed_givesBack() {
        assertThatThrownBy(() -> shop.run(() -> Mono.error(new IllegalStateException("no")))
                        .block())
                .hasMessage("no");
        assertThat(locks.isFree("a")).isTrue();
        assertThatThrownBy(() -> shop.runFuture(() -> CompletableFuture.failedFuture(new IllegalStateException("no")))
                        .join())
                .isInstanceOf(CompletionException.class)
                .hasRootCauseMessage("no");
        await().until(() -> locks.isFree("a"));
    }

    @Test
    void busy_isSkippedOrAnError() {
        try (Lease other = locks.elsewhere().lock("a").acquire()) {
            assertThat(shop.skipped().blockOptional()).isEmpty();
            assertThatThrownBy(() -> shop.busy().blockLast()).isInstanceOf(LockBusyException.class);
        }
        assertThat(shop.skipped().block()).isEqualTo("done");
    }

    @Test
    void context_isKept_andReenters() {
        String value = shop.run(() -> shop.run(() -> Mono.deferContextual(view -> CurrentLocks.mono()
                        .map(held -> view.get("key") + " " + held.leases().size() + " " + (held.token() > 0)))))
                .contextWrite(context -> context.put("key", "value"))
                .block(Duration.ofSeconds(30));

        assertThat(value).isEqualTo("value 1 true");
        assertThat(locks.isFree("a")).isTrue();
    }

    @Test
    void future_outlivesTheCallAround_andKeepsItsLock() {
        CompletableFuture<String> inner = new CompletableFuture<>();
        CompletableFuture<String> begun = locks.bean(LockOperations.class).call("a", () -> shop.runFuture(() -> inner));
        assertThat(locks.isFree("a")).isFalse();
        inner.complete("done");
        assertThat(begun.join()).isEqualTo("done");
        await().until(() -> locks.isFree("a"));
    }

    @Test
    void lost_isAnError() {
        assertThatThrownBy(() -> shop.run(() -> CurrentLocks.mono().map(held -> {
                            locks.lose("a");
                            await().until(() -> !held.lease("a").isValid());
                            return "dropped";
                        }))
                        .block())
                .isInstanceOf(LockLostException.class);
        CompletableFuture<String> never = shop.never().toFuture();
        await().until(() -> !locks.isFree("a"));
        locks.lose("a");
        assertThatThrownBy(() -> never.get(30, TimeUnit.SECONDS)).hasRootCauseInstanceOf(LockLostException.class);
    }

    @Test
    void async_isLockedOnItsThread() {
        assertThat(shop.async().join()).startsWith("async-");
        await().until(() -> locks.isFree("a"));
    }
}
