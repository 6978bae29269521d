package io.holdfast.spring.shedlock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.holdfast.LockClient;
import io.holdfast.LockEvent;
import io.holdfast.LockKind;
import io.holdfast.LockOptions;
import io.holdfast.LostReason;
import io.holdfast.engine.LockEngine;
import io.holdfast.memory.MemoryLocks;
import io.holdfast.memory.MemoryStore;
import io.holdfast.spi.LockBackend;
import io.holdfast.spi.TimeSource;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import net.javacrumbs.shedlock.core.DefaultLockingTaskExecutor;
import net.javacrumbs.shedlock.core.LockConfiguration;
import net.javacrumbs.shedlock.core.LockProvider;
import net.javacrumbs.shedlock.core.LockingTaskExecutor;
import net.javacrumbs.shedlock.core.SimpleLock;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** ShedLock on Holdfast, on a store that two clients share. */
class HoldfastLockProviderTest {
    private static final Duration LONG = Duration.ofMinutes(5);

    private final MemoryStore store = new MemoryStore();
    private final LockClient one = MemoryLocks.connect(store);
    private final LockClient two = MemoryLocks.connect(store);
    private final LockProvider provider = new HoldfastLockProvider(one, "job:");
    private final LockProvider other = new HoldfastLockProvider(two, "job:");

    @AfterEach
    void close() {
        one.close();
        two.close();
    }

    private static LockConfiguration job(Duration most, Duration least) {
        return new LockConfiguration(Instant.now(), "report", most, least);
    }

    @Test
    void lock_held_emptyForOthersUntilUnlocked() {
        SimpleLock lock = provider.lock(job(LONG, Duration.ZERO)).orElseThrow();

        assertThat(other.lock(job(LONG, Duration.ZERO))).isEmpty();
        lock.unlock();

        Optional<SimpleLock> next = other.lock(job(LONG, Duration.ZERO));
        assertThat(next).isPresent();
        next.get().unlock();
        assertThatThrownBy(lock::unlock).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void executor_ofShedLock_runsOneOfTwo() throws Throwable {
        LockingTaskExecutor here = new DefaultLockingTaskExecutor(provider);
        LockingTaskExecutor there = new DefaultLockingTaskExecutor(other);
        AtomicInteger inside = new AtomicInteger();

        here.executeWithLock(
                (LockingTaskExecutor.Task) () -> {
                    inside.incrementAndGet();
                    CompletableFuture.runAsync(() ->
                                    there.executeWithLock((Runnable) inside::incrementAndGet, job(LONG, Duration.ZERO)))
                            .get(20, TimeUnit.SECONDS);
                },
                job(LONG, Duration.ZERO));

        assertThat(inside).hasValue(1);
    }

    @Test
    void lockAtLeastFor_jobWasQuick_takenUntilThenAlsoWhenTheClientIsClosed() {
        Duration least = Duration.ofMillis(2_500);
        LockProvider brief =
                new HoldfastLockProvider(one, "job:", LockOptions.defaults().lease(Duration.ofSeconds(2)));
        long start = TimeSource.system().nanoTime();
        brief.lock(job(LONG, least)).orElseThrow().unlock();
        one.close();

        await().pollInterval(Duration.ofMillis(10))
                .until(() -> other.lock(job(LONG, Duration.ZERO)).isPresent());

        assertThat(Duration.ofNanos(TimeSource.system().nanoTime() - start))
                .isGreaterThanOrEqualTo(least.minus(least.dividedBy(50)));
    }

    @Test
    void lockAtLeastFor_jobTookLonger_givenBackAtOnce() {
        SimpleLock lock = provider.lock(job(LONG, Duration.ofNanos(1))).orElseThrow();

        lock.unlock();

        assertThat(other.lock(job(LONG, Duration.ZERO))).isPresent();
    }

    /** It is longer than a lease, so it was renewed; and it ends though the job goes on. */
    @Test
    void lockAtMostFor_jobGoesOn_renewedUntilThenAndLost() {
        List<LockEvent> events = new CopyOnWriteArrayList<>();
        one.addListener(events::add);
        LockProvider brief =
                new HoldfastLockProvider(one, "job:", LockOptions.defaults().lease(Duration.ofSeconds(2)));

        assertThat(brief.lock(job(Duration.ofSeconds(3), Duration.ZERO))).isPresent();
        await().until(() -> events.stream().anyMatch(LockEvent.Lost.class::isInstance));

        assertThat(events).anyMatch(LockEvent.Renewed.class::isInstance);
        assertThat(events)
                .anyMatch(event -> event instanceof LockEvent.Lost lost && lost.reason() == LostReason.MAX_HOLD);
        await().until(() -> other.lock(job(LONG, Duration.ZERO)).isPresent());
    }

    @Test
    void lock_leaseIsLongerThanLockAtMostFor_isCut() {
        assertThat(provider.lock(job(Duration.ofSeconds(2), Duration.ZERO))).isPresent();

        assertThat(two.inspector()
                        .find(LockKind.LOCK, "job:report")
                        .orElseThrow()
                        .holders())
                .singleElement()
                .satisfies(holder -> assertThat(holder.left()).isLessThanOrEqualTo(Duration.ofSeconds(2)));
    }

    @Test
    void lock_optionsNotSaid_areTheClients() {
        LockClient quick = one.withDefaults(LockOptions.defaults().lease(Duration.ofSeconds(7)));
        assertThat(new HoldfastLockProvider(quick, "job:").lock(job(LONG, Duration.ZERO)))
                .isPresent();

        assertThat(two.inspector()
                        .find(LockKind.LOCK, "job:report")
                        .orElseThrow()
                        .holders())
                .singleElement()
                .satisfies(holder -> assertThat(holder.left()).isLessThanOrEqualTo(Duration.ofSeconds(7)));
    }

    @Test
    void extend_refused() {
        SimpleLock lock = provider.lock(job(LONG, Duration.ZERO)).orElseThrow();

        assertThatThrownBy(() -> lock.extend(LONG, Duration.ZERO)).isInstanceOf(UnsupportedOperationException.class);

        lock.unlock();
    }

    @Test
    void lockAtLeastFor_storeCannotOrNotSoLong_refusedBeforeAnythingIsLocked() {
        try (LockClient session = LockEngine.start(endingWithClient())) {
            LockProvider refusing = new HoldfastLockProvider(session, "job:");
            assertThatThrownBy(() -> refusing.lock(job(LONG, Duration.ofSeconds(1))))
                    .isInstanceOf(UnsupportedOperationException.class)
                    .hasMessageContaining("report");
            assertThat(refusing.lock(job(LONG, Duration.ZERO))).isPresent();
        }
        assertThatThrownBy(() -> provider.lock(job(Duration.ofDays(9), Duration.ofDays(3))))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("24h");
        assertThat(other.lock(job(LONG, Duration.ZERO))).isPresent();
    }

    /** The memory store, but for one answer. */
    private LockBackend endingWithClient() {
        LockBackend target = store.connect();
        return (LockBackend) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {LockBackend.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals("outlivesClient")) {
                        return false;
                    }
                    try {
                        return method.invoke(target, arguments);
                    } catch (InvocationTargetException thrown) {
                        throw thrown.getCause();
                    }
                });
    }
}
