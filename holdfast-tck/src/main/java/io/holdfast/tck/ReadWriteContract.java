package io.holdfast.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.DistributedReadWriteLock;
import io.holdfast.Lease;
import io.holdfast.LockClient;
import io.holdfast.LockKind;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/**
 * Many readers or one writer.
 *
 * @since 0.1
 */
@SuppressWarnings("LockNotBeforeTry") // These tests look between lock and unlock; a failure closes the client.
public abstract class ReadWriteContract extends Contract {

    /** For subclasses. */
    protected ReadWriteContract() {}

    @Test
    void read_severalClientsAndThreads_readTogether() {
        String name = name("catalog");
        LockClient client = client();
        try (Lease one = client.readWriteLock(name).readLock().acquire();
                Lease two = client.readWriteLock(name).readLock().tryAcquire().orElseThrow();
                Lease three =
                        client().readWriteLock(name).readLock().tryAcquire().orElseThrow()) {
            assertThat(one.isValid() && two.isValid() && three.isValid()).isTrue();
            assertThat(stranger().readWriteLock(name).writeLock().tryAcquire()).isEmpty();
            assertThat(client.readWriteLock(name).writeLock().tryAcquire()).isEmpty();
            assertThat(client.readWriteLock(name).name()).isEqualTo(name);
        }
        assertWritable(name);
    }

    @Test
    void read_oneReaderLeaves_othersGoOnReading() {
        String name = name("catalog");
        Lease one = client().readWriteLock(name).readLock().acquire();
        try (Lease other = client().readWriteLock(name).readLock().acquire()) {
            one.close();
            assertThat(stranger().readWriteLock(name).writeLock().tryAcquire()).isEmpty();
            assertThat(other.isValid()).isTrue();
        }
        assertWritable(name);
    }

    @Test
    void write_held_nobodyElseGetsIn() {
        String name = name("catalog");
        LockClient client = client();
        try (Lease writing = client.readWriteLock(name).writeLock().acquire()) {
            for (LockClient each : List.of(client, stranger())) {
                assertThat(each.readWriteLock(name).readLock().tryAcquire()).isEmpty();
                assertThat(each.readWriteLock(name).writeLock().tryAcquire()).isEmpty();
            }
            assertThat(writing.isValid()).isTrue();
        }
        assertWritable(name);
    }

    @Test
    void contention_readersAndWriters_writersAreAlone() {
        String name = name("contended");
        Section writing = new Section(1);
        AtomicInteger readers = new AtomicInteger();
        for (int c = 0; c < 3; c++) {
            DistributedReadWriteLock lock = client().readWriteLock(name);
            for (int t = 0; t < 4; t++) {
                boolean writes = t == 0;
                crew().run((writes ? "writer " : "reader ") + c + '.' + t, () -> {
                    for (int round = 0; round < 15; round++) {
                        if (writes) {
                            try (Lease lease = lock.writeLock().acquire()) {
                                assertThat(lease.isValid()).isTrue();
                                writing.pass(() -> assertThat(readers.get()).isZero());
                            }
                        } else {
                            lock.readLock().lock();
                            readers.incrementAndGet();
                            Thread.onSpinWait();
                            readers.decrementAndGet();
                            lock.readLock().unlock();
                        }
                    }
                });
            }
        }
        crew().finish();
        assertThat(writing.passes()).isEqualTo(3 * 15);
        writing.verify();
    }

    @TestWith(Ability.LINE)
    void read_writerWaits_newReaderOfAnotherClientDoesNotOvertake() {
        String name = name("patient writer");
        Lease reading = client().readWriteLock(name).readLock().acquire();
        CountDownLatch enough = new CountDownLatch(1);
        DistributedReadWriteLock lock = client().readWriteLock(name);
        Crew.Hand<Boolean> writer = crew().run("writer", () -> {
            try (Lease lease = lock.writeLock().acquire()) {
                assertThat(lease.isValid()).isTrue();
                enough.await();
            }
        });
        awaitWaiting(LockKind.READ_WRITE, name, 1);

        Optional<Lease> late = stranger().readWriteLock(name).readLock().tryAcquire();

        assertThat(late).as("a reader that came after the writer").isEmpty();
        reading.close();
        enough.countDown();
        assertThat(writer.result()).isTrue();
        assertWritable(name);
    }

    @TestWith(Ability.LINE)
    void write_streamOfReaders_isNotStarved() {
        String name = name("stream");
        CountDownLatch enough = new CountDownLatch(1);
        AtomicInteger readers = new AtomicInteger();
        for (int c = 0; c < 2; c++) {
            DistributedReadWriteLock lock = client().readWriteLock(name);
            for (int t = 0; t < 3; t++) {
                crew().run("reader " + c + '.' + t, () -> {
                    while (enough.getCount() > 0) {
                        try (Lease lease = lock.readLock().acquire()) {
                            assertThat(lease.isValid()).isTrue();
                            stayUntilAnotherReads(readers, enough);
                        }
                    }
                });
            }
        }
        soon("readers").until(() -> readers.get() > 10);
        try {
            for (int round = 0; round < 5; round++) {
                try (Lease writing = stranger().readWriteLock(name).writeLock().acquire()) {
                    assertThat(writing.isValid()).isTrue();
                }
            }
        } finally {
            enough.countDown();
        }
        crew().finish();
    }

    /** Without a line for all, there would always be a reader inside. */
    private void stayUntilAnotherReads(AtomicInteger readers, CountDownLatch enough) throws InterruptedException {
        int mine = readers.incrementAndGet();
        for (int times = 0; times < 50 && readers.get() == mine; times++) {
            if (enough.await(1, TimeUnit.MILLISECONDS)) {
                return;
            }
        }
    }

    @Test
    void writerLeavesTheLine_readersBehindItGetIn() throws InterruptedException {
        String name = name("gave up");
        Lease reading = client().readWriteLock(name).readLock().acquire();
        LockClient impatient = client();
        Crew.Hand<Boolean> gaveUp = crew().ask(
                        "writer",
                        () -> impatient
                                .readWriteLock(name)
                                .writeLock()
                                .tryAcquire(millis(400))
                                .isEmpty());
        awaitContended(impatient, name, 1);

        Optional<Lease> behind = stranger().readWriteLock(name).readLock().tryAcquire(patience());

        assertThat(behind).as("a reader behind a writer that gave up").isPresent();
        assertThat(gaveUp.result()).isTrue();
        behind.orElseThrow().close();
        reading.close();
        assertWritable(name);
    }

    @Test
    void writeLock_threadThatReads_isRefusedInsteadOfWaitingForItself() {
        String name = name("upgrade");
        DistributedReadWriteLock lock = client().readWriteLock(name);
        lock.readLock().lock();

        assertThatThrownBy(() -> lock.writeLock().lock())
                .isInstanceOf(IllegalMonitorStateException.class)
                .hasMessageContaining(name);

        assertThat(lock.readLock().isHeldByCurrentThread()).isTrue();
        assertThat(lock.writeLock().isHeldByCurrentThread()).isFalse();
        lock.readLock().unlock();
        lock.writeLock().lock();
        assertThat(lock.writeLock().isHeldByCurrentThread()).isTrue();
        lock.writeLock().unlock();
        assertWritable(name);
    }

    @Test
    void readLock_threadThatWrites_staysExclusiveUntilBothAreGivenBack() {
        String name = name("downgrade");
        DistributedReadWriteLock lock = client().readWriteLock(name);
        lock.writeLock().lock();
        lock.readLock().lock();
        lock.writeLock().unlock();

        assertThat(lock.readLock().isHeldByCurrentThread()).isTrue();
        assertThat(lock.writeLock().isHeldByCurrentThread()).isFalse();
        assertThat(stranger().readWriteLock(name).readLock().tryAcquire()).isEmpty();
        assertThat(stranger().readWriteLock(name).writeLock().tryAcquire()).isEmpty();
        lock.readLock().unlock();
        assertThat(lock.readLock().isHeldByCurrentThread()).isFalse();
        assertWritable(name);
    }

    @Test
    void lock_readAndWriteAgain_reenters() {
        String name = name("reentry");
        DistributedReadWriteLock lock = client().readWriteLock(name);
        lock.readLock().lock();
        lock.readLock().lock();
        assertThat(lock.readLock().holdCount()).isEqualTo(2);
        lock.readLock().unlock();
        assertThat(stranger().readWriteLock(name).writeLock().tryAcquire()).isEmpty();
        lock.readLock().unlock();

        lock.writeLock().lock();
        lock.writeLock().lock();
        assertThat(lock.writeLock().holdCount()).isEqualTo(2);
        lock.writeLock().unlock();
        assertThat(stranger().readWriteLock(name).readLock().tryAcquire()).isEmpty();
        lock.writeLock().unlock();
        assertWritable(name);
    }

    @Test
    void unlock_threadWithoutHold_isRefused() {
        DistributedReadWriteLock lock = client().readWriteLock(name("stranger"));
        lock.readLock().lock();
        assertThatThrownBy(() -> lock.writeLock().unlock()).isInstanceOf(IllegalMonitorStateException.class);
        lock.readLock().unlock();
        assertThatThrownBy(() -> lock.readLock().unlock()).isInstanceOf(IllegalMonitorStateException.class);
    }

    private void assertWritable(String name) {
        try {
            Optional<Lease> writing = stranger().readWriteLock(name).writeLock().tryAcquire(patience());
            assertThat(writing).as("write lock of %s for another client", name).isPresent();
            writing.orElseThrow().close();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted", interrupted);
        }
    }
}
