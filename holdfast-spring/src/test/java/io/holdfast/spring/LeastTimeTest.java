package io.holdfast.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.LockClient;
import io.holdfast.engine.LockEngine;
import io.holdfast.memory.MemoryStore;
import io.holdfast.spi.LockBackend;
import io.holdfast.testing.ForwardingBackend;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.springframework.context.annotation.Bean;

/** A least time on a store that gives back what a client holds when its session ends: refused before anything. */
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
