package io.holdfast.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.holdfast.Lease;
import io.holdfast.LockLostException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.BeanNotOfRequiredTypeException;
import org.springframework.context.annotation.Bean;
import org.springframework.core.task.SimpleAsyncTaskExecutor;
import org.springframework.scheduling.annotation.Async;
import org.springframework.scheduling.annotation.EnableAsync;

/** {@link Locked} on what returns futures, when the lock is lost and when they are cancelled. */
class FuturesTest {

    static class Shop {
        @Locked("a")
        public <T> Future<T> plain(Supplier<Future<T>> work) {
            return work.get();
        }

        @Locked("a")
        public <T> CompletableFuture<T> future(Supplier<CompletableFuture<T>> work) {
            return work.get();
        }

        @Async
        @Locked("a")
        public CompletableFuture<String> async(CompletableFuture<String> inner, CompletableFuture<Thread> runs) {
            runs.complete(Thread.currentThread());
            return inner;
        }

        @Async
        @Locked(value = "a", waitFor = "0", onBusy = Locked.OnBusy.SKIP)
        public CompletableFuture<Optional<String>> asyncOrNothing() {
            return CompletableFuture.completedFuture(Optional.of("done"));
        }

        @Locked("a")
        public CompletableFuture<Boolean> held(@Held Lease lease) {
            return CompletableFuture.completedFuture(lease == CurrentLocks.lease("a"));
        }

        @Locked(value = "a", onLost = Locked.OnLost.INTERRUPT)
        public <T> Future<T> interrupted(Supplier<Future<T>> work) {
            return work.get();
        }
    }

    @EnableAsync(proxyTargetClass = true)
    static class WithAsync {
        @Bean
        Executor taskExecutor() {
            return new SimpleAsyncTaskExecutor("async-");
        }
    }

    private final ExecutorService threads = Executors.newCachedThreadPool();
    private TestLocks locks;
    private Shop shop;

    @BeforeEach
    void start() {
        locks = new TestLocks(WithAsync.class, Shop.class);
        shop = locks.bean(Shop.class);
    }

    @AfterEach
    void stop() {
        threads.shutdownNow();
        await().until(() -> locks.isFree("a"));
        locks.close();
    }

    private static void fails(Future<?> future, Class<? extends Throwable> cause) {
        assertThatThrownBy(() -> future.get(30, TimeUnit.SECONDS)).hasCauseInstanceOf(cause);
    }

    /** What a future does that ends well, after its lock was lost. */
    private String loseAndKnow(Lease lease) {
        locks.lose("a");
        await().until(() -> !lease.isValid());
        return "dropped";
    }

    @Test
    void lost_plainFuture_resultIsDropped() {
        fails(
                shop.plain(() -> {
                    Lease lease = CurrentLocks.lease("a");
                    return threads.submit(() -> loseAndKnow(lease));
                }),
                LockLostException.class);
    }

    @Test
    void lost_plainFuture_whatItThrewIsSuppressed() {
        Future<String> future = shop.plain(() -> {
            Lease lease = CurrentLocks.lease("a");
            return threads.submit(() -> {
                throw new IllegalStateException(loseAndKnow(lease));
            });
        });

        assertThatThrownBy(() -> future.get(30, TimeUnit.SECONDS))
                .cause()
                .isInstanceOf(LockLostException.class)
                .satisfies(lost ->
                        assertThat(lost.getSuppressed()).singleElement().isInstanceOf(IllegalStateException.class));
    }

    @Test
    void lost_completableFuture_resultIsDropped() {
        fails(
                shop.future(() -> {
                    Lease lease = CurrentLocks.lease("a");
                    return CompletableFuture.supplyAsync(() -> loseAndKnow(lease), threads);
                }),
                LockLostException.class);
    }

    @Test
    void lost_interrupt_cancelsWhatWasBegun() {
        FutureTask<String> task = new FutureTask<>(() -> "never run");
        CompletableFuture<String> stage = new CompletableFuture<>();
        for (Future<String> begun : List.of(task, stage)) {
            Future<String> result = shop.interrupted(() -> begun);
            await().until(() -> !locks.isFree("a"));
            locks.lose("a");
            fails(result, LockLostException.class);
            assertThat(begun.isCancelled()).isTrue();
        }
    }

    @Test
    void lost_interrupt_interruptsTheThreadThatBegins() {
        CountDownLatch never = new CountDownLatch(1);
        CompletableFuture<Boolean> interrupted = new CompletableFuture<>();
        Future<String> result = shop.interrupted(() -> {
            try {
                never.await();
            } catch (InterruptedException expected) {
                interrupted.complete(true);
            }
            return CompletableFuture.completedFuture("dropped");
        });
        await().until(() -> !locks.isFree("a"));
        locks.lose("a");

        fails(result, LockLostException.class);
        assertThat(interrupted).isCompletedWithValue(true);
    }

    @Test
    void cancelled_whileItBegins_cancelGoesUpToAPlainFuture() throws Exception {
        CountDownLatch begins = new CountDownLatch(1);
        CountDownLatch cancelled = new CountDownLatch(1);
        FutureTask<String> task = new FutureTask<>(() -> "never run");
        Future<String> result = shop.plain(() -> {
            begins.countDown();
            waitFor(cancelled::await);
            return task;
        });
        assertThat(begins.await(30, TimeUnit.SECONDS)).isTrue();
        result.cancel(true);
        cancelled.countDown();

        await().until(task::isCancelled);
    }

    @Test
    void interrupted_async_cancelsWhatItWaitsFor() {
        CompletableFuture<String> inner = new CompletableFuture<>();
        CompletableFuture<Thread> runs = new CompletableFuture<>();
        CompletableFuture<String> result = shop.async(inner, runs);
        runs.join().interrupt();

        await().until(inner::isCancelled);
        await().until(result::isCompletedExceptionally);
    }

    @Test
    void busy_async_isAFutureOfNothing() {
        try (Lease other = locks.elsewhere().lock("a").acquire()) {
            assertThat(shop.asyncOrNothing().join()).isEqualTo(Optional.empty());
        }
        assertThat(shop.asyncOrNothing().join()).contains("done");
    }

    @Test
    void held_isFilledIn() {
        assertThat(shop.held(null).join()).isTrue();
    }

    static class TaskExecutor {
        @Bean
        Executor applicationTaskExecutor() {
            return new SimpleAsyncTaskExecutor("application-");
        }
    }

    @Test
    void future_runsOnTheExecutorOfTheApplication() {
        try (TestLocks others = new TestLocks(TaskExecutor.class, Shop.class)) {
            assertThat(others.bean(Shop.class)
                            .future(() -> CompletableFuture.completedFuture(
                                    Thread.currentThread().getName()))
                            .join())
                    .startsWith("application-");
        }
    }

    static class NoExecutor {
        @Bean
        String applicationTaskExecutor() {
            return "none";
        }
    }

    @Test
    void future_noExecutor_failsBeforeAnythingIsLocked() {
        try (TestLocks others = new TestLocks(NoExecutor.class, Shop.class)) {
            assertThatThrownBy(() -> others.bean(Shop.class).future(() -> new CompletableFuture<>()))
                    .isInstanceOf(BeanNotOfRequiredTypeException.class);
            assertThat(others.isFree("a")).isTrue();
        }
    }

    private static void waitFor(ThrowingCallable something) {
        try {
            something.call();
        } catch (Throwable thrown) {
            throw new AssertionError(thrown);
        }
    }
}
