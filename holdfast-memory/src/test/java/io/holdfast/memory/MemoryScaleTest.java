package io.holdfast.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.Lease;
import io.holdfast.LockClient;
import io.holdfast.LockEvent;
import io.holdfast.LockListener;
import io.holdfast.LockOptions;
import io.holdfast.engine.LockEngine;
import io.holdfast.spi.LockBackend;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * One client with very many leases. What they cost is measured by the benchmarks; here it is only that they all live.
 */
@Tag("integration")
@Timeout(value = 180, unit = TimeUnit.SECONDS)
class MemoryScaleTest {
    private static final int LEASES = 100_000;
    private static final int RENEWERS = 4;

    /** Short enough for two rounds in a few seconds, long enough for a machine that is busy with other things. */
    private static final Duration LEASE = Duration.ofSeconds(10);

    private static final String PREFIX = "held:";
    private static final Duration PATIENCE = Duration.ofSeconds(90);

    private final MemoryStore store = new MemoryStore();
    private final AtomicBoolean enough = new AtomicBoolean();
    private final AtomicLong othersTaken = new AtomicLong();

    /** Counts the leases that were renewed twice, and the losses. */
    private static final class Renewals implements LockListener {
        final AtomicInteger renewedTwice = new AtomicInteger();
        final AtomicInteger lost = new AtomicInteger();
        private final AtomicIntegerArray renewed = new AtomicIntegerArray(LEASES);

        @Override
        public void on(LockEvent event) {
            if (event instanceof LockEvent.Renewed renewal && renewal.name().startsWith(PREFIX)) {
                int number = Integer.parseInt(renewal.name().substring(PREFIX.length()));
                if (renewed.incrementAndGet(number) == 2) {
                    renewedTwice.incrementAndGet();
                }
            } else if (event instanceof LockEvent.Lost) {
                lost.incrementAndGet();
            }
        }
    }

    @Test
    void renewal_hundredThousandLeases_keepsAllOnOneTimerWhileOthersAcquire() {
        Renewals renewals = new Renewals();
        try (LockClient locks =
                MemoryLocks.connect(store, LockOptions.defaults().lease(LEASE))) {
            locks.addListener(renewals);
            List<Lease> held = new ArrayList<>(LEASES);
            for (int number = 0; number < LEASES; number++) {
                held.add(locks.lock(PREFIX + number).acquire());
            }
            CompletableFuture<Void> others = CompletableFuture.runAsync(() -> acquireOthers(locks));
            try {
                await().atMost(PATIENCE)
                        .until(() -> renewals.renewedTwice.get() == LEASES || others.isCompletedExceptionally());
            } finally {
                enough.set(true);
            }
            others.join();

            assertThat(held).allMatch(Lease::isValid);
            assertThat(renewals.lost).hasValue(0);
            assertThat(othersTaken.get()).isPositive();
            assertThat(threads(locks, "timer")).hasSize(1);
            assertThat(threads(locks, "watchdog")).hasSizeLessThanOrEqualTo(RENEWERS);
            assertThat(threads(locks, "")).hasSizeLessThanOrEqualTo(1 + RENEWERS);
        }
    }

    @Test
    void close_hundredThousandLeases_releasesAllAndLeavesNoThread() {
        LockClient locks = MemoryLocks.connect(store);
        List<Lease> held = new ArrayList<>(LEASES);
        for (int number = 0; number < LEASES; number++) {
            held.add(locks.lock(PREFIX + number).acquire());
        }
        assertThat(store.list(PREFIX)).hasSize(LEASES);

        locks.close();

        assertThat(store.list("")).isEmpty();
        assertThat(held).noneMatch(Lease::isValid);
        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(threads(locks, "")).isEmpty());
    }

    @Test
    void close_whileARoundOfRenewalsEnds_releasesEveryLease() throws InterruptedException {
        int leases = 100;
        CountDownLatch renewing = new CountDownLatch(1);
        CountDownLatch releasing = new CountDownLatch(1);
        CountDownLatch renewed = new CountDownLatch(leases - 1);
        AtomicBoolean firstRelease = new AtomicBoolean();
        LockBackend backend = store.connect();
        LockClient locks = LockEngine.start(
                around(
                        backend,
                        Map.of("renew", renewing::countDown),
                        Map.of("renew", () -> pass(releasing), "release", () -> {
                            if (firstRelease.compareAndSet(false, true)) {
                                releasing.countDown();
                                pass(renewed);
                            }
                        })),
                LockOptions.defaults().lease(Duration.ofSeconds(3)));
        locks.addListener(event -> {
            if (event instanceof LockEvent.Renewed) {
                renewed.countDown();
            }
        });
        List<Lease> held = new ArrayList<>(leases);
        for (int number = 0; number < leases; number++) {
            held.add(locks.lock(PREFIX + number).acquire());
        }
        assertThat(renewing.await(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();

        locks.close();

        assertThat(store.list("")).isEmpty();
        assertThat(held).noneMatch(Lease::isValid);
    }

    /** Lets the other side go first if it comes soon; one that never comes must not stop the test. */
    private static void pass(CountDownLatch other) {
        try {
            other.await(200, TimeUnit.MILLISECONDS);
        } catch (InterruptedException restored) {
            Thread.currentThread().interrupt();
        }
    }

    /** A backend that does more than is asked of it, before and after some of its calls. */
    private static LockBackend around(LockBackend real, Map<String, Runnable> before, Map<String, Runnable> after) {
        return (LockBackend) Proxy.newProxyInstance(
                LockBackend.class.getClassLoader(), new Class<?>[] {LockBackend.class}, (proxy, method, arguments) -> {
                    before.getOrDefault(method.getName(), () -> {}).run();
                    Object result = method.invoke(real, arguments);
                    after.getOrDefault(method.getName(), () -> {}).run();
                    return result;
                });
    }

    /**
     * Takes one lock after another until it is told that it is enough; every one of them must be had at the first try.
     */
    private void acquireOthers(LockClient locks) {
        while (!enough.get()) {
            long number = othersTaken.getAndIncrement();
            try (Lease lease = locks.lock("other:" + number % 100).tryAcquire().orElseThrow()) {
                lease.ensureValid();
            }
        }
    }

    private static List<String> threads(LockClient locks, String role) {
        return Thread.getAllStackTraces().keySet().stream()
                .map(Thread::getName)
                .filter(name -> name.startsWith("holdfast-" + locks.id() + "-" + role))
                .toList();
    }
}
