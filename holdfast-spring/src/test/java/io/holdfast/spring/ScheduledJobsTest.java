package io.holdfast.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.LockClient;
import io.holdfast.memory.MemoryLocks;
import io.holdfast.memory.MemoryStore;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.scheduling.annotation.EnableScheduling;
import org.springframework.scheduling.annotation.Scheduled;
import reactor.core.publisher.Mono;

/** {@link LockedJob} on methods that Spring calls by a timer, in two applications at once. */
class ScheduledJobsTest {

    @Configuration(proxyBeanMethods = false)
    @EnableLocks(proxyTargetClass = true)
    @EnableScheduling
    static class Application {}

    /** What the jobs of all applications did. */
    static class Counts {
        final AtomicInteger daily = new AtomicInteger();
        final AtomicInteger dailyMono = new AtomicInteger();
        final Often often = new Often();
        final Often oftenMono = new Often();
    }

    /** A job that runs again and again. */
    static class Often {
        final AtomicInteger runs = new AtomicInteger();
        final AtomicInteger most = new AtomicInteger();
        private final AtomicInteger inside = new AtomicInteger();

        void enter() {
            most.accumulateAndGet(inside.incrementAndGet(), Math::max);
        }

        void leave() {
            inside.decrementAndGet();
            runs.incrementAndGet();
        }
    }

    static class Jobs {
        private final Counts counts;

        Jobs(Counts counts) {
            this.counts = counts;
        }

        @Scheduled(fixedDelay = 2)
        @LockedJob(value = "daily", atLeastFor = "1h")
        public void daily() {
            counts.daily.incrementAndGet();
        }

        @Scheduled(fixedDelay = 2)
        @LockedJob(value = "daily-mono", atLeastFor = "1h")
        public Mono<Void> dailyMono() {
            return Mono.fromRunnable(counts.dailyMono::incrementAndGet);
        }

        @Scheduled(fixedDelay = 2)
        @LockedJob("often")
        public void often() {
            counts.often.enter();
            counts.often.leave();
        }

        @Scheduled(fixedDelay = 2)
        @LockedJob("often-mono")
        public Mono<Long> oftenMono() {
            return Mono.fromRunnable(counts.oftenMono::enter)
                    .then(Mono.delay(Duration.ofMillis(1)))
                    .doOnNext(passed -> counts.oftenMono.leave());
        }
    }

    private static AnnotationConfigApplicationContext application(MemoryStore store, Counts counts) {
        AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext();
        context.registerBean(LockClient.class, () -> MemoryLocks.connect(store));
        context.registerBean(Counts.class, () -> counts);
        context.register(Application.class, Jobs.class);
        context.refresh();
        return context;
    }

    @Test
    void twoApplications_oneAtATime_andOnceIfItStaysTaken() {
        MemoryStore store = new MemoryStore();
        Counts counts = new Counts();
        try (AnnotationConfigApplicationContext one = application(store, counts);
                AnnotationConfigApplicationContext two = application(store, counts)) {
            assertThat(one.getBean(Counts.class)).isSameAs(two.getBean(Counts.class));
            await().until(() -> counts.often.runs.get() > 30 && counts.oftenMono.runs.get() > 30);
        }
        assertThat(counts.often.most).hasValue(1);
        assertThat(counts.oftenMono.most).hasValue(1);
        assertThat(counts.daily).hasValue(1);
        assertThat(counts.dailyMono).hasValue(1);
    }
}
