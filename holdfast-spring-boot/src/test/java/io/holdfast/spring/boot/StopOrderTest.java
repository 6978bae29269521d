package io.holdfast.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.Lease;
import io.holdfast.LockClient;
import io.holdfast.memory.MemoryLocks;
import io.holdfast.memory.MemoryStore;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.support.DefaultSingletonBeanRegistry;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.scheduling.concurrent.ThreadPoolTaskExecutor;

/** Work that an executor waits for at the stop keeps its lock. */
class StopOrderTest {
    private static final int STOPS = 3;

    private final MemoryStore store = new MemoryStore();
    private final ApplicationContextRunner runner =
            new ApplicationContextRunner().withConfiguration(Boot.holdfast()).withUserConfiguration(Jobs.class);

    /** An executor that is made before anybody wants a client, and waits for its tasks when it is destroyed. */
    @Configuration(proxyBeanMethods = false)
    static class Jobs {

        @Bean
        ThreadPoolTaskExecutor jobs() {
            ThreadPoolTaskExecutor executor = new ThreadPoolTaskExecutor();
            executor.setWaitForTasksToCompleteOnShutdown(true);
            executor.setAwaitTerminationSeconds(30);
            return executor;
        }
    }

    @Test
    void stop_withAJobUnderItsLock_theJobEndsWithAValidLease() {
        for (int i = 0; i < STOPS; i++) {
            stop(runner.withPropertyValues("holdfast.store=memory").withBean(MemoryStore.class, () -> store));
        }
    }

    @Test
    void stop_withAClientOfTheApplication_theJobEndsWithAValidLease() {
        stop(runner.withUserConfiguration(OwnClient.class).withBean(MemoryStore.class, () -> store));
    }

    @Test
    void stop_leftLock_isGivenBack() {
        runner.withPropertyValues("holdfast.store=memory")
                .withBean(MemoryStore.class, () -> store)
                .run(context ->
                        context.getBean(LockClient.class).lock("left").acquire().ensureValid());
        try (LockClient next = MemoryLocks.connect(store)) {
            assertThat(next.lock("left").tryAcquire()).isPresent();
        }
    }

    /** Whose method of destruction Spring finds by itself. */
    @Configuration(proxyBeanMethods = false)
    static class OwnClient {

        @Bean
        LockClient client(MemoryStore store) {
            return MemoryLocks.connect(store);
        }
    }

    private void stop(ApplicationContextRunner application) {
        CountDownLatch stopping = new CountDownLatch(1);
        CompletableFuture<Boolean> validAtTheEnd = new CompletableFuture<>();
        application.run(context -> {
            LockClient locks = context.getBean(LockClient.class);
            CountDownLatch locked = new CountDownLatch(1);
            context.getBean("jobs", ThreadPoolTaskExecutor.class).execute(() -> {
                try (Lease lease = locks.lock("job").acquire()) {
                    locked.countDown();
                    stopping.await();
                    lease.ensureValid();
                    validAtTheEnd.complete(lease.isValid());
                } catch (Throwable lost) {
                    validAtTheEnd.completeExceptionally(lost);
                }
            });
            locked.await();
            DefaultSingletonBeanRegistry beans = (DefaultSingletonBeanRegistry)
                    context.getSourceApplicationContext().getAutowireCapableBeanFactory();
            beans.registerDisposableBean("late", () -> later(stopping)); // the first that is destroyed
        });
        assertThat(validAtTheEnd).isCompletedWithValue(true);
        try (LockClient next = MemoryLocks.connect(store)) {
            assertThat(next.lock("job").tryAcquire()).as("the next process").isPresent();
        }
    }

    /** When beans are being destroyed: the job goes on only if somebody waits for it. */
    private static void later(CountDownLatch stopping) {
        CompletableFuture.delayedExecutor(50, TimeUnit.MILLISECONDS).execute(stopping::countDown);
    }
}
