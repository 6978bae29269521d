package io.holdfast.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.holdfast.Lease;
import io.holdfast.LockClient;
import io.holdfast.LockOptions;
import io.holdfast.spi.TimeSource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * How many threads there are, and what happens when there are no more to be had. On every Java: virtual threads are
 * left out here.
 */
class ElasticPoolTest {
    private static final Duration LONG = Duration.ofSeconds(60);

    /** The timer, and one for renewals. */
    private static final int OTHERS = 2;

    private final AtomicBoolean outOfThreads = new AtomicBoolean();
    private final AtomicInteger alive = new AtomicInteger();
    private final AtomicInteger mostAlive = new AtomicInteger();
    private final CountDownLatch end = new CountDownLatch(1);
    private final EngineRuntime runtime = new SystemRuntime("pool-test", counting(), false);

    private ThreadFactory counting() {
        return task -> {
            if (outOfThreads.get()) {
                throw new OutOfMemoryError(
                        "unable to create native thread: possibly out of memory or process/resource limits");
            }
            return new Thread(() -> {
                mostAlive.accumulateAndGet(alive.incrementAndGet(), Math::max);
                try {
                    task.run();
                } finally {
                    alive.decrementAndGet();
                }
            });
        };
    }

    @AfterEach
    void close() {
        outOfThreads.set(false);
        end.countDown();
        runtime.close();
    }

    private void awaitEnd() {
        try {
            end.await();
        } catch (InterruptedException closing) {
            Thread.currentThread().interrupt();
        }
    }

    // ---- how many

    @Test
    void callbacks_thousandsThatBlock_atMost512ThreadsAndAllOfThemRun() {
        AtomicInteger ran = new AtomicInteger();

        for (int i = 0; i < 3_000; i++) {
            runtime.callbacks().execute(() -> {
                awaitEnd();
                ran.incrementAndGet();
            });
        }

        await().atMost(LONG).until(() -> alive.get() >= OTHERS + 64);
        end.countDown();
        await().atMost(LONG).untilAsserted(() -> assertThat(ran).hasValue(3_000));
        assertThat(mostAlive.get()).isLessThanOrEqualTo(OTHERS + 512);
    }

    /** None of the first 64 ever returns; those behind them have their turn all the same. */
    @Test
    void callbacks_64ThatNeverReturn_doNotStarveTheOthers() {
        AtomicInteger ran = new AtomicInteger();
        for (int i = 0; i < 64; i++) {
            runtime.callbacks().execute(this::awaitEnd);
        }

        for (int i = 0; i < 100; i++) {
            runtime.callbacks().execute(ran::incrementAndGet);
        }

        await().atMost(LONG).untilAsserted(() -> assertThat(ran).hasValue(100));
        assertThat(mostAlive.get()).isLessThanOrEqualTo(OTHERS + 512);
    }

    @Test
    void execute_noneEverReturns_growsUpToTheLimitAndShrinksAgain() {
        ScheduledThreadPoolExecutor timer = new ScheduledThreadPoolExecutor(1);
        ElasticPool small = new ElasticPool(0, 4, 10, counting(), timer);
        for (int i = 0; i < 100; i++) {
            small.execute(this::awaitEnd);
        }

        await().atMost(LONG).until(() -> small.getPoolSize() == 10);
        assertThat(small.getMaximumPoolSize()).isEqualTo(10);
        end.countDown();
        await().atMost(LONG).until(() -> small.getCompletedTaskCount() == 100);
        await().atMost(LONG).until(() -> small.getMaximumPoolSize() == 4);
        small.shutdownNow();
        timer.shutdownNow();
    }

    @Test
    void idle_nothingToDo_twoThreads() {
        await().atMost(LONG).until(() -> alive.get() == OTHERS);
        assertThat(mostAlive.get()).isEqualTo(OTHERS);
    }

    // ---- no more

    @Test
    void execute_noThreadToBeHad_waitsAndRunsLater() {
        AtomicInteger ran = new AtomicInteger();
        outOfThreads.set(true);
        List<Executor> all = List.of(runtime.worker(), runtime.renewals(), runtime.callbacks());

        assertThatCode(() -> all.forEach(each -> each.execute(ran::incrementAndGet)))
                .doesNotThrowAnyException();

        await().atMost(LONG)
                .untilAsserted(() -> assertThat(ran)
                        .as("renewals have a thread of their own")
                        .hasValue(1));
        outOfThreads.set(false);
        await().atMost(LONG).untilAsserted(() -> assertThat(ran).hasValue(3));
    }

    @Test
    void start_noThreadToBeHad_failsAndLeavesNothingOpen() {
        outOfThreads.set(true);

        assertThatThrownBy(() -> new SystemRuntime("refused", counting(), false))
                .isInstanceOf(OutOfMemoryError.class);

        assertThat(Thread.getAllStackTraces().keySet())
                .noneMatch(thread -> thread.getName().startsWith("refused"));
    }

    /**
     * The whole client: what is over answers so without throwing, what is held is renewed, and callbacks come when
     * there are threads again.
     */
    @Test
    void client_noThreadToBeHad_questionsAnswerAndTheTimerComesBack() {
        ScriptedBackend backend = new ScriptedBackend(TimeSource.system());
        List<Lease> brief = new ArrayList<>();
        AtomicInteger told = new AtomicInteger();
        LockOptions fixed = LockOptions.defaults().fixedLease(Duration.ofSeconds(2));
        try (LockClient locks = LockEngine.start("client", backend, LockOptions.defaults(), runtime)) {
            Lease kept = locks.lock("kept", LockOptions.defaults().lease(Duration.ofSeconds(6)))
                    .acquire();
            for (int i = 0; i < 20; i++) {
                brief.add(locks.lock("brief-" + i, fixed).acquire());
                brief.get(i).onLost(reason -> told.incrementAndGet());
            }
            outOfThreads.set(true);

            await().atMost(LONG).until(() -> brief.stream().noneMatch(Lease::isValid));
            await().atMost(LONG).until(() -> !backend.renewals().isEmpty());
            assertThat(told).hasValue(0);
            outOfThreads.set(false);
            await().atMost(LONG).untilAsserted(() -> assertThat(told).hasValue(20));

            locks.lock("after", fixed).acquire().onLost(reason -> told.incrementAndGet());
            await().atMost(LONG).untilAsserted(() -> assertThat(told).hasValue(21));
            assertThat(kept.isValid()).isTrue();
        }
    }
}
