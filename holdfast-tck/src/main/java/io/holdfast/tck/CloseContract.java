package io.holdfast.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.DistributedLatch;
import io.holdfast.DistributedLock;
import io.holdfast.DistributedSemaphore;
import io.holdfast.Fairness;
import io.holdfast.Lease;
import io.holdfast.LockClient;
import io.holdfast.LockKind;
import io.holdfast.LockOptions;
import io.holdfast.MultiLock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/**
 * A client that is closed gives back, tells who waits, and leaves no thread.
 *
 * @since 0.1
 */
@SuppressWarnings("LockNotBeforeTry") // The client that is closed unlocks.
public abstract class CloseContract extends Contract {

    /** For subclasses. */
    protected CloseContract() {}

    @Test
    void close_heldInEveryWay_givesEverythingBack() throws InterruptedException {
        LockClient client = client();
        String lock = name("lock");
        String locked = name("locked");
        String several = name("several");
        Lease lease = client.lock(lock).acquire();
        client.lock(locked).lock();
        client.allOf(several).acquire();
        client.semaphore(lock, 2).acquire(2);
        client.readWriteLock(lock).readLock().acquire();

        client.close();

        assertThat(lease.isValid()).isFalse();
        assertFree(lock);
        assertFree(locked);
        assertFree(several);
        assertThat(stranger().semaphore(lock, 2).taking(2).tryAcquire(patience()))
                .isPresent();
        assertThat(stranger().readWriteLock(lock).writeLock().tryAcquire(patience()))
                .isPresent();
    }

    @Test
    void close_threadsAndFuturesWait_allAreToldWhichClient() {
        for (LockOptions options : List.of(defaults(), defaults().fairness(Fairness.FIFO))) {
            String name = name("waiting");
            Lease held = stranger().lock(name).acquire();
            LockClient client = client(options);
            DistributedLock lock = client.lock(name);
            List<Crew.Hand<?>> threads = List.of(
                    crew().ask("acquire", lock::acquire),
                    crew().ask("acquireInterruptibly", lock::acquireInterruptibly),
                    crew().ask("tryAcquire", () -> lock.tryAcquire(Duration.ofMinutes(1))),
                    crew().run("lock", lock::lock),
                    crew().run("latch", () -> client.latch(name, 1).await()));
            List<CompletableFuture<?>> futures =
                    List.of(lock.acquireAsync(), lock.tryAcquireAsync(Duration.ofMinutes(1)));
            awaitContended(client, name, 6);
            soon("the latch")
                    .until(() -> !look(LockKind.LATCH, name).waiting().isEmpty()
                            || !fixture().keepsLine());

            client.close();

            for (Crew.Hand<?> thread : threads) {
                assertThat(thread.failure())
                        .as(thread.name())
                        .isInstanceOf(IllegalStateException.class)
                        .hasMessageContaining(client.id());
            }
            for (CompletableFuture<?> future : futures) {
                assertThatThrownBy(() -> future.orTimeout(patience().toSeconds(), TimeUnit.SECONDS)
                                .join())
                        .isInstanceOf(CompletionException.class)
                        .cause()
                        .isInstanceOf(IllegalStateException.class)
                        .hasMessageContaining(client.id());
            }
            assertThat(held.isValid()).isTrue();
            awaitWaiting(LockKind.LOCK, name, 0);
            held.close();
            assertFree(name);
        }
    }

    @Test
    void calls_closedClient_areRefusedNamingIt() {
        LockClient client = client();
        String name = name("closed");
        DistributedLock lock = client.lock(name);
        DistributedSemaphore semaphore = client.semaphore(name, 2);
        MultiLock several = client.allOf(name, name("more"));
        DistributedLatch latch = client.latch(name, 1);
        client.close();

        List<ThrowingCallable> calls = List.of(
                lock::acquire,
                lock::tryAcquire,
                lock::acquireInterruptibly,
                () -> lock.tryAcquire(Duration.ofSeconds(1)),
                lock::lock,
                lock::tryLock,
                lock::lockInterruptibly,
                () -> lock.tryLock(1, TimeUnit.SECONDS),
                () -> lock.tryLock(Duration.ZERO, Duration.ofSeconds(1)),
                semaphore::acquire,
                semaphore::tryAcquire,
                several::acquire,
                several::tryAcquire,
                several::lock,
                latch::countDown,
                latch::count,
                latch::await,
                () -> client.lock(name("new")).acquire(),
                () -> client.readWriteLock(name("new")).readLock().acquire(),
                () -> client.election(name("new")).leader(),
                () -> client.election(name("new")).stand(term -> {}));
        for (int i = 0; i < calls.size(); i++) {
            assertThatThrownBy(calls.get(i))
                    .as("call %s", i)
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining(client.id());
        }
        assertRefused(client, () -> lock.acquireAsync());
        assertRefused(client, () -> lock.tryAcquireAsync(Duration.ofSeconds(1)));
        assertRefused(client, () -> several.acquireAsync());
        assertRefused(client, () -> latch.awaitAsync());
        assertFree(name);
    }

    private interface AsyncCall {
        CompletableFuture<?> start();
    }

    /** An asynchronous call may refuse at once or through its future. */
    private void assertRefused(LockClient client, AsyncCall call) {
        assertThatThrownBy(() -> {
                    try {
                        call.start()
                                .orTimeout(patience().toSeconds(), TimeUnit.SECONDS)
                                .join();
                    } catch (CompletionException failure) {
                        throw failure.getCause() == null ? failure : failure.getCause();
                    }
                })
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining(client.id());
    }

    @Test
    void close_twice_doesNothing() {
        LockClient client = client();
        String name = name("twice");
        client.lock(name).acquire();
        client.close();
        client.close();
        assertFree(name);
    }

    @Test
    void close_leasesClosedAfterwards_doNothing() {
        LockClient client = client();
        String name = name("afterwards");
        Lease lease = client.lock(name).acquire();
        client.close();
        try (Lease next = stranger().lock(name).acquire()) {
            lease.close();
            assertThat(next.isValid()).isTrue();
        }
    }

    @Test
    void close_usedClient_leavesNoThread() {
        LockClient client = client();
        String name = name("threads");
        Lease lease = client.lock(name, lease(5_000)).acquire();
        client.lock(name("async")).acquireAsync().join();
        client.election(name).stand(term -> Thread.onSpinWait());
        Crew.Hand<Lease> waiter = crew().ask("waiter", client.lock(name)::acquire);
        awaitContended(client, name, 1);
        soon("threads with the name of the client")
                .until(() -> !threadsOf(client).isEmpty());
        assertThat(lease.name()).isEqualTo(name);

        client.close();

        assertThat(waiter.failure()).isInstanceOf(IllegalStateException.class);
        soon("no thread with the name of the client")
                .untilAsserted(() -> assertThat(threadsOf(client)).isEmpty());
    }

    private static List<String> threadsOf(LockClient client) {
        return Thread.getAllStackTraces().keySet().stream()
                .map(Thread::getName)
                .filter(name -> name.contains(client.id()))
                .toList();
    }

    @Test
    void close_whileThreadsComeAndGo_leavesEverythingFree() {
        for (int round = 0; round < 15; round++) {
            LockClient client = client();
            List<String> names = List.of(name("busy"), name("busy"));
            List<Crew.Hand<?>> threads = new ArrayList<>();
            for (int t = 0; t < 4; t++) {
                DistributedLock lock = client.lock(names.get(t % 2));
                threads.add(crew().run("busy " + t, () -> {
                    while (!Thread.currentThread().isInterrupted()) {
                        lock.acquire().close();
                    }
                }));
            }
            awaitContended(client, names.get(0), 1);

            client.close();

            for (Crew.Hand<?> thread : threads) {
                assertThat(thread.failure())
                        .isInstanceOf(IllegalStateException.class)
                        .hasMessageContaining(client.id());
            }
            names.forEach(this::assertFree);
        }
    }

    @Test
    void id_everyClient_isItsOwn() {
        LockClient one = client();
        LockClient other = client();
        assertThat(one.id()).isNotEqualTo(other.id()).matches("[\\p{L}\\p{N}]+");
        assertThat(one.id()).isEqualTo(one.id());
    }
}
