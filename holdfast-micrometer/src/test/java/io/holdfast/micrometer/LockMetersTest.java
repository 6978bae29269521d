package io.holdfast.micrometer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.holdfast.Candidacy;
import io.holdfast.Deadlock;
import io.holdfast.DeadlockDetected;
import io.holdfast.GaveUpReason;
import io.holdfast.Lease;
import io.holdfast.LockClient;
import io.holdfast.LockEvent;
import io.holdfast.LockKind;
import io.holdfast.LockOptions;
import io.holdfast.LockStoreException;
import io.holdfast.LostReason;
import io.holdfast.memory.MemoryLocks;
import io.holdfast.memory.MemoryStore;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.Test;

class LockMetersTest {
    private static final Duration LONG = Duration.ofSeconds(30);

    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();

    /** A meter that nothing has happened to is not there yet. */
    private static ConditionFactory soon() {
        return Awaitility.await().atMost(LONG).ignoreExceptions();
    }

    private double value(String meter, String... tags) {
        return registry.get(meter)
                .tags(tags)
                .meter()
                .measure()
                .iterator()
                .next()
                .getValue();
    }

    private Set<String> values(String tag) {
        Set<String> values = new TreeSet<>();
        for (Meter meter : registry.getMeters()) {
            String value = meter.getId().getTag(tag);
            if (value != null) {
                values.add(value);
            }
        }
        return values;
    }

    @Test
    void lease_takenAndClosed_isTimedAndHeldInBetween() {
        try (LockClient locks = MemoryLocks.create()) {
            locks.addListener(LockMeters.of(registry));

            try (Lease lease = locks.lock("order:42").acquire()) {
                assertThat(lease.isValid()).isTrue();
                assertThat(value("holdfast.lock.held", "lock", "order", "kind", "lock"))
                        .isOne();
            }

            assertThat(value("holdfast.lock.held", "lock", "order", "kind", "lock"))
                    .isZero();
            assertThat(registry.get("holdfast.lock.acquire")
                            .tags("lock", "order", "outcome", "acquired")
                            .timer()
                            .count())
                    .isOne();
            assertThat(registry.get("holdfast.lock.hold")
                            .tags("lock", "order", "end", "released")
                            .timer()
                            .count())
                    .isOne();
            assertThat(value("holdfast.lock.contended", "lock", "order")).isZero();
        }
    }

    @Test
    void names_hundredThousand_giveAtMostHundredAndOneValuesAndOneWarning() {
        LockMeters meters = LockMeters.of(registry);
        List<LogRecord> warnings = warnings(() -> {
            for (int i = 0; i < 100_000; i++) {
                meters.on(LockEvent.Contended.of(LockKind.LOCK, "order-" + i + ":line"));
            }
        });

        assertThat(values("lock")).hasSize(101).contains(Groups.OTHER);
        assertThat(value("holdfast.lock.contended", "lock", "other")).isEqualTo(99_900);
        assertThat(warnings).hasSize(1);
        assertThat(warnings.get(0).getMessage()).contains("more than 100 groups");
    }

    @Test
    void deadlock_isCounted() {
        LockMeters meters = LockMeters.of(registry);
        Deadlock deadlock = Deadlock.of(List.of(), true, Optional.empty());
        meters.on(DeadlockDetected.of(LockKind.LOCK, "account:7", deadlock));
        meters.on(DeadlockDetected.of(LockKind.LOCK, "account:19", deadlock));

        assertThat(value("holdfast.deadlocks", "lock", "account", "kind", "lock"))
                .isEqualTo(2);
    }

    @Test
    void names_ofOneGroup_areOneValue() {
        LockMeters meters = LockMeters.of(registry);
        for (int i = 0; i < 1_000; i++) {
            meters.on(LockEvent.Contended.of(LockKind.LOCK, "order:" + i));
        }
        assertThat(values("lock")).containsExactly("order");
    }

    @Test
    void names_fromManyThreads_neverMoreThanAgreed() throws InterruptedException {
        LockMeters meters = LockMeters.builder(registry).maxGroups(10).build();
        Thread[] threads = new Thread[4];
        for (int t = 0; t < threads.length; t++) {
            int first = t;
            threads[t] = new Thread(() -> {
                for (int i = 0; i < 200; i++) {
                    meters.on(LockEvent.Contended.of(LockKind.LOCK, "g" + (i + first) + ":x"));
                }
            });
            threads[t].start();
        }
        for (Thread thread : threads) {
            thread.join();
        }
        assertThat(values("lock")).hasSize(11);
    }

    @Test
    void grouping_ofTheApplication_isUsed() {
        LockMeters meters = LockMeters.builder(registry)
                .grouping(name -> "all")
                .client("billing")
                .build();
        meters.on(LockEvent.Contended.of(LockKind.SEMAPHORE, "exports"));
        assertThat(value("holdfast.lock.contended", "lock", "all", "kind", "semaphore", "client", "billing"))
                .isOne();
    }

    @Test
    void maxGroups_outOfRange_isRefusedWithTheBound() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> LockMeters.builder(registry).maxGroups(0))
                .withMessage("maxGroups is 0, expected 1 to 10000");
    }

    @Test
    void events_ofEveryKind_areCounted() {
        LockMeters meters = LockMeters.of(registry);
        LockStoreException down = new LockStoreException("down", new RuntimeException("down"));
        meters.on(LockEvent.Acquired.of(LockKind.LOCK, "a", 7, Duration.ofMillis(5)));
        meters.on(LockEvent.Renewed.of(LockKind.LOCK, "a", 7, LONG));
        meters.on(LockEvent.AtRisk.of(LockKind.LOCK, "a", 7, LONG, down));
        meters.on(LockEvent.Obstructed.of(LockKind.LOCK, "a", down));
        meters.on(LockEvent.Lost.of(LockKind.LOCK, "a", 7, LostReason.FORGOTTEN));

        assertThat(registry.get("holdfast.lock.acquire").timer().totalTime(TimeUnit.MILLISECONDS))
                .isEqualTo(5);
        assertThat(value("holdfast.lock.renewals", "outcome", "renewed")).isOne();
        assertThat(value("holdfast.lock.renewals", "outcome", "failed")).isOne();
        assertThat(value("holdfast.lock.obstructed")).isOne();
        assertThat(value("holdfast.lock.lost", "reason", "forgotten")).isOne();
        assertThat(values("reason"))
                .containsExactlyInAnyOrder("expired", "store_unreachable", "forgotten", "owner_died", "max_hold");
        assertThat(value("holdfast.lock.held")).isZero();
        assertThat(registry.get("holdfast.lock.hold")
                        .tags("end", "lost")
                        .timer()
                        .count())
                .isOne();
    }

    @Test
    void leaseFromBeforeTheListener_isNotMissedTwice() {
        LockMeters meters = LockMeters.of(registry);
        meters.on(LockEvent.Released.of(LockKind.LOCK, "a", 7, LONG));
        assertThat(value("holdfast.lock.held")).isZero();
    }

    @Test
    void endsWithoutALease_areBusyCancelledOrFailed() {
        LockMeters meters = LockMeters.of(registry);
        Duration waited = Duration.ofMillis(7);
        meters.on(LockEvent.GaveUp.of(LockKind.LOCK, "a", waited, GaveUpReason.BUSY, false));
        meters.on(LockEvent.GaveUp.of(LockKind.LOCK, "a", waited, GaveUpReason.INTERRUPTED, false));
        meters.on(LockEvent.GaveUp.of(LockKind.LOCK, "a", waited, GaveUpReason.CANCELLED, false));
        meters.on(LockEvent.Failed.of(LockKind.LOCK, "a", waited, new RuntimeException("down"), false));
        for (Map.Entry<String, Long> each :
                Map.of("busy", 1L, "cancelled", 2L, "failed", 1L).entrySet()) {
            assertThat(registry.get("holdfast.lock.acquire")
                            .tags("outcome", each.getKey())
                            .timer()
                            .count())
                    .as(each.getKey())
                    .isEqualTo(each.getValue());
        }
    }

    @Test
    void waiting_isWhoWaitsNow() {
        MemoryStore store = new MemoryStore();
        try (LockClient one = MemoryLocks.connect(store);
                LockClient two = MemoryLocks.connect(store)) {
            two.addListener(LockMeters.of(registry));
            Lease lease = one.lock("order:1").acquire();
            CompletableFuture<Lease> waiter = two.lock("order:1").acquireAsync().toCompletableFuture();
            soon().untilAsserted(() ->
                    assertThat(value("holdfast.lock.waiting", "lock", "order")).isOne());

            lease.close();

            waiter.join().close();
            assertThat(value("holdfast.lock.waiting", "lock", "order")).isZero();
            assertThat(two.lock("order:1").tryAcquire()).hasValueSatisfying(Lease::close);
        }
        assertThat(value("holdfast.lock.waiting", "lock", "order")).isZero();
    }

    @Test
    void fenceAndLateCalls_areCountedByGroup() {
        LockMeters meters = LockMeters.of(registry);
        meters.fenceRefused(LockKind.LOCK, "order:1");
        meters.lockedLate(LockKind.LOCK, "order:2");
        assertThat(value("holdfast.fence.refused", "lock", "order")).isOne();
        assertThat(value("holdfast.locked.late", "lock", "order")).isOne();
    }

    @Test
    void leader_oneOfTwo_isSeen() {
        MemoryStore store = new MemoryStore();
        SimpleMeterRegistry others = new SimpleMeterRegistry();
        try (LockClient one = MemoryLocks.connect(store, LockOptions.defaults());
                LockClient two = MemoryLocks.connect(store)) {
            one.addListener(LockMeters.of(registry));
            two.addListener(LockMeters.of(others));
            Candidacy first = one.election("billing").stand(term -> new CountDownLatch(1).await());
            soon().untilAsserted(() ->
                    assertThat(value("holdfast.leader", "election", "billing")).isOne());
            Candidacy second = two.election("billing").stand(term -> new CountDownLatch(1).await());
            soon().untilAsserted(() -> assertThat(others.get("holdfast.leader")
                            .tags("election", "billing")
                            .gauge()
                            .value())
                    .isZero());

            first.close();

            soon().untilAsserted(() ->
                    assertThat(value("holdfast.leader", "election", "billing")).isZero());
            soon().untilAsserted(() -> assertThat(others.get("holdfast.leader")
                            .tags("election", "billing")
                            .gauge()
                            .value())
                    .isOne());
            second.close();
        }
    }

    private static List<LogRecord> warnings(Runnable work) {
        List<LogRecord> records = new CopyOnWriteArrayList<>();
        Logger logger = Logger.getLogger("io.holdfast.micrometer");
        Handler handler = new Handler() {
            @Override
            public void publish(LogRecord record) {
                if (record.getLevel().intValue() >= Level.WARNING.intValue()) {
                    records.add(record);
                }
            }

            @Override
            public void flush() {}

            @Override
            public void close() {}
        };
        logger.addHandler(handler);
        try {
            work.run();
        } finally {
            logger.removeHandler(handler);
        }
        return records;
    }
}
