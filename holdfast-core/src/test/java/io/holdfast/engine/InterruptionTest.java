package io.holdfast.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.Lease;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** An interrupt is thrown or restored, at every place where a thread can be, and nothing is leaked. */
class InterruptionTest extends EngineFixture {

    /** A blocking method that an interrupt ends. */
    interface Blocking {
        Object on(LockEngine engine) throws Exception;
    }

    static Stream<Named<Blocking>> interruptible() {
        return Stream.of(
                Named.of("acquireInterruptibly", engine -> engine.lock("a").acquireInterruptibly()),
                Named.of("tryAcquire(wait)", engine -> engine.lock("a").tryAcquire(Duration.ofMinutes(1))),
                Named.of("tryAcquire(0)", engine -> engine.lock("a").tryAcquire(Duration.ZERO)),
                Named.of("lockInterruptibly", engine -> {
                    engine.lock("a").lockInterruptibly();
                    return true;
                }),
                Named.of("tryLock(time)", engine -> engine.lock("a").tryLock(1, TimeUnit.MINUTES)),
                Named.of("tryLock(0)", engine -> engine.lock("a").tryLock(0, TimeUnit.MINUTES)),
                Named.of(
                        "tryLock(wait, lease)",
                        engine -> engine.lock("a").tryLock(Duration.ofMinutes(1), Duration.ofSeconds(5))),
                Named.of("fifo", engine -> engine.lock("a", FIFO).acquireInterruptibly()),
                Named.of(
                        "readLock",
                        engine -> engine.readWriteLock("a").readLock().acquireInterruptibly()),
                Named.of("semaphore", engine -> engine.semaphore("a", 1).acquireInterruptibly()),
                Named.of("latch", engine -> {
                    engine.latch("a", 1).await();
                    return true;
                }),
                Named.of("latch(wait)", engine -> engine.latch("a", 1).await(Duration.ofMinutes(1))),
                Named.of("allOf", engine -> engine.allOf("a", "b").acquireInterruptibly()),
                Named.of(
                        "allOf.tryAcquire(wait)",
                        engine -> engine.allOf("a", "b").tryAcquire(Duration.ofMinutes(1))),
                Named.of("allOf.lockInterruptibly", engine -> {
                    engine.allOf("a", "b").lockInterruptibly();
                    return true;
                }),
                Named.of("allOf.tryLock(time)", engine -> engine.allOf("a", "b").tryLock(1, TimeUnit.MINUTES)));
    }

    static Stream<Named<Blocking>> parkable() {
        return interruptible().filter(each -> !each.getName().endsWith("(0)"));
    }

    static Stream<Named<Blocking>> uninterruptible() {
        return Stream.of(
                Named.of("acquire", engine -> engine.lock("a").acquire()),
                Named.of("acquire fifo", engine -> engine.lock("a", FIFO).acquire()),
                Named.of("lock", engine -> {
                    engine.lock("a").lock();
                    return true;
                }),
                Named.of("semaphore", engine -> engine.semaphore("a", 1).acquire()),
                Named.of("allOf", engine -> engine.allOf("a", "b").acquire()),
                Named.of("allOf.lock", engine -> {
                    engine.allOf("a", "b").lock();
                    return true;
                }));
    }

    @AfterEach
    void testThreadIsNotInterrupted() {
        assertThat(Thread.interrupted())
                .as("interrupt flag left on the test's thread")
                .isFalse();
    }

    private static <T> T interrupted(Callable<T> call) throws Exception {
        Thread.currentThread().interrupt();
        return call.call();
    }

    // ---- before

    @ParameterizedTest
    @MethodSource("interruptible")
    void interruptible_interruptedBefore_throwsAndAsksNothing(Blocking method) {
        assertThatThrownBy(() -> interrupted(() -> method.on(engine)))
                .isInstanceOf(InterruptedException.class)
                .hasMessageContaining("a");

        assertThat(Thread.currentThread().isInterrupted()).isFalse();
        assertThat(backend.calls()).isEmpty();
        assertThat(engine.leftovers()).isZero();
    }

    @ParameterizedTest
    @MethodSource("uninterruptible")
    void uninterruptible_interruptedBefore_acquiresAndKeepsTheFlag(Blocking method) throws Exception {
        Actor<Boolean> thread = Actor.does("thread", () -> {
            Thread.currentThread().interrupt();
            method.on(engine);
            return Thread.currentThread().isInterrupted();
        });

        assertThat(thread.result()).isTrue();
        assertThat(backend.attempts()).isNotEmpty();
    }

    @Test
    void tryAcquire_interruptedBefore_triesAndKeepsTheFlag() throws Exception {
        Lease lease = interrupted(() -> lock().tryAcquire().orElseThrow());
        assertThat(Thread.interrupted()).isTrue();
        lease.close();

        assertThat(interrupted(() -> lock().tryLock())).isTrue();
        assertThat(Thread.interrupted()).isTrue();
        lock().unlock();
    }

    // ---- while parked

    @ParameterizedTest
    @MethodSource("parkable")
    void interruptible_interruptedInTheStoresLine_throwsAndLeavesIt(Blocking method) throws Exception {
        backend.attempts(ScriptedBackend.queued(1, seconds(10)));
        Actor<Object> thread = Actor.does("thread", () -> method.on(engine));
        thread.awaitParked();

        thread.interrupt();

        assertThat(thread.failure()).isInstanceOf(InterruptedException.class).hasMessageContaining("'a'");
        assertThat(backend.releasesOf(backend.claim(0))).isOne();
        assertThat(engine.leftovers()).isZero();
    }

    @Test
    void acquireInterruptibly_interruptedBehindAHolderHere_throwsAndLeavesTheLine() throws Exception {
        Lease held = lock().acquire();
        Actor<Lease> thread = Actor.does("thread", () -> lock().acquireInterruptibly());
        thread.awaitParked();

        thread.interrupt();

        assertThat(thread.failure()).isInstanceOf(InterruptedException.class);
        assertThat(backend.attempts()).hasSize(1);
        held.close();
        assertThat(backend.releases()).as("nobody waits any more").hasSize(1);
    }

    @Test
    void allOf_interruptedForTheSecond_firstIsGivenBack() throws Exception {
        backend.nextAttempt(this::grant);
        backend.attempts(ScriptedBackend.queued(1, seconds(10)));
        Actor<Object> thread = Actor.does("thread", () -> engine.allOf("a", "b").acquireInterruptibly());
        thread.awaitParked();

        thread.interrupt();

        assertThat(thread.failure()).isInstanceOf(InterruptedException.class);
        assertThat(backend.releases()).hasSize(2);
        assertThat(engine.leftovers()).isZero();
    }

    @ParameterizedTest
    @MethodSource("uninterruptible")
    void uninterruptible_interruptedWhileParked_waitsOnAndKeepsTheFlag(Blocking method) throws Exception {
        backend.nextAttempt(ScriptedBackend.queued(1, seconds(10)));
        Actor<Boolean> thread = Actor.does("thread", () -> {
            method.on(engine);
            return Thread.currentThread().isInterrupted();
        });
        thread.awaitParked();

        thread.interrupt();
        thread.awaitParked();
        backend.push(backend.claim(0), 1, seconds(30), runtime.nanoTime());

        assertThat(thread.result()).isTrue();
    }

    // ---- in the store call

    @Test
    void acquireInterruptibly_interruptedInTheStoreCallThatQueues_throwsAndLeavesTheLine() throws Exception {
        backend.attempts(claim -> {
            Thread.currentThread().interrupt();
            return ScriptedBackend.queued(1, seconds(10)).apply(claim);
        });

        assertThatThrownBy(() -> lock().acquireInterruptibly()).isInstanceOf(InterruptedException.class);

        assertThat(Thread.currentThread().isInterrupted()).isFalse();
        assertThat(backend.releasesOf(backend.claim(0))).isOne();
        assertThat(engine.leftovers()).isZero();
    }

    @Test
    void acquireInterruptibly_interruptedInTheStoreCallThatThrows_throwsAndSettles() throws Exception {
        backend.attempts(claim -> {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while reading the reply");
        });

        assertThatThrownBy(() -> lock().acquireInterruptibly()).isInstanceOf(InterruptedException.class);

        assertThat(backend.attempts()).hasSize(1);
        runtime.advance(seconds(10));
        assertThat(backend.releasesOf(backend.claim(0))).isGreaterThanOrEqualTo(2);
        assertThat(engine.leftovers()).isZero();
    }

    @Test
    void acquireInterruptibly_interruptedInTheStoreCallThatGrants_leaseAndFlagOrNeither() throws Exception {
        backend.attempts(claim -> {
            Thread.currentThread().interrupt();
            return grant(claim);
        });

        Lease lease = lock().acquireInterruptibly();

        assertThat(Thread.interrupted()).as("restored").isTrue();
        assertThat(lease.isValid()).isTrue();
        lease.close();
        assertThat(backend.releases()).hasSize(1);
    }

    @Test
    void acquire_interruptedInTheStoreCall_waitsOnAndKeepsTheFlag() throws Exception {
        backend.nextAttempt(claim -> {
            Thread.currentThread().interrupt();
            return ScriptedBackend.queued(1, Duration.ZERO).apply(claim);
        });
        Actor<Boolean> thread = Actor.does("thread", () -> {
            lock().acquire().close();
            return Thread.currentThread().isInterrupted();
        });
        thread.awaitParked();
        backend.push(backend.claim(0), 1, seconds(30), runtime.nanoTime());

        assertThat(thread.result()).isTrue();
    }

    @Test
    void close_interruptedThread_releasesAndKeepsTheFlag() throws Exception {
        Lease lease = lock().acquire();

        interrupted(() -> {
            lease.close();
            return true;
        });

        assertThat(Thread.interrupted()).isTrue();
        assertThat(backend.releases()).hasSize(1);
    }

    /** A client of a store may park inside its call, and use up a wake-up that was meant for the wait. */
    @Test
    void acquire_signalComesWhileTheStoreCallParks_notLost() throws Exception {
        backend.nextAttempt(claim -> {
            backend.push(claim, 7, seconds(30), runtime.nanoTime());
            LockSupport.parkNanos(seconds(5).toNanos());
            return new io.holdfast.spi.AttemptResult.Busy(seconds(10));
        });

        Actor<Long> thread = Actor.does("thread", () -> {
            try (Lease lease = lock().acquire()) {
                return lease.token();
            }
        });

        assertThat(thread.result()).isEqualTo(7);
        assertThat(backend.attempts()).hasSize(1);
    }
}
