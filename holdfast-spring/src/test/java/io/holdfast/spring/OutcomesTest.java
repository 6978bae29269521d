package io.holdfast.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.holdfast.Lease;
import io.holdfast.LostReason;
import io.holdfast.testing.Call;
import io.holdfast.testing.Fault;
import io.holdfast.testing.FaultScript;
import io.holdfast.testing.InjectedFaultException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import reactor.core.publisher.Mono;

/** What a {@link LockedObserver} is told of a call that returns a value, a future or a publisher. */
class OutcomesTest {

    /** How the method of a call works. */
    enum Way {
        VALUE,
        FUTURE,
        MONO;

        /** Calls it, on a thread of its own if it blocks; cancelling the result goes up. */
        CompletableFuture<String> begin(Shop shop, Supplier<String> work) {
            return switch (this) {
                case VALUE -> onAThread(() -> shop.value(work));
                case FUTURE -> shop.future(() -> CompletableFuture.supplyAsync(work));
                case MONO ->
                    shop.mono(Mono.fromSupplier(work).subscribeOn(reactor.core.scheduler.Schedulers.boundedElastic()))
                            .toFuture();
            };
        }

        /** Calls it once, without waiting for the lock. */
        CompletableFuture<String> beginOnce(Shop shop) {
            return switch (this) {
                case VALUE -> onAThread(shop::valueOnce);
                case FUTURE -> shop.futureOnce();
                case MONO -> shop.monoOnce().toFuture();
            };
        }

        private static CompletableFuture<String> onAThread(Supplier<String> work) {
            CompletableFuture<String> result = new CompletableFuture<>();
            Thread thread = new Thread(() -> {
                try {
                    result.complete(work.get());
                } catch (RuntimeException failure) {
                    result.completeExceptionally(failure);
                }
            });
            thread.start();
            result.whenComplete((value, failure) -> {
                if (result.isCancelled()) {
                    thread.interrupt();
                }
            });
            return result;
        }
    }

    static class Shop {
        @Locked(value = "a", waitFor = "60s")
        public String value(Supplier<String> work) {
            return work.get();
        }

        @Locked(value = "a", waitFor = "60s")
        public CompletableFuture<String> future(Supplier<CompletableFuture<String>> work) {
            return work.get();
        }

        @Locked(value = "a", waitFor = "60s")
        public Mono<String> mono(Mono<String> work) {
            return work;
        }

        @Locked(value = "a", waitFor = "0")
        public String valueOnce() {
            return "done";
        }

        @Locked(value = "a", waitFor = "0")
        public CompletableFuture<String> futureOnce() {
            return CompletableFuture.completedFuture("done");
        }

        @Locked(value = "a", waitFor = "0")
        public Mono<String> monoOnce() {
            return Mono.just("done");
        }

        @Locked(value = "doc", kind = Locked.Kind.READ)
        public <T> T read(Supplier<T> work) {
            return work.get();
        }

        @Locked(value = "doc", kind = Locked.Kind.WRITE)
        public Mono<String> write() {
            return Mono.just("done");
        }
    }

    static class Recording implements LockedObserver {
        final List<String> told = new CopyOnWriteArrayList<>();

        @Override
        public Observed started(LockedCall call) {
            return new Observed() {
                @Override
                public void acquired(List<Lease> leases) {
                    told.add("acquired");
                }

                @Override
                public void atRisk() {
                    told.add("at risk");
                }

                @Override
                public void lost(LostReason reason) {
                    told.add("lost");
                }

                @Override
                public void ended(Outcome outcome, @Nullable Throwable failure) {
                    told.add(outcome
                            + (failure == null ? "" : " " + failure.getClass().getSimpleName()));
                }
            };
        }
    }

    private TestLocks locks;
    private Shop shop;
    private FaultScript faults;

    @BeforeEach
    void start() {
        locks = new TestLocks(TestLocks.Breakable.class, Recording.class, Shop.class);
        shop = locks.bean(Shop.class);
        faults = locks.bean(FaultScript.class);
    }

    @AfterEach
    void stop() {
        faults.clear();
        await().until(() -> locks.isFree("a"));
        locks.close();
    }

    private void told(String... expected) {
        await().untilAsserted(() -> assertThat(locks.bean(Recording.class).told).containsExactly(expected));
    }

    @ParameterizedTest
    @EnumSource
    void acquired(Way way) {
        assertThat(way.begin(shop, () -> "done").join()).isEqualTo("done");
        told("acquired", "ACQUIRED");
    }

    @ParameterizedTest
    @EnumSource
    void methodFailed_isAcquired(Way way) {
        CompletableFuture<String> failed = way.begin(shop, () -> {
            throw new IllegalArgumentException("no");
        });
        assertThatThrownBy(failed::join).hasRootCauseMessage("no");
        told("acquired", "ACQUIRED IllegalArgumentException");
    }

    @ParameterizedTest
    @EnumSource
    void busy(Way way) {
        try (Lease other = locks.elsewhere().lock("a").acquire()) {
            assertThatThrownBy(way.beginOnce(shop)::join).hasCauseInstanceOf(LockBusyException.class);
        }
        told("BUSY");
    }

    @ParameterizedTest
    @EnumSource
    void storeDown_isFailed(Way way) {
        faults.always(Call.Attempt.class, new Fault.Down());
        assertThatThrownBy(() -> way.beginOnce(shop).join()).hasRootCauseInstanceOf(InjectedFaultException.class);
        assertThat(locks.bean(Recording.class).told).singleElement().asString().startsWith("FAILED ");
    }

    @ParameterizedTest
    @EnumSource
    void cancelledWhileWaiting(Way way) {
        try (Lease other = locks.elsewhere().lock("a").acquire()) {
            CompletableFuture<String> waiting = way.begin(shop, () -> "never");
            await().until(() -> !locks.elsewhere()
                    .inspector()
                    .find(io.holdfast.LockKind.LOCK, "a")
                    .orElseThrow()
                    .waiters()
                    .isEmpty());
            waiting.cancel(true);
            await().until(() -> !locks.bean(Recording.class).told.isEmpty());
        }
        assertThat(locks.bean(Recording.class).told).singleElement().asString().startsWith("CANCELLED ");
    }

    @Test
    void cancelledInside_isAcquired() {
        CompletableFuture<String> inner = new CompletableFuture<>();
        List<Supplier<CompletableFuture<String>>> calls = List.of(
                () -> shop.future(() -> inner), () -> shop.mono(Mono.never()).toFuture());
        for (Supplier<CompletableFuture<String>> call : calls) {
            CompletableFuture<String> begun = call.get();
            await().until(() -> locks.bean(Recording.class).told.contains("acquired"));
            begun.cancel(true);
            await().until(() -> locks.bean(Recording.class).told.size() > 1);
            assertThat(locks.bean(Recording.class).told).element(1).asString().startsWith("ACQUIRED");
            locks.bean(Recording.class).told.clear();
            await().until(() -> locks.isFree("a"));
        }
    }

    @Test
    void refusedBeforeAnything_isFailed() {
        Mono<String> write = shop.write();
        assertThatThrownBy(() -> shop.read(() -> write.block())).isInstanceOf(IllegalStateException.class);
        told("acquired", "FAILED IllegalStateException", "ACQUIRED IllegalStateException");
    }

    @Test
    void executorRefuses_isFailed() {
        try (TestLocks others = new TestLocks(Full.class, Recording.class, Shop.class)) {
            assertThatThrownBy(others.bean(Shop.class).futureOnce()::join)
                    .hasRootCauseInstanceOf(java.util.concurrent.RejectedExecutionException.class);
            assertThat(others.bean(Recording.class).told).containsExactly("FAILED RejectedExecutionException");
            await().until(() -> others.isFree("a"));
        }
    }

    static class Full {
        @org.springframework.context.annotation.Bean
        java.util.concurrent.Executor applicationTaskExecutor() {
            return task -> {
                throw new java.util.concurrent.RejectedExecutionException("full");
            };
        }
    }

    @Test
    void atRisk_isTold_whateverTheWay() {
        faults.once(Call.Renew.class, new Fault.Down());
        List<String> expected = List.of("acquired", "at risk", "ACQUIRED");
        for (Way way : Way.values()) {
            CountDownLatch end = new CountDownLatch(1);
            CompletableFuture<String> call = way.begin(shop, () -> {
                await().until(() -> end.getCount() == 0);
                return "done";
            });
            List<String> told = locks.bean(Recording.class).told;
            await().until(() -> told.contains("at risk"));
            end.countDown();
            assertThat(call.join()).isEqualTo("done");
            await().untilAsserted(() -> assertThat(told).isEqualTo(new ArrayList<>(expected)));
            told.clear();
            faults.once(Call.Renew.class, new Fault.Down());
        }
    }
}
