package io.holdfast.redis.servers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.redis.driver.RedisLinkException;
import io.holdfast.redis.settings.Timing;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class OneForAllTest {
    private final OneForAll question = new OneForAll();
    private final AtomicInteger asked = new AtomicInteger();
    private final CountDownLatch mayAnswer = new CountDownLatch(1);
    private volatile @Nullable String known;

    private String answer(Duration patience) {
        return question.answer(
                Timing.SYSTEM, Timing.SYSTEM.until(patience), () -> known, this::ask, "somebody else still asks");
    }

    private String ask() {
        int number = asked.incrementAndGet();
        try {
            mayAnswer.await();
        } catch (InterruptedException stopped) {
            throw new IllegalStateException(stopped);
        }
        if (number == 1 && known == null) {
            known = "first";
        }
        return "first";
    }

    private FutureTask<String> inAThread(List<Thread> threads) {
        FutureTask<String> task = new FutureTask<>(() -> answer(Duration.ofSeconds(50)));
        Thread thread = new Thread(task, "asks-" + threads.size());
        threads.add(thread);
        thread.start();
        Awaitility.await()
                .until(() ->
                        thread.getState() == Thread.State.WAITING || thread.getState() == Thread.State.TIMED_WAITING);
        return task;
    }

    @Test
    void answer_othersWait_oneAsks() throws Exception {
        List<Thread> threads = new ArrayList<>();
        List<FutureTask<String>> all = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            all.add(inAThread(threads));
        }
        assertThat(question.isAsking()).isTrue();

        mayAnswer.countDown();

        for (FutureTask<String> each : all) {
            assertThat(each.get(50, TimeUnit.SECONDS)).isEqualTo("first");
        }
        assertThat(asked).hasValue(1);
        assertThat(question.isAsking()).isFalse();
    }

    @Test
    void answer_knownSinceTheLook_isNotAskedFor() {
        mayAnswer.countDown();
        AtomicInteger looks = new AtomicInteger();
        String got = question.answer(
                Timing.SYSTEM,
                Timing.SYSTEM.until(Duration.ofSeconds(1)),
                () -> looks.incrementAndGet() == 1 ? null : "known",
                this::ask,
                "late");

        assertThat(got).isEqualTo("known");
        assertThat(asked).hasValue(0);
    }

    @Test
    void answer_anotherAsksForTooLong_saysSo() {
        List<Thread> threads = new ArrayList<>();
        FutureTask<String> first = inAThread(threads);

        assertThatThrownBy(() -> answer(Duration.ofMillis(1)))
                .isInstanceOf(RedisLinkException.class)
                .hasMessage("somebody else still asks");

        mayAnswer.countDown();
        Awaitility.await().until(first::isDone);
    }

    @Test
    void answer_questionFailed_nextAsksItself() {
        assertThatThrownBy(() -> question.answer(
                        Timing.SYSTEM,
                        Timing.SYSTEM.until(Duration.ofSeconds(1)),
                        () -> known,
                        () -> {
                            throw new IllegalStateException("no answer");
                        },
                        "late"))
                .hasMessage("no answer");
        mayAnswer.countDown();

        assertThat(answer(Duration.ofSeconds(1))).isEqualTo("first");
    }

    @Test
    void answer_interruptedWhileAnotherAsks_waitsOnAndKeepsTheFlag() throws Exception {
        List<Thread> threads = new ArrayList<>();
        inAThread(threads);
        FutureTask<Boolean> second = new FutureTask<>(() -> {
            answer(Duration.ofSeconds(50));
            return Thread.currentThread().isInterrupted();
        });
        Thread waiting = new Thread(second, "waits");
        waiting.start();
        Awaitility.await().until(() -> waiting.getState() == Thread.State.TIMED_WAITING);
        waiting.interrupt();
        Awaitility.await().until(() -> !waiting.isInterrupted()); // it has seen it
        mayAnswer.countDown();

        assertThat(second.get(50, TimeUnit.SECONDS)).isTrue();
    }
}
