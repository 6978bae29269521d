package io.holdfast.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.DistributedLock;
import io.holdfast.Lease;
import io.holdfast.LockKind;
import io.holdfast.LockOptions;
import io.holdfast.spi.Claim;
import io.holdfast.spi.Resource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The local gate on real threads. */
@Tag("integration")
class GateStressTest {
    private static final int ROUNDS = 8_000;
    private static final int THREADS = 6;
    private static final int TURNS = 1_500;

    @Test
    void closeAndCancel_sameMoment_handOverIsNotLost() throws Exception {
        duel(3, gate -> {
            gate.forgetFirst();
            return List.of(gate::close, gate::cancel);
        });
    }

    @Test
    void closeAndArrive_sameMoment_handOverIsNotLost() throws Exception {
        duel(1, gate -> List.of(gate::close, gate::acquireAsync));
    }

    @Test
    void closeAndArrive_anotherWaitsAlready_oneOfThemHasIt() throws Exception {
        duel(2, gate -> List.of(gate::close, gate::acquireAsync));
    }

    /** A grant that the store sends belongs to the one who drives, whoever comes meanwhile. */
    @Test
    void pushAndArrive_sameMoment_grantIsNotLost() throws Exception {
        Duel.of(4 * ROUNDS, () -> {
            InlineRuntime runtime = new InlineRuntime();
            ScriptedBackend backend = new ScriptedBackend(runtime);
            EngineParts parts = new EngineParts("client", backend, runtime);
            backend.start("client", parts.announcements);
            backend.attempts(ScriptedBackend.queued(1, Duration.ofSeconds(10)));
            LocalLock local = new LocalLock(parts.gates, new Resource(LockKind.LOCK, "a", 1));
            DistributedLock lock = EngineLock.mutex(parts.acquisitions, local, LockOptions.defaults());
            CompletableFuture<Lease> first = lock.acquireAsync();
            Claim claim = backend.claim(0);
            return round(
                    List.of(
                            () -> backend.push(claim, 7, Duration.ofSeconds(3), runtime.nanoTime()),
                            lock::acquireAsync),
                    () -> assertThat(first).isDone());
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

    private static void duel(int acquired, Function<GateLincheckTest.HandOvers, List<Runnable>> parts)
            throws Exception {
        Duel.of(ROUNDS, () -> {
            GateLincheckTest.HandOvers gate = new GateLincheckTest.HandOvers();
            for (int i = 0; i < acquired; i++) {
                gate.acquireAsync();
            }
            return round(parts.apply(gate), gate::check);
        });
    }

    /** Everything at once on a real client: exclusion, growing tokens, and nothing left. */
    @Test
    void everyWayOfAcquiring_manyThreads_exclusiveAndNothingIsLeft() throws Exception {
        GrantingBackend backend = new GrantingBackend();
        LockEngine engine =
                LockEngine.start("stress", backend, LockOptions.defaults(), EngineRuntime.system("holdfast-stress"));
        AtomicInteger inside = new AtomicInteger();
        AtomicLong lastToken = new AtomicLong();
        AtomicInteger turns = new AtomicInteger();
        List<Actor<Integer>> threads = new ArrayList<>();
        for (int i = 0; i < THREADS; i++) {
            Random random = new Random(i);
            threads.add(Actor.does("stress-" + i, () -> {
                DistributedLock lock = engine.lock("a");
                for (int turn = 0; turn < TURNS; turn++) {
                    Lease lease = take(lock, random);
                    if (lease != null) {
                        try (lease) { // also if it fails, so that the others come to an end
                            assertThat(inside.incrementAndGet()).isOne();
                            assertThat(lastToken.getAndSet(lease.token())).isLessThan(lease.token());
                            turns.incrementAndGet();
                            inside.decrementAndGet();
                        }
                    }
                }
                return TURNS;
            }));
        }
        for (Actor<Integer> thread : threads) {
            assertThat(thread.result()).isEqualTo(TURNS);
        }

        assertThat(turns).hasValueGreaterThan(TURNS);
        await().atMost(Duration.ofSeconds(20)).until(() -> backend.granted() == 0 && engine.leftovers() == 0);
        engine.close();
        assertThat(engine.leftovers()).isZero();
    }

    @SuppressWarnings("NullTernary") // nothing is unboxed here
    private static Lease take(DistributedLock lock, Random random) throws Exception {
        return switch (random.nextInt(5)) {
            case 0 -> lock.tryAcquire().orElse(null);
            case 1 -> lock.tryAcquire(Duration.ofNanos(random.nextInt(50_000))).orElse(null);
            case 2 -> {
                CompletableFuture<Lease> future = lock.acquireAsync();
                boolean cancelled = future.cancel(false);
                yield cancelled ? null : future.join();
            }
            case 3 -> lock.acquireAsync().join();
            default -> lock.acquire();
        };
    }
}
