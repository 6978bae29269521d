package io.holdfast.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.holdfast.Lease;
import io.holdfast.LockClient;
import io.holdfast.LockLostException;
import io.holdfast.engine.LockEngine;
import io.holdfast.memory.MemoryStore;
import io.holdfast.spi.LockBackend;
import io.holdfast.testing.Call;
import io.holdfast.testing.Fault;
import io.holdfast.testing.FaultScript;
import io.holdfast.testing.ForwardingBackend;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.springframework.context.annotation.Bean;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

/**
 * A least time: kept whatever else the call does, and on a store that gives back what a client holds when its session
 * ends refused before anything.
 */
class LeastTimeTest {

    static class SessionStore {
        @Bean(autowireCandidate = false)
        LockClient session(MemoryStore store) {
            return LockEngine.start(new EndsWithItsClient(store.connect()));
        }
    }

    private static final class EndsWithItsClient extends ForwardingBackend {
        EndsWithItsClient(LockBackend target) {
            super(target);
        }

        @Override
        public boolean outlivesClient() {
            return false;
        }
    }

    static class Job {
        @LockedJob(value = "report", atLeastFor = "1m", client = "session")
        public void run() {
            throw new AssertionError("it was run");
        }
    }

    static class TooLong {
        @LockedJob(value = "report", atLeastFor = "9000h")
        public void run() {
            throw new AssertionError("it was run");
        }
    }

    static class Reports {
        @Locked("report")
        public void around(Runnable work) {
            work.run();
        }

        @LockedJob(value = "report", atLeastFor = "1m")
        public void report(Runnable work) {
            work.run();
        }

        @LockedJob(value = "report", atLeastFor = "1m")
        public Mono<String> mono(Mono<String> work) {
            return work;
        }

        @Locked(value = "part:{parts}")
        public void parts(List<String> parts, Runnable work) {
            work.run();
        }

        @LockedJob(value = "part:{part}", atLeastFor = "1m")
        public void part(String part) {
            CurrentLocks.assertHeld();
        }
    }

    @Test
    void atLeastFor_ofACallInside_isKept() {
        try (TestLocks locks = new TestLocks(Reports.class)) {
            Reports reports = locks.bean(Reports.class);
            reports.around(() -> reports.report(() -> {}));
            assertThat(locks.isFree("report")).isFalse();

            reports.parts(List.of("a", "b"), () -> reports.part("a"));
            assertThat(locks.isFree("part:a")).isFalse();
            assertThat(locks.isFree("part:b")).isTrue();
        }
    }

    @Test
    void atLeastFor_ofALockThatWasLost_isOver() {
        try (TestLocks locks = new TestLocks(Reports.class)) {
            assertThatThrownBy(() -> locks.bean(Reports.class).report(() -> {
                        Lease lease = CurrentLocks.lease("report");
                        locks.lose("report");
                        await().until(() -> !lease.isValid());
                    }))
                    .isInstanceOf(LockLostException.class);
            assertThat(locks.isFree("report")).isTrue();
        }
    }

    /** To leave a lock taken asks the store, which may take its time. */
    @Test
    void atLeastFor_ofAPublisher_holdsUpNoThread() {
        Scheduler one = Schedulers.newSingle("one");
        CompletableFuture<Void> answers = new CompletableFuture<>();
        try (TestLocks locks = new TestLocks(TestLocks.Breakable.class, Reports.class)) {
            locks.bean(FaultScript.class).once(Call.Renew.class, new Fault.SlowReply(answers::join));
            CompletableFuture<String> job = locks.bean(Reports.class)
                    .mono(Mono.fromSupplier(() -> Thread.currentThread().getName())
                            .subscribeOn(one))
                    .toFuture();
            await().until(() -> !locks.bean(FaultScript.class).isPending());
            CompletableFuture<String> next =
                    Mono.fromCallable(() -> "free").subscribeOn(one).toFuture();

            try {
                assertThat(next).succeedsWithin(Duration.ofSeconds(5)).isEqualTo("free");
            } finally {
                answers.complete(null);
            }
            assertThat(job.join()).startsWith("one");
            assertThat(locks.isFree("report")).isFalse();
        } finally {
            one.dispose();
        }
    }

    @Test
    void atLeastFor_ofAMethod_failsTheStart() {
        InvalidLockedException refused = TestLocks.refused(SessionStore.class, Job.class);

        assertThat(refused.attribute()).isEqualTo("atLeastFor");
        assertThat(refused).hasMessageContaining("keeps no least time");
        assertThat(refused).hasCauseInstanceOf(UnsupportedOperationException.class);
        assertThat(TestLocks.refused(TooLong.class)).hasMessageContaining("the store keeps a lock for at most");
    }

    @Test
    void atLeastFor_ofOperations_isRefusedBeforeAnything() {
        try (TestLocks locks = new TestLocks(SessionStore.class)) {
            AtomicInteger runs = new AtomicInteger();
            assertThatThrownBy(() -> locks.bean(LockOperations.class)
                            .client("session")
                            .atLeastFor(Duration.ofSeconds(1))
                            .run("report", runs::incrementAndGet))
                    .isInstanceOf(UnsupportedOperationException.class)
                    .hasMessageContaining("Nothing was locked or run");
            assertThat(runs).hasValue(0);
            assertThat(locks.elsewhere().inspector().list("")).isEmpty();
        }
    }
}
