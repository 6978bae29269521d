package io.holdfast.quorum;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.holdfast.LockKind;
import io.holdfast.LockStoreException;
import io.holdfast.memory.MemoryStore;
import io.holdfast.spi.AttemptResult;
import io.holdfast.spi.BackendListener;
import io.holdfast.spi.Claim;
import io.holdfast.spi.ClaimId;
import io.holdfast.spi.LockBackend;
import io.holdfast.spi.Resource;
import io.holdfast.spi.TimeSource;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** A crowd takes turns: nobody's answer is late because thousands ask at once. */
class TurnsTest {
    private static final int CROWD = 400;
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    private final TimeSource time = TimeSource.system();
    private final Turns turns = new Turns(time);

    @Test
    void await_allTaken_waitsUntilOneIsGivenBack() throws Exception {
        List<Turns.Turn> taken = new ArrayList<>();
        for (int i = 0; i < Turns.MOST; i++) {
            taken.add(turns.await(time.nanoTime()));
        }
        ExecutorService executor = Executors.newSingleThreadExecutor();
        try {
            Future<Turns.Turn> next = executor.submit(() -> turns.await(time.nanoTime() + PATIENCE.toNanos()));
            await().atMost(PATIENCE).until(() -> turns.waiting() == 1);
            assertThat(next).isNotDone();

            taken.get(0).close();

            next.get(120, SECONDS).close();
        } finally {
            executor.shutdownNow();
        }
    }

    @Test
    void await_noneInTime_saysThatNothingWasAskedFor() {
        for (int i = 0; i < Turns.MOST; i++) {
            turns.await(time.nanoTime());
        }

        assertThatThrownBy(() -> turns.await(time.nanoTime() + 1_000_000))
                .isInstanceOf(LockStoreException.class)
                .hasMessageContaining("nothing was asked for");
    }

    @Test
    void await_interrupted_getsItsTurnAndKeepsTheFlag() {
        Thread.currentThread().interrupt();

        turns.await(time.nanoTime() + PATIENCE.toNanos()).close();

        assertThat(Thread.interrupted()).isTrue();
    }

    @Test
    void attempt_crowd_asksFewAtATime() throws Exception {
        AtomicInteger asking = new AtomicInteger();
        CountDownLatch go = new CountDownLatch(1);
        List<LockBackend> members = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            members.add(i == 0 ? slow(new MemoryStore().connect(), asking, go) : new MemoryStore().connect());
        }
        ExecutorService crowd = Executors.newFixedThreadPool(CROWD);
        try (QuorumBackend backend = new QuorumBackend(members, List.of("a", "b", "c"), PATIENCE, time)) {
            backend.start("client", nobody());
            List<Future<AttemptResult>> answers = new ArrayList<>();
            for (int i = 0; i < CROWD; i++) {
                Claim claim = Claim.builder(
                                new ClaimId("client", i + 1), new Resource(LockKind.LOCK, "name" + i, 1), PATIENCE)
                        .build();
                answers.add(crowd.submit(() -> backend.attempt(claim, PATIENCE)));
            }
            await().atMost(PATIENCE).until(() -> asking.get() + backend.waitingForATurn() == CROWD);
            assertThat(asking).hasValue(Turns.MOST);
            go.countDown();
            for (Future<AttemptResult> answer : answers) {
                answer.get(120, SECONDS);
            }
        } finally {
            go.countDown();
            crowd.shutdownNow();
        }
    }

    /** Counts who asks, and lets nobody have an answer before the crowd is complete. */
    private static LockBackend slow(LockBackend store, AtomicInteger asking, CountDownLatch go) {
        return (LockBackend) Proxy.newProxyInstance(
                TurnsTest.class.getClassLoader(), new Class<?>[] {LockBackend.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals("requestTimeout")) {
                        return PATIENCE; // nobody gives up before the crowd is complete
                    }
                    boolean counts = method.getName().equals("attempt");
                    if (counts) {
                        asking.incrementAndGet();
                        go.await();
                    }
                    try {
                        return method.invoke(store, arguments);
                    } catch (InvocationTargetException thrown) {
                        throw thrown.getCause();
                    } finally {
                        if (counts) {
                            asking.decrementAndGet();
                        }
                    }
                });
    }

    private static BackendListener nobody() {
        return new BackendListener() {
            @Override
            public void granted(ClaimId claim, long token, Duration left, long startNanos) {}

            @Override
            public void changed(Resource resource) {}

            @Override
            public void missed() {}
        };
    }
}
