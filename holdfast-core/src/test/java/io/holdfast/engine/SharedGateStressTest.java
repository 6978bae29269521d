package io.holdfast.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.Acquirable;
import io.holdfast.DistributedLock;
import io.holdfast.Lease;
import io.holdfast.LockOptions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Two clients on real threads that share what they hold. */
@Tag("integration")
class SharedGateStressTest {
    private static final int THREADS = 4;
    private static final int TURNS = 1_200;
    private static final int ROUNDS = 4_000;

    private final LineBackend.Store store = new LineBackend.Store();
    private final LockEngine one = client("one");
    private final LockEngine two = client("two");
    private final Set<Long> tokens = ConcurrentHashMap.newKeySet();

    private LockEngine client(String name) {
        return LockEngine.start(
                name,
                new LineBackend(store, System::nanoTime),
                LockOptions.defaults(),
                EngineRuntime.system("holdfast-" + name));
    }

    @AfterEach
    void nothingIsLeft() {
        await().atMost(Duration.ofSeconds(20))
                .until(() -> store.used() == 0 && one.leftovers() == 0 && two.leftovers() == 0);
        one.close();
        two.close();
    }

    @SuppressWarnings("NullTernary") // nothing is unboxed here
    private static Lease take(Acquirable<Lease> what, Random random) throws Exception {
        return switch (random.nextInt(5)) {
            case 0 -> what.tryAcquire().orElse(null);
            case 1 -> what.tryAcquire(Duration.ofNanos(random.nextInt(50_000))).orElse(null);
            case 2 -> {
                CompletableFuture<Lease> future = what.acquireAsync();
                yield future.cancel(false) ? null : future.join();
            }
            case 3 -> what.acquireAsync().join();
            default -> what.acquire();
        };
    }

    @Test
    void readersAndWriters_twoClients_writersAreAloneAndAboveAllBefore() throws Exception {
        AtomicInteger readers = new AtomicInteger();
        AtomicInteger writers = new AtomicInteger();
        AtomicLong lastWritten = new AtomicLong();
        AtomicLong highest = new AtomicLong();
        List<Actor<Integer>> threads = new ArrayList<>();
        for (LockEngine engine : List.of(one, two)) {
            for (int i = 0; i < THREADS; i++) {
                Random random = new Random(i);
                threads.add(Actor.does("stress-" + i, () -> {
                    int served = 0;
                    for (int turn = 0; turn < TURNS; turn++) {
                        boolean writes = random.nextInt(5) == 0;
                        DistributedLock lock = writes
                                ? engine.readWriteLock("a").writeLock()
                                : engine.readWriteLock("a").readLock();
                        Lease lease = take(lock, random);
                        if (lease == null) {
                            continue;
                        }
                        served++;
                        try (lease) { // also if it fails, so that the others come to an end
                            assertThat(tokens.add(lease.token())).isTrue();
                            assertThat(lease.token()).isGreaterThan(lastWritten.get());
                            if (writes) {
                                assertThat(writers.incrementAndGet()).isOne();
                                assertThat(readers.get())
                                        .as("readers beside a writer")
                                        .isZero();
                                assertThat(lease.token()).isGreaterThan(highest.get());
                                lastWritten.set(lease.token());
                                writers.decrementAndGet();
                            } else {
                                readers.incrementAndGet();
                                assertThat(writers.get())
                                        .as("a writer beside a reader")
                                        .isZero();
                                readers.decrementAndGet();
                            }
                            highest.accumulateAndGet(lease.token(), Math::max);
                        }
                    }
                    return served;
                }));
            }
        }
        for (Actor<Integer> thread : threads) {
            assertThat(thread.result()).isPositive();
        }
    }

    @Test
    void permits_twoClients_neverMoreThanThereAre() throws Exception {
        AtomicInteger inside = new AtomicInteger();
        List<Actor<Integer>> threads = new ArrayList<>();
        for (LockEngine engine : List.of(one, two)) {
            for (int i = 0; i < THREADS; i++) {
                Random random = new Random(i);
                threads.add(Actor.does("stress-" + i, () -> {
                    int served = 0;
                    for (int turn = 0; turn < TURNS; turn++) {
                        int weight = random.nextInt(8) == 0 ? 2 : 1;
                        Lease lease = take(engine.semaphore("a", 3).taking(weight), random);
                        if (lease == null) {
                            continue;
                        }
                        served++;
                        try (lease) {
                            assertThat(tokens.add(lease.token())).isTrue();
                            assertThat(inside.addAndGet(weight)).isLessThanOrEqualTo(3);
                            inside.addAndGet(-weight);
                        }
                    }
                    return served;
                }));
            }
        }
        for (Actor<Integer> thread : threads) {
            assertThat(thread.result()).isPositive();
        }
    }

    /** Whoever closes last and whoever joins in that moment: one of them, or both, ask the store, and nothing stays. */
    @Test
    void closeAndJoin_sameMoment_nothingIsLost() throws Exception {
        Duel.of(ROUNDS, () -> {
            SharedGateLincheckTest.ReadersAndWriters gate = new SharedGateLincheckTest.ReadersAndWriters();
            gate.read();
            return round(List.of(gate::close, gate::read), gate::check);
        });
    }

    @Test
    void closeAndCancel_readersBehindAWriter_nothingIsLost() throws Exception {
        Duel.of(ROUNDS, () -> {
            SharedGateLincheckTest.ReadersAndWriters gate = new SharedGateLincheckTest.ReadersAndWriters();
            gate.read();
            gate.cancel();
            gate.write();
            gate.read();
            return round(List.of(gate::close, gate::cancel), gate::check);
        });
    }

    @Test
    void closeTwo_permitsPassedOn_nothingIsLost() throws Exception {
        Duel.of(ROUNDS, () -> {
            SharedGateLincheckTest.Permits gate = new SharedGateLincheckTest.Permits();
            for (int i = 0; i < 4; i++) {
                gate.one();
            }
            return round(List.of(gate::close, gate::close), gate::check);
        });
    }

    private static Duel.Round round(List<Runnable> parts, Runnable check) {
        return new Duel.Round() {
            @Override
            public List<Runnable> parts() {
                return parts;
            }

            @Override
            public void check() {
                check.run();
            }
        };
    }
}
