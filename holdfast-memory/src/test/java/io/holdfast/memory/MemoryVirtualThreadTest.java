package io.holdfast.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.DistributedLock;
import io.holdfast.Fairness;
import io.holdfast.Lease;
import io.holdfast.LockClient;
import io.holdfast.LockEvent;
import io.holdfast.LockListener;
import io.holdfast.LockOptions;
import io.holdfast.LostReason;
import io.holdfast.spi.TimeSource;
import io.holdfast.testing.ManualTime;
import java.lang.reflect.Method;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntConsumer;
import java.util.stream.IntStream;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Locks taken by virtual threads. Runs on a Java that has them, compiled for one that has not. */
@Timeout(value = 180, unit = TimeUnit.SECONDS)
class MemoryVirtualThreadTest {
    private static final String PINNED = "jdk.VirtualThreadPinned";

    private static final int MANY = 10_000;
    private static final long PATIENCE_SECONDS = 90;
    private static final String NAME = "order:42";
    private static final LockOptions FIFO = LockOptions.defaults().fairness(Fairness.FIFO);

    /** The store's clocks stand still, so that nobody loses a place in the line because the machine is slow. */
    private static final TimeSource STANDSTILL = new ManualTime();

    private final LockClient locks = MemoryLocks.connect(new MemoryStore(STANDSTILL));

    @AfterEach
    void close() {
        locks.close();
    }

    /** Runs in a virtual thread; what it throws comes out of the future. */
    private static <T> CompletableFuture<T> virtual(Callable<T> action) throws ReflectiveOperationException {
        Method start = Thread.class.getMethod("startVirtualThread", Runnable.class);
        CompletableFuture<T> result = new CompletableFuture<>();
        Runnable task = () -> {
            try {
                result.complete(action.call());
            } catch (Throwable failure) {
                result.completeExceptionally(failure);
            }
        };
        start.invoke(null, task);
        return result;
    }

    private static <T> T result(CompletableFuture<T> future)
            throws InterruptedException, ExecutionException, TimeoutException {
        return future.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
    }

    /** Holds the lock, starts many that want it, each when the one before it waits, and gives it back. */
    private void pileUp(DistributedLock lock, int many, IntConsumer underLock) throws Exception {
        Semaphore waits = new Semaphore(0);
        LockListener counter = event -> {
            if (event instanceof LockEvent.Contended) {
                waits.release();
            }
        };
        locks.addListener(counter);
        List<CompletableFuture<Void>> all = new ArrayList<>(many);
        try (Lease first = lock.acquire()) {
            for (int i = 0; i < many; i++) {
                int number = i;
                all.add(virtual(() -> {
                    try (Lease lease = lock.acquire()) {
                        underLock.accept(number);
                        return null;
                    }
                }));
                assertThat(waits.tryAcquire(PATIENCE_SECONDS, TimeUnit.SECONDS))
                        .as("thread %s waits", number)
                        .isTrue();
            }
            assertThat(all).noneMatch(CompletableFuture::isDone);
        }
        for (CompletableFuture<Void> each : all) {
            result(each);
        }
        locks.removeListener(counter);
    }

    @Test
    void acquire_tenThousandVirtualThreadsUnderFifo_servesEachInOrder() throws Exception {
        List<Integer> served = new ArrayList<>(MANY); // guarded by the lock under test

        pileUp(locks.lock(NAME, FIFO), MANY, served::add);

        assertThat(served)
                .containsExactlyElementsOf(IntStream.range(0, MANY).boxed().toList());
    }

    @Test
    void acquire_tenThousandVirtualThreadsUnderThroughput_servesEach() throws Exception {
        List<Integer> served = new ArrayList<>(MANY); // guarded by the lock under test

        pileUp(locks.lock(NAME), MANY, served::add);

        assertThat(served)
                .containsExactlyInAnyOrderElementsOf(
                        IntStream.range(0, MANY).boxed().toList());
    }

    @Test
    void acquire_contendedVirtualThreads_pinsNoCarrier(@TempDir Path folder) throws Exception {
        // What a first use loads and links happens before: loading a class may pin, once.
        pileUp(locks.lock(NAME), 3, number -> {});
        pileUp(locks.lock(NAME, FIFO), 3, number -> {});

        List<RecordedEvent> pinned = pinned(folder.resolve("locks.jfr"), () -> {
            pileUp(locks.lock(NAME), 1_000, number -> {});
            pileUp(locks.lock(NAME, FIFO), 1_000, number -> {});
            return null;
        });

        assertThat(pinned).filteredOn(MemoryVirtualThreadTest::isOurs).isEmpty();
    }

    @Test
    void pinned_parkWithNativeFrameOnTheStack_isSeen(@TempDir Path folder) throws Exception {
        List<RecordedEvent> pinned =
                pinned(folder.resolve("control.jfr"), () -> result(virtual(() -> ParksWhileItLoads.loaded)));

        assertThat(pinned).filteredOn(MemoryVirtualThreadTest::isOurs).isNotEmpty();
    }

    /** Shows that a pinned carrier would be noticed: the virtual machine calls a class initializer from native code. */
    private static final class ParksWhileItLoads {
        static boolean loaded;

        static {
            LockSupport.parkNanos(Duration.ofMillis(5).toNanos());
            loaded = true;
        }
    }

    private static List<RecordedEvent> pinned(Path file, Callable<?> action) throws Exception {
        try (Recording recording = new Recording()) {
            recording.enable(PINNED).withThreshold(Duration.ZERO).withStackTrace();
            recording.start();
            action.call();
            recording.stop();
            recording.dump(file);
        }
        return RecordingFile.readAllEvents(file).stream()
                .filter(event -> event.getEventType().getName().equals(PINNED))
                .toList();
    }

    private static boolean isOurs(RecordedEvent event) {
        return event.getStackTrace() != null
                && event.getStackTrace().getFrames().stream()
                        .anyMatch(frame -> frame.getMethod().getType().getName().startsWith("io.holdfast."));
    }

    @Test
    void close_leaseOfAnotherVirtualThread_givesTheLockBack() throws Exception {
        DistributedLock lock = locks.lock(NAME);
        Lease lease = result(virtual(lock::acquire));
        assertThat(lease.isValid()).isTrue();
        assertThat(lock.tryAcquire()).isEmpty();

        result(virtual(() -> {
            lease.close();
            return null;
        }));

        assertThat(lease.isValid()).isFalse();
        try (Lease next = lock.tryAcquire().orElseThrow()) {
            assertThat(next.token()).isGreaterThan(lease.token());
        }
    }

    @Test
    @SuppressWarnings("LockNotBeforeTry") // the holds are what is looked at, one by one
    void lock_ownedByVirtualThread_reentersAndShutsOthersOut() throws Exception {
        DistributedLock lock = locks.lock(NAME);

        List<Integer> holds = result(virtual(() -> {
            List<Integer> seen = new ArrayList<>();
            lock.lock();
            lock.lock();
            seen.add(lock.holdCount());
            assertOtherThreadCanLock(lock, false);
            lock.unlock();
            seen.add(lock.holdCount());
            assertOtherThreadCanLock(lock, false);
            lock.unlock();
            seen.add(lock.holdCount());
            return seen;
        }));

        assertThat(holds).containsExactly(2, 1, 0);
        assertOtherThreadCanLock(lock, true);
    }

    private static void assertOtherThreadCanLock(DistributedLock lock, boolean expected) throws Exception {
        boolean locked = result(virtual(() -> {
            boolean mine = lock.tryLock();
            if (mine) {
                lock.unlock();
            }
            return mine;
        }));
        assertThat(locked).isEqualTo(expected);
    }

    @Test
    void lock_virtualOwnerEndsWithoutUnlock_isLostAndGoesToTheNext() throws Exception {
        Queue<LostReason> losses = new ConcurrentLinkedQueue<>();
        LockOptions brief = LockOptions.defaults().lease(Duration.ofSeconds(3));
        try (LockClient running = MemoryLocks.create(brief)) {
            running.addListener(event -> {
                if (event instanceof LockEvent.Lost lost) {
                    losses.add(lost.reason());
                }
            });
            DistributedLock lock = running.lock(NAME);
            Lease abandoned = result(virtual(() -> {
                lock.lock();
                return lock.lease();
            }));

            try (Lease next =
                    lock.tryAcquire(Duration.ofSeconds(PATIENCE_SECONDS)).orElseThrow()) {
                assertThat(next.token()).isGreaterThan(abandoned.token());
            }

            assertThat(abandoned.isValid()).isFalse();
            await().atMost(Duration.ofSeconds(PATIENCE_SECONDS))
                    .untilAsserted(() -> assertThat(losses).containsExactly(LostReason.OWNER_DIED));
        }
    }
}
