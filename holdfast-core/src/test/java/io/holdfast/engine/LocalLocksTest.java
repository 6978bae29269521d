package io.holdfast.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.Lease;
import io.holdfast.LockKind;
import io.holdfast.spi.Resource;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Names come and go by the million; what is in use stays. */
class LocalLocksTest extends EngineFixture {
    private final EngineParts parts = new EngineParts("other", new ScriptedBackend(runtime), runtime);
    private final LocalLocks locks = new LocalLocks(parts.gates);

    private static Resource resource(String name) {
        return new Resource(LockKind.LOCK, name, 1);
    }

    /** Collects garbage until this one thing is gone. */
    private static void collect(WeakReference<?> reference) {
        await().atMost(Duration.ofSeconds(20)).until(() -> {
            System.gc();
            return reference.refersTo(null);
        });
    }

    /** Collects garbage for certain: what nobody refers to is gone afterwards. */
    private static void collect() {
        collect(new WeakReference<>(new Object()));
    }

    @Test
    void of_sameResource_sameLocalLock() {
        LocalLock first = locks.of(resource("a"));

        assertThat(locks.of(resource("a"))).isSameAs(first);
        assertThat(locks.of(resource("b"))).isNotSameAs(first);
        assertThat(locks.of(new Resource(LockKind.READ_WRITE, "a", 1))).isNotSameAs(first);
        assertThat(locks.size()).isLessThanOrEqualTo(3);
    }

    @Test
    void of_unusedNames_forgotten() {
        for (int i = 0; i < 1_000; i++) {
            locks.of(resource("order:" + i));
        }

        await().atMost(Duration.ofSeconds(20)).until(() -> {
            System.gc();
            locks.of(resource("another"));
            return locks.size() <= 1;
        });
    }

    @Test
    void of_nameInUse_kept() {
        LocalLock used = locks.of(resource("used"));
        WeakReference<LocalLock> unused = new WeakReference<>(locks.of(resource("unused")));

        collect(unused);

        assertThat(locks.of(resource("used"))).isSameAs(used);
    }

    @Test
    void of_forgottenName_freshOne() {
        collect(new WeakReference<>(locks.of(resource("a"))));

        LocalLock fresh = locks.of(resource("a"));

        assertThat(fresh.resource()).isEqualTo(resource("a"));
        assertThat(locks.of(resource("a"))).isSameAs(fresh);
    }

    // ---- through the client

    @Test
    void lock_droppedLockObject_unlockedThroughANewOne() {
        engine.lock("a").lock();
        engine.lock("a").lock();

        collect();

        assertThat(engine.lock("a").isHeldByCurrentThread()).isTrue();
        assertThat(engine.lock("a").holdCount()).isEqualTo(2);
        engine.lock("a").unlock();
        collect();
        engine.lock("a").unlock();
        assertThat(backend.releases()).hasSize(1);
        assertThat(engine.lock("a").holdCount()).isZero();
    }

    @Test
    void readWriteLock_droppedLockObject_unlockedThroughANewOne() {
        engine.readWriteLock("a").writeLock().lock();
        engine.readWriteLock("a").readLock().lock();

        collect();

        engine.readWriteLock("a").writeLock().unlock();
        collect();
        engine.readWriteLock("a").readLock().unlock();
        assertThat(backend.calls()).hasSize(2);
    }

    @Test
    void acquire_droppedLockObject_gateIsKeptForTheLease() {
        Lease lease = engine.lock("a").acquire();

        collect();

        assertThat(engine.lock("a").tryAcquire()).isEmpty();
        assertThat(backend.attempts()).as("the store need not be asked").hasSize(1);
        lease.close();
        assertThat(engine.lock("a").tryAcquire()).isPresent();
    }

    @Test
    void acquireAsync_droppedLockObject_gateIsKeptForTheWaiter() {
        CompletableFuture<Lease> waits = queued(engine.lock("a"));

        collect();
        CompletableFuture<Lease> second = queued(engine.lock("a"));

        assertThat(backend.attempts()).hasSize(1);
        push(backend.claim(0), seconds(3));
        lease(waits).close();
        runtime.run();
        assertThat(second).isCompleted();
    }

    @Test
    void lock_everyLockGivenBack_nothingIsKept() {
        List<WeakReference<Lease>> leases = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            Lease lease = engine.lock("order:" + i).acquire();
            leases.add(new WeakReference<>(lease));
            lease.close();
        }
        engine.lock("order:last").acquire().close();

        await().atMost(Duration.ofSeconds(20)).until(() -> {
            System.gc();
            return leases.stream().filter(lease -> !lease.refersTo(null)).count() <= 1;
        });
        assertThat(engine.leftovers()).isZero();
    }
}
