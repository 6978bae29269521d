package io.holdfast.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.DistributedLock;
import io.holdfast.Lease;
import io.holdfast.LockKind;
import io.holdfast.LockOptions;
import io.holdfast.spi.Resource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** The client's own line: who asks the store, for whom, and how often. */
class GateLineTest extends EngineFixture {

    private List<CompletableFuture<Lease>> waiters(DistributedLock lock, int count, List<Integer> order) {
        List<CompletableFuture<Lease>> all = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            int number = i;
            CompletableFuture<Lease> future = lock.acquireAsync();
            future.thenRun(() -> order.add(number));
            all.add(future);
            runtime.run();
        }
        return all;
    }

    // ---- order

    @Test
    void acquire_severalWaitHere_servedInTheOrderInWhichTheyCame() {
        Lease held = lock().acquire();
        List<Integer> order = new ArrayList<>();
        List<CompletableFuture<Lease>> all = waiters(lock(), 20, order);
        long token = held.token();

        held.close();
        runtime.run();
        for (CompletableFuture<Lease> each : all) {
            assertThat(lease(each).token()).isGreaterThan(token);
            token = lease(each).token();
            lease(each).close();
            runtime.run();
        }

        assertThat(order).containsExactly(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19);
    }

    @Test
    void acquire_threadsWaitHere_servedInTheOrderInWhichTheyCame() throws Exception {
        Lease held = lock().acquire();
        List<Actor<Long>> threads = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            threads.add(Actor.does("waiter-" + i, () -> {
                try (Lease lease = lock().acquire()) {
                    return lease.token();
                }
            }));
            threads.get(i).awaitParked();
        }

        held.close();

        List<Long> tokens = new ArrayList<>();
        for (Actor<Long> thread : threads) {
            tokens.add(thread.result());
        }
        assertThat(tokens).containsExactly(2L, 3L, 4L, 5L, 6L);
    }

    @Test
    void tryAcquire_othersWait_doesNotOvertakeThem() {
        Lease held = lock().acquire();
        CompletableFuture<Lease> waits = waiting(lock());
        runtime.worker().stop();
        held.close();

        assertThat(lock().tryAcquire()).as("while the lock is passed on").isEmpty();

        runtime.worker().go();
        assertThat(waits).isCompleted();
    }

    // ---- one claim for the whole line

    @Test
    void acquire_manyWaitForSomebodyElse_oneClaimForAll() {
        backend.attempts(ScriptedBackend.queued(1, seconds(10)));

        waiters(lock(), 10, new ArrayList<>());
        runtime.advance(seconds(5));

        assertThat(backend.attempts())
                .hasSizeGreaterThan(3)
                .allMatch(call -> call.claim().equals(backend.claim(0)));
        assertThat(backend.claim(0).tokens()).isEqualTo(Cohort.USUAL);
    }

    @Test
    void acquire_lockObjectsOfOneName_shareTheLine() {
        Lease held = engine.lock("a").acquire();

        CompletableFuture<Lease> other =
                waiting(engine.lock("a", LockOptions.defaults().lease(seconds(5))));

        assertThat(other).isNotDone();
        assertThat(backend.attempts()).hasSize(1);
        held.close();
        runtime.run();
        assertThat(other).isCompleted();
    }

    @Test
    void acquire_otherNamesAndKinds_standInLinesOfTheirOwn() {
        lock().acquire();

        assertThat(engine.lock("b").tryAcquire()).isPresent();
        assertThat(engine.readWriteLock("a").writeLock().tryAcquire()).isPresent();
        assertThat(backend.attempts())
                .extracting(call -> call.claim().resource())
                .containsExactly(
                        new Resource(LockKind.LOCK, "a", 1),
                        new Resource(LockKind.LOCK, "b", 1),
                        new Resource(LockKind.READ_WRITE, "a", Resource.ALL_READERS));
    }

    @Test
    void acquire_fifo_everyWaiterStandsInTheStoresLineItself() {
        backend.attempts(ScriptedBackend.queued(1, seconds(10)));

        waiters(engine.lock("a", FIFO), 5, new ArrayList<>());

        assertThat(backend.attempts()).hasSize(5);
        assertThat(backend.attempts()).extracting(call -> call.claim().id()).doesNotHaveDuplicates();
        assertThat(backend.attempts()).allMatch(call -> call.claim().tokens() == 1);
    }

    @Test
    void acquire_fifo_heldHere_storeIsAskedAllTheSame() {
        Lease held = engine.lock("a", FIFO).acquire();
        backend.attempts(ScriptedBackend.queued(1, seconds(10)));

        CompletableFuture<Lease> next = waiting(engine.lock("a", FIFO));

        assertThat(backend.attempts()).hasSize(2);
        held.close();
        assertThat(backend.releasesOf(backend.claim(0))).isOne();
        push(backend.claim(1), seconds(3));
        assertThat(next).isCompleted();
    }

    @Test
    void acquire_fifoReadersAndPermits_claimsOfTheirOwn() {
        engine.readWriteLock("rw", FIFO).readLock().acquire();
        engine.readWriteLock("rw", FIFO).readLock().acquire();
        engine.semaphore("s", 3, FIFO).acquire();
        engine.semaphore("s", 3, FIFO).acquire(2);

        assertThat(backend.attempts()).extracting(call -> call.claim().weight()).containsExactly(1, 1, 1, 2);
        assertThat(backend.attempts()).allMatch(call -> call.claim().tokens() == 1);
    }

    // ---- how many trips

    @Test
    void acquire_uncontended_oneAttemptAndOneRelease() {
        lock().acquire().close();
        runtime.advance(seconds(60));

        assertThat(backend.calls()).hasSize(2);
        assertThat(backend.attempts()).hasSize(1);
        assertThat(backend.releases()).hasSize(1);
    }

    @Test
    void acquireAsync_uncontended_oneAttemptAndOneRelease() {
        lease(waiting(lock())).close();
        runtime.advance(seconds(60));

        assertThat(backend.calls()).hasSize(2);
    }

    @Test
    void lock_uncontended_oneAttemptAndOneRelease() {
        lock().lock();
        lock().unlock();

        assertThat(backend.calls()).hasSize(2);
        assertThat(backend.claim(0).label()).isEqualTo(Thread.currentThread().getName());
    }

    @Test
    void tryAcquire_somebodyElseHasIt_oneAttemptAndNoRelease() {
        backend.attempts(ScriptedBackend.busy());

        assertThat(lock().tryAcquire()).isEmpty();
        runtime.advance(seconds(60));

        assertThat(backend.calls()).hasSize(1);
        assertThat(backend.claim(0).waits()).isFalse();
    }

    @Test
    void tryAcquireAsync_zeroAndSomebodyElseHasIt_oneAttemptAndNoRelease() {
        backend.attempts(ScriptedBackend.busy());

        CompletableFuture<Optional<Lease>> future = lock().tryAcquireAsync(Duration.ZERO);
        runtime.advance(seconds(60));

        assertThat(future.join()).isEmpty();
        assertThat(backend.calls()).hasSize(1);
    }

    @Test
    void tryAcquire_heldHere_storeIsNotAsked() throws InterruptedException {
        Lease held = lock().acquire();

        assertThat(lock().tryAcquire()).isEmpty();
        assertThat(lock().tryAcquire(Duration.ZERO)).isEmpty();
        CompletableFuture<Optional<Lease>> async = lock().tryAcquireAsync(Duration.ZERO);
        runtime.run();

        assertThat(async.join()).isEmpty();
        assertThat(backend.calls()).hasSize(1);
        held.close();
        assertThat(lock().tryAcquire()).isPresent();
    }

    @Test
    void tryAcquire_somebodyWaitsHere_storeIsNotAsked() {
        queued(lock());

        assertThat(lock().tryAcquire()).isEmpty();

        assertThat(backend.attempts()).hasSize(1);
    }

    @Test
    void lock_reentry_storeIsNotAsked() throws InterruptedException {
        DistributedLock lock = lock();
        lock.lock();

        lock.lock();
        lock.lockInterruptibly();
        assertThat(lock.tryLock()).isTrue();
        assertThat(engine.lock("a").tryLock(1, TimeUnit.SECONDS)).isTrue();
        assertThat(lock.tryLock(Duration.ZERO, seconds(5))).isTrue();

        assertThat(lock.holdCount()).isEqualTo(6);
        for (int i = 0; i < 5; i++) {
            lock.unlock();
        }
        assertThat(backend.calls()).hasSize(1);
        lock.unlock();
        assertThat(backend.calls()).hasSize(2);
    }

    @Test
    void tryLock_otherThreadHasIt_false() throws Exception {
        lock().lock();

        assertThat(Actor.does("other", () -> lock().tryLock()).result()).isFalse();

        assertThat(backend.calls()).hasSize(1);
        lock().unlock();
    }
}
