package io.holdfast.tck;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.DistributedLock;
import io.holdfast.Lease;
import io.holdfast.LockClient;
import io.holdfast.LockEvent;
import io.holdfast.LockInspector;
import io.holdfast.LockKind;
import io.holdfast.LockOptions;
import io.holdfast.LockStatus;
import io.holdfast.LostReason;
import io.holdfast.testing.Call;
import io.holdfast.testing.Fault;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/**
 * Readers, writers and takers of permits, several of each in every client: threads of one client may share what it
 * holds, and nobody else notices. All of it is true whether they share or not.
 *
 * @since 0.1
 */
public abstract class SharingContract extends Contract {
    private static final int THREADS = 4;
    private static final int ROUNDS = 25;

    /** For subclasses. */
    protected SharingContract() {}

    /** Two that read at the same time, with one claim if the store is quick enough. */
    private List<Lease> readers(LockClient client, String name, LockOptions options) {
        DistributedLock lock = client.readWriteLock(name, options).readLock();
        return List.of(lock.acquire(), lock.acquire());
    }

    private List<Queue<LostReason>> listening(List<Lease> leases) {
        List<Queue<LostReason>> told = new ArrayList<>();
        for (Lease lease : leases) {
            Queue<LostReason> reasons = new ConcurrentLinkedQueue<>();
            lease.onLost(reasons::add);
            told.add(reasons);
        }
        return told;
    }

    private void awaitToldOnce(List<Queue<LostReason>> told, LockClient client, String name) {
        soon("the losses").until(() -> told.stream().noneMatch(Queue::isEmpty));
        assertThat(events(client).await(LockEvent.Lost.class, name, told.size()))
                .hasSize(told.size())
                .extracting(LockEvent.Lost::token)
                .doesNotHaveDuplicates();
        assertThat(told).allMatch(reasons -> reasons.size() == 1);
    }

    private void assertWritable(String name) throws InterruptedException {
        Optional<Lease> writing = stranger().readWriteLock(name).writeLock().tryAcquire(patience());
        assertThat(writing).as("write lock of %s for another client", name).isPresent();
        writing.orElseThrow().close();
    }

    private boolean isWritable(String name) {
        Optional<Lease> writing = stranger().readWriteLock(name).writeLock().tryAcquire();
        writing.ifPresent(Lease::close);
        return writing.isPresent();
    }

    // ---- who is inside together

    @Test
    void readersAndWriters_twoClients_writersAreAloneAndTokensLieBetweenTheirs() {
        String name = name("crowd");
        Set<Long> tokens = ConcurrentHashMap.newKeySet();
        AtomicInteger readers = new AtomicInteger();
        AtomicInteger writers = new AtomicInteger();
        AtomicLong lastWritten = new AtomicLong();
        AtomicLong highest = new AtomicLong();
        for (LockClient client : List.of(client(), client())) {
            for (int t = 0; t < THREADS; t++) {
                int thread = t;
                crew().run("thread " + t, () -> {
                    for (int round = 0; round < ROUNDS; round++) {
                        boolean writes = (thread + round) % 4 == 0;
                        DistributedLock lock = writes
                                ? client.readWriteLock(name).writeLock()
                                : client.readWriteLock(name).readLock();
                        try (Lease lease = lock.acquire()) {
                            (writes ? writers : readers).incrementAndGet();
                            assertThat(writers.get()).isEqualTo(writes ? 1 : 0);
                            assertThat(writes ? readers.get() : 0).isZero();
                            assertThat(tokens.add(lease.token()))
                                    .as("a token twice")
                                    .isTrue();
                            assertThat(lease.token()).isGreaterThan(writes ? highest.get() : lastWritten.get());
                            highest.accumulateAndGet(lease.token(), Math::max);
                            lastWritten.accumulateAndGet(writes ? lease.token() : 0, Math::max);
                            (writes ? writers : readers).decrementAndGet();
                        }
                    }
                });
            }
        }
        crew().finish();
        assertThat(tokens).hasSize(2 * THREADS * ROUNDS);
    }

    @Test
    void permits_twoClients_neverMoreThanThereAreAndEachWithATokenOfItsOwn() {
        String name = name("crowd");
        Set<Long> tokens = ConcurrentHashMap.newKeySet();
        AtomicInteger inside = new AtomicInteger();
        for (LockClient client : List.of(client(), client())) {
            for (int t = 0; t < THREADS; t++) {
                int weight = t == 0 ? 2 : 1;
                crew().run("thread " + t, () -> {
                    for (int round = 0; round < ROUNDS; round++) {
                        try (Lease lease = client.semaphore(name, 3).acquire(weight)) {
                            assertThat(inside.addAndGet(weight)).isLessThanOrEqualTo(3);
                            assertThat(tokens.add(lease.token()))
                                    .as("a token twice")
                                    .isTrue();
                            inside.addAndGet(-weight);
                        }
                    }
                });
            }
        }
        crew().finish();
        assertThat(tokens).hasSize(2 * THREADS * ROUNDS);
    }

    @Test
    void close_oneOfTwoReaders_theOtherKeepsWritersOut() throws InterruptedException {
        String name = name("two");
        List<Lease> both = readers(client(), name, defaults());

        both.get(0).close();

        assertThat(both.get(1).isValid()).isTrue();
        assertThat(isWritable(name)).isFalse();
        both.get(1).close();
        assertWritable(name);
    }

    @TestWith(Ability.LINE)
    void permits_busyClient_doesNotStarveAnother() {
        String name = name("busy");
        LockClient busy = client();
        CountDownLatch enough = new CountDownLatch(1);
        for (int i = 0; i < THREADS; i++) {
            crew().run("busy " + i, () -> {
                while (enough.getCount() > 0) {
                    try (Lease lease = busy.semaphore(name, 2).acquire()) {
                        assertThat(lease.isValid()).isTrue();
                    }
                }
            });
        }
        try {
            for (int round = 0; round < 5; round++) {
                try (Lease lease = stranger().semaphore(name, 2).acquire()) {
                    assertThat(lease.isValid()).isTrue();
                }
            }
        } finally {
            enough.countDown();
        }
        crew().finish();
    }

    // ---- how it ends

    @Test
    void fixedLease_twoReaders_eachIsToldOnce() throws InterruptedException {
        String name = name("fixed");
        LockClient client = client();
        List<Lease> both = readers(client, name, fixedLease(500));

        awaitToldOnce(listening(both), client, name);

        assertThat(both).noneMatch(Lease::isValid);
        assertWritable(name);
    }

    @Test
    void fixedLease_anotherReaderIsRenewed_thatOneGoesOn() throws InterruptedException {
        String name = name("mixed");
        LockClient client = client();
        Lease fixed = client.readWriteLock(name, fixedLease(500)).readLock().acquire();
        Lease renewed = client.readWriteLock(name, lease(5_000)).readLock().acquire();
        List<Queue<LostReason>> told = listening(List.of(fixed));

        awaitToldOnce(told, client, name);

        always("the other reads on", millis(700), () -> renewed.isValid() && !isWritable(name));
        renewed.close();
        assertWritable(name);
    }

    @Test
    void breakClaim_twoReaders_eachIsToldOnce() throws InterruptedException {
        String name = name("broken");
        LockClient client = client();
        List<Lease> both = readers(client, name, lease(3_000));
        List<Queue<LostReason>> told = listening(both);
        LockInspector inspector = client().inspector();

        LockStatus seen = inspector.find(LockKind.READ_WRITE, name).orElseThrow();
        seen.holders()
                .forEach(
                        holder -> assertThat(inspector.breakClaim(seen, holder)).isTrue());

        awaitToldOnce(told, client, name);
        assertThat(both).noneMatch(Lease::isValid);
        assertWritable(name);
    }

    @Test
    void renewalsFail_twoReaders_eachIsAtRiskOnceAndGoesOn() {
        String name = name("risk");
        FaultyClient faulty = faultyClient(lease(3_000));
        List<Lease> both = readers(faulty.client(), name, lease(3_000));
        List<AtomicInteger> risks = List.of(new AtomicInteger(), new AtomicInteger());
        both.get(0).onAtRisk(risks.get(0)::incrementAndGet);
        both.get(1).onAtRisk(risks.get(1)::incrementAndGet);

        faulty.script().always(Call.Renew.class, new Fault.Down());
        soon("the risk").until(() -> risks.stream().allMatch(times -> times.get() > 0));
        faulty.script().clear();
        int renewed = events(faulty.client()).all(LockEvent.Renewed.class, name).size();
        events(faulty.client()).await(LockEvent.Renewed.class, name, renewed + 2);

        assertThat(risks).allMatch(times -> times.get() == 1);
        assertThat(both).allMatch(Lease::isValid);
        both.forEach(Lease::close);
    }

    @Test
    void close_client_twoReadersAndOneWhoWaits_nothingIsLeft() throws InterruptedException {
        String name = name("closed");
        LockClient client = client();
        List<Lease> both = readers(client, name, defaults());
        client.readWriteLock(name).writeLock().acquireAsync();
        awaitContended(client, name, 1);

        client.close();

        assertThat(both).noneMatch(Lease::isValid);
        assertThat(events(client).all(LockEvent.Released.class, name)).hasSize(2);
        assertThat(events(client).all(LockEvent.Lost.class, name)).isEmpty();
        assertWritable(name);
    }
}
