package io.holdfast.spring.event;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.Deadlock;
import io.holdfast.DeadlockDetected;
import io.holdfast.Lease;
import io.holdfast.LockClient;
import io.holdfast.LockEvent;
import io.holdfast.LockKind;
import io.holdfast.LockOptions;
import io.holdfast.LostReason;
import io.holdfast.memory.MemoryLocks;
import io.holdfast.spring.LockAtRiskEvent;
import io.holdfast.spring.LockDeadlockEvent;
import io.holdfast.spring.LockLostEvent;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

class LockEventPublisherTest {
    private final List<Object> published = new CopyOnWriteArrayList<>();
    private final LockEventPublisher publisher = new LockEventPublisher(published::add);

    @Test
    void events_lostAndAtRisk_arePublishedAndNothingElse() {
        publisher.on(LockEvent.Acquired.of(LockKind.LOCK, "a", 1, Duration.ZERO));
        publisher.on(LockEvent.AtRisk.of(LockKind.LOCK, "a", 1, Duration.ofSeconds(9), new IllegalStateException()));
        publisher.on(LockEvent.Lost.of(LockKind.LOCK, "a", 1, LostReason.EXPIRED));
        publisher.on(LockEvent.Released.of(LockKind.LOCK, "b", 2, Duration.ZERO));

        assertThat(published)
                .containsExactly(
                        new LockAtRiskEvent(LockKind.LOCK, "a", 1, Duration.ofSeconds(9)),
                        new LockLostEvent(LockKind.LOCK, "a", 1, LostReason.EXPIRED));
    }

    @Test
    void events_deadlock_isPublished() {
        Deadlock deadlock = Deadlock.of(List.of(), true, Optional.empty());
        publisher.on(DeadlockDetected.of(LockKind.LOCK, "a", deadlock));

        assertThat(published).containsExactly(new LockDeadlockEvent(LockKind.LOCK, "a", deadlock));
    }

    @Test
    void client_lockIsLost_published() {
        try (LockClient locks = MemoryLocks.create()) {
            locks.addListener(publisher);
            Lease lease = locks.lock("a", LockOptions.defaults().fixedLease(Duration.ofMillis(100)))
                    .acquire();

            await().until(() -> !published.isEmpty());

            assertThat(published)
                    .containsExactly(new LockLostEvent(LockKind.LOCK, "a", lease.token(), LostReason.EXPIRED));
        }
    }
}
