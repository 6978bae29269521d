package io.holdfast.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.DistributedLock;
import io.holdfast.DistributedReadWriteLock;
import io.holdfast.DistributedSemaphore;
import io.holdfast.Fairness;
import io.holdfast.Lease;
import io.holdfast.LockClient;
import io.holdfast.LockKind;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Lock;
import org.junit.jupiter.api.Test;

/**
 * What those who know {@code ReentrantLock}, {@code ReentrantReadWriteLock} and {@code Semaphore} expect of every lock
 * that is a {@link Lock}, and where a lock between processes is another thing. The differences stand in one table, in
 * {@code docs/guide/jdk-locks.md}.
 *
 * @since 0.1
 */
@SuppressWarnings("LockNotBeforeTry") // These tests look between lock and unlock; a failure closes the client.
public abstract class LockViewContract extends Contract {

    /** For subclasses. */
    protected LockViewContract() {}

    /** A way to lock. */
    private interface Way {
        boolean take(Lock lock) throws InterruptedException;
    }

    private static final List<Way> WAYS = List.of(
            lock -> {
                lock.lock();
                return true;
            },
            lock -> {
                lock.lockInterruptibly();
                return true;
            },
            Lock::tryLock,
            lock -> lock.tryLock(1, TimeUnit.MINUTES));

    /** Everything that is a lock for one thread at a time. */
    private List<Lock> exclusive(LockClient client) {
        return List.of(
                client.lock(name("lock")),
                client.lock(name("fifo"), defaults().fairness(Fairness.FIFO)),
                client.readWriteLock(name("write")).writeLock(),
                client.allOf(name("one"), name("two")));
    }

    private boolean anotherThreadGets(Lock lock) {
        return crew().ask("another", () -> {
                    boolean got = lock.tryLock();
                    if (got) {
                        lock.unlock();
                    }
                    return got;
                })
                .result();
    }

    // ---- as in the JDK

    @Test
    void lock_everyWay_excludesOtherThreadsUntilTheLastUnlock() throws InterruptedException {
        for (Lock lock : exclusive(client())) {
            for (Way way : WAYS) {
                assertThat(way.take(lock)).isTrue();
                assertThat(way.take(lock)).as("re-entry").isTrue();
                assertThat(anotherThreadGets(lock)).as("%s, held twice", lock).isFalse();
                lock.unlock();
                assertThat(anotherThreadGets(lock)).as("%s, held once", lock).isFalse();
                lock.unlock();
            }
            assertThat(anotherThreadGets(lock)).as("%s, free", lock).isTrue();
        }
    }

    @Test
    void unlock_notTheOwner_throwsAndChangesNothing() {
        for (Lock lock : exclusive(client())) {
            assertThatThrownBy(lock::unlock).isInstanceOf(IllegalMonitorStateException.class);
            lock.lock();
            Crew.Hand<Boolean> stranger = crew().run("stranger", lock::unlock);
            assertThat(stranger.failure()).isInstanceOf(IllegalMonitorStateException.class);
            assertThat(anotherThreadGets(lock)).isFalse();
            lock.unlock();
            assertThatThrownBy(lock::unlock).isInstanceOf(IllegalMonitorStateException.class);
        }
    }

    @Test
    void tryLock_heldByAnotherThread_falseAtOnceOrWhenTheTimeIsUp() {
        for (Lock lock : exclusive(client())) {
            lock.lock();
            Crew.Hand<Long> waited = crew().ask("another", () -> {
                assertThat(lock.tryLock()).isFalse();
                assertThat(lock.tryLock(0, TimeUnit.SECONDS)).isFalse();
                assertThat(lock.tryLock(-1, TimeUnit.SECONDS)).isFalse();
                long start = nanoTime();
                assertThat(lock.tryLock(20, TimeUnit.MILLISECONDS)).isFalse();
                return nanoTime() - start;
            });
            assertThat(waited.result()).isGreaterThanOrEqualTo(TimeUnit.MILLISECONDS.toNanos(20));
            lock.unlock();
        }
    }

    @Test
    void holdCount_deepNest_countsEachLevelForItsThreadOnly() {
        LockClient client = client();
        DistributedReadWriteLock pair = client.readWriteLock(name("pair"));
        for (DistributedLock lock : List.of(client.lock(name("lock")), pair.writeLock(), pair.readLock())) {
            for (int level = 1; level <= 50; level++) {
                lock.lock();
                assertThat(lock.holdCount()).isEqualTo(level);
                assertThat(lock.isHeldByCurrentThread()).isTrue();
            }
            assertThat(crew().ask("another", lock::holdCount).result()).isZero();
            for (int level = 49; level >= 0; level--) {
                lock.unlock();
                assertThat(lock.holdCount()).isEqualTo(level);
            }
            assertThat(lock.isHeldByCurrentThread()).isFalse();
        }
    }

    @Test
    void readAndWriteLock_ofOneThread_countApart() {
        DistributedReadWriteLock lock = client().readWriteLock(name("apart"));
        lock.writeLock().lock();
        lock.readLock().lock();
        lock.readLock().lock();
        assertThat(lock.writeLock().holdCount()).isEqualTo(1);
        assertThat(lock.readLock().holdCount()).isEqualTo(2);
        lock.readLock().unlock();
        lock.readLock().unlock();
        assertThatThrownBy(() -> lock.readLock().unlock()).isInstanceOf(IllegalMonitorStateException.class);
        assertThat(lock.writeLock().isHeldByCurrentThread()).isTrue();
        lock.writeLock().unlock();
    }

    @Test
    void writeLock_anotherThreadReads_waitsAndReadersReenterMeanwhile() {
        LockClient client = client();
        DistributedReadWriteLock lock = client.readWriteLock(name("reader"));
        lock.readLock().lock();
        assertThat(anotherThreadGets(lock.writeLock())).isFalse();
        assertThat(anotherThreadGets(lock.readLock())).isTrue();
        Crew.Hand<Boolean> writer = crew().run("writer", () -> {
            lock.writeLock().lock();
            lock.writeLock().unlock();
        });
        awaitContended(client, lock.name(), 1);

        assertThat(lock.readLock().tryLock())
                .as("re-entry before a waiting writer")
                .isTrue();
        lock.readLock().lock();
        for (int i = 0; i < 3; i++) {
            assertThat(writer.isDone()).isFalse();
            lock.readLock().unlock();
        }
        assertThat(writer.result()).isTrue();
    }

    // ---- not as in the JDK

    /** There it fails to say so (tryLock) or waits for itself (lock). */
    @Test
    void writeLock_threadThatReads_isRefusedInEveryWay() {
        DistributedReadWriteLock lock = client().readWriteLock(name("upgrade"));
        lock.readLock().lock();
        for (Way way : WAYS) {
            assertThatThrownBy(() -> way.take(lock.writeLock())).isInstanceOf(IllegalMonitorStateException.class);
        }
        assertThat(lock.readLock().holdCount()).isEqualTo(1);
        lock.readLock().unlock();
    }

    /** There one try overtakes whoever waits. */
    @TestWith(Ability.LINE)
    void tryLock_writerWaits_readerDoesNotBarge() {
        LockClient client = client();
        DistributedReadWriteLock lock = client.readWriteLock(name("barging reader"));
        lock.readLock().lock();
        Crew.Hand<Boolean> writer = crew().run("writer", () -> {
            lock.writeLock().lock();
            lock.writeLock().unlock();
        });
        awaitWaiting(LockKind.READ_WRITE, lock.name(), 1);

        assertThat(anotherThreadGets(lock.readLock())).isFalse();

        lock.readLock().unlock();
        assertThat(writer.result()).isTrue();
    }

    /** There one try takes what is left, whoever waits for more. */
    @TestWith(Ability.LINE)
    void tryAcquire_somebodyWaitsForMore_permitsDoNotBarge() {
        DistributedSemaphore semaphore = client().semaphore(name("barging permit"), 3);
        Lease one = semaphore.acquire();
        Crew.Hand<Boolean> all = crew().run("all", () -> semaphore.acquire(3).close());
        awaitWaiting(LockKind.SEMAPHORE, semaphore.name(), 1);

        assertThat(semaphore.tryAcquire()).as("two of three are free").isEmpty();

        one.close();
        assertThat(all.result()).isTrue();
    }

    /** There anybody may release permits that nobody took, and wait for more than there are. */
    @Test
    void semaphore_permits_areAsManyAsItWasMadeWith() {
        DistributedSemaphore semaphore = client().semaphore(name("permits"), 2);
        Lease one = semaphore.acquire();
        one.close();
        one.close();
        Lease both = semaphore.taking(2).tryAcquire().orElseThrow();
        assertThat(semaphore.tryAcquire()).isEmpty();
        assertThatThrownBy(() -> semaphore.acquire(3)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> semaphore.acquire(0)).isInstanceOf(IllegalArgumentException.class);
        both.close();
    }

    /** There it throws. Here {@code acquireInterruptibly()} does. */
    @Test
    void semaphoreAcquire_interrupted_goesOnAndKeepsTheFlag() {
        DistributedSemaphore semaphore = client().semaphore(name("flag"), 1);
        Crew.Hand<Boolean> caller = crew().run("caller", () -> {
            Thread.currentThread().interrupt();
            semaphore.acquire().close();
        });
        assertThat(caller.result()).isTrue();
        assertThat(caller.flagAtEnd()).isTrue();
    }

    /** There it works for everything but read locks. */
    @Test
    void newCondition_everyLock_isUnsupported() {
        LockClient client = client();
        for (Lock lock : exclusive(client)) {
            assertThatThrownBy(lock::newCondition).isInstanceOf(UnsupportedOperationException.class);
        }
        assertThatThrownBy(() -> client.readWriteLock(name("read")).readLock().newCondition())
                .isInstanceOf(UnsupportedOperationException.class);
    }

    /** There it says which thread has it. Here that would be a question to the store. */
    @Test
    void toString_heldOrNot_namesTheLockAndAsksNothing() {
        FaultyClient faulty = faultyClient(defaults().lease(Duration.ofMinutes(1))); // nothing to renew meanwhile
        DistributedLock lock = faulty.client().lock(name("named"));
        String free = lock.toString();
        lock.lock();
        faulty.script().cut();

        assertThat(lock.toString()).isEqualTo(free).contains(lock.name());
        assertThat(faulty.backend().injected()).as("calls to the store").isZero();
        faulty.script().clear();
        lock.unlock();
    }

    // ---- one try

    /**
     * Whoever gave up leaves the line in the background; one try of the same client does not take that for somebody.
     */
    @Test
    void tryLock_onesOwnTryTimedOutBefore_aFreeLockIsNotRefused() throws InterruptedException {
        LockClient holder = client();
        LockClient client = client();
        for (int round = 0; round < 10; round++) {
            String name = name("ghost");
            Lease held = holder.lock(name).acquire();
            assertThat(client.lock(name).tryLock(3, TimeUnit.MILLISECONDS)).isFalse();
            held.close();

            assertThat(client.lock(name).tryLock())
                    .as("free lock, round %d", round)
                    .isTrue();
            client.lock(name).unlock();
        }
    }

    /** The same for one client alone, where every reader and writer stands in the store's line by itself. */
    @Test
    void tryLock_writerTimedOutBefore_aReaderIsNotRefused() throws Exception {
        LockClient client = client();
        for (int round = 0; round < 5; round++) {
            DistributedReadWriteLock lock = client.readWriteLock(name("ghost"));
            CountDownLatch enough = new CountDownLatch(1);
            CountDownLatch reads = new CountDownLatch(1);
            Crew.Hand<Boolean> reader = crew().run("reader", () -> {
                lock.readLock().lock();
                reads.countDown();
                enough.await();
                lock.readLock().unlock();
            });
            reads.await();
            assertThat(lock.writeLock().tryLock(3, TimeUnit.MILLISECONDS)).isFalse();

            assertThat(lock.readLock().tryLock())
                    .as("nobody writes, round %d", round)
                    .isTrue();
            lock.readLock().unlock();
            enough.countDown();
            assertThat(reader.result()).isTrue();
        }
    }
}
