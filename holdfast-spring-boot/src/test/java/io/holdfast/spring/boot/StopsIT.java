package io.holdfast.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.Lease;
import io.holdfast.LockClient;
import io.holdfast.redis.RedisLocks;
import io.holdfast.testing.redis.RedisServer;
import io.holdfast.testing.redis.RedisVersion;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.scheduling.concurrent.ThreadPoolTaskExecutor;

/** An application on Redis is stopped while a job works under its lock, and another process waits for it. */
@Tag("integration")
@ExtendWith(OutputCaptureExtension.class)
class StopsIT {
    private static final int A_FEW = 3;
    private static final int MANY = 50;

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @Import(StopOrderTest.Jobs.class)
    static class Application {}

    @Test
    void stop_underALock_endsInOrder(CapturedOutput output) throws Exception {
        stops(A_FEW, output);
    }

    @Test
    @Tag("full")
    void stop_underALockManyTimes_endsInOrder(CapturedOutput output) throws Exception {
        stops(MANY, output);
    }

    private static void stops(int times, CapturedOutput output) throws Exception {
        try (RedisServer server = RedisServer.start(RedisVersion.V7_0);
                LockClient next = RedisLocks.connect(server.uri())) {
            long slowestNanos = 0;
            for (int i = 0; i < times; i++) {
                slowestNanos = Math.max(slowestNanos, stop(server, next));
            }
            assertThat(output.getAll()).doesNotContain(" WARN ").doesNotContain(" ERROR ");
            System.out.printf(
                    "%d stops: the next process had the lock within %.1f ms%n", times, slowestNanos / 1_000_000.0);
        }
    }

    /** Returns how long the next process waited after the job had ended. */
    private static long stop(RedisServer server, LockClient next) throws Exception {
        ConfigurableApplicationContext context = new SpringApplicationBuilder(Application.class)
                .web(WebApplicationType.NONE)
                .properties("holdfast.store=redis", "holdfast.redis.url=" + server.uri(), "spring.main.banner-mode=off")
                .run();
        LockClient locks = context.getBean(LockClient.class);
        CountDownLatch locked = new CountDownLatch(1);
        CountDownLatch stopping = new CountDownLatch(1);
        CompletableFuture<Long> ended = new CompletableFuture<>();
        context.getBean("jobs", ThreadPoolTaskExecutor.class).execute(() -> {
            try (Lease lease = locks.lock("job").acquire()) {
                locked.countDown();
                stopping.await();
                lease.ensureValid();
                ended.complete(System.nanoTime());
            } catch (Throwable lost) {
                ended.completeExceptionally(lost);
            }
        });
        locked.await();
        CompletableFuture<Long> taken = next.lock("job")
                .acquireAsync()
                .toCompletableFuture()
                .thenApply(lease -> {
                    long nowNanos = System.nanoTime();
                    lease.close();
                    return nowNanos;
                });
        CompletableFuture.delayedExecutor(100, TimeUnit.MILLISECONDS).execute(stopping::countDown);
        context.close();
        assertThat(ended).isCompleted();
        return taken.get(10, TimeUnit.SECONDS) - ended.join();
    }
}
