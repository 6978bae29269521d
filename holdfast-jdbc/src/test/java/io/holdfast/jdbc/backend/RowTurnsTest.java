package io.holdfast.jdbc.backend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.LockKind;
import io.holdfast.LockStoreException;
import io.holdfast.spi.Resource;
import io.holdfast.spi.TimeSource;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class RowTurnsTest {
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final Resource NAME = new Resource(LockKind.LOCK, "a", 1);
    private static final Resource OTHER = new Resource(LockKind.LOCK, "b", 1);

    private final RowTurns turns = new RowTurns(TimeSource.system());
    private final CountDownLatch go = new CountDownLatch(1);
    private final List<Thread> threads = new ArrayList<>();

    @AfterEach
    void end() throws InterruptedException {
        go.countDown();
        for (Thread thread : threads) {
            thread.join(PATIENCE.toMillis());
        }
    }

    private CompletableFuture<String> later(Resource name, Duration patience, Work work) {
        CompletableFuture<String> result = new CompletableFuture<>();
        Thread thread = new Thread(() -> {
            try {
                result.complete(turns.with(name, patience, left -> work.run()));
            } catch (Throwable failure) {
                result.completeExceptionally(failure);
            }
        });
        threads.add(thread);
        thread.start();
        return result;
    }

    private interface Work {
        String run();
    }

    /** Has its turn until {@link #go}. */
    private CompletableFuture<String> first(Work then) {
        CountDownLatch inside = new CountDownLatch(1);
        CompletableFuture<String> first = later(NAME, PATIENCE, () -> {
            inside.countDown();
            awaitGo();
            return then.run();
        });
        assertThat(await(inside)).isTrue();
        return first;
    }

    private void awaitGo() {
        assertThat(await(go)).isTrue();
    }

    private static boolean await(CountDownLatch latch) {
        try {
            return latch.await(PATIENCE.toSeconds(), TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private void awaitQueued(Thread thread) {
        Awaitility.await().atMost(PATIENCE).until(() -> thread.getState() == Thread.State.TIMED_WAITING);
    }

    @Test
    void sameName_oneAtATimeInTheOrderOfComing() {
        CompletableFuture<String> first = first(() -> "first");
        List<Integer> order = new ArrayList<>();
        AtomicInteger inside = new AtomicInteger();
        List<CompletableFuture<String>> others = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            int number = i;
            others.add(later(NAME, PATIENCE, () -> {
                int beside = inside.getAndIncrement();
                order.add(number);
                inside.decrementAndGet();
                return String.valueOf(beside);
            }));
            awaitQueued(threads.get(threads.size() - 1));
        }
        assertThat(order).as("while somebody has the turn").isEmpty();
        go.countDown();
        assertThat(others).allSatisfy(each -> assertThat(each.join()).isEqualTo("0"));
        assertThat(order).containsExactly(0, 1, 2, 3);
        assertThat(first.join()).isEqualTo("first");
    }

    @Test
    void anotherName_doesNotWait() {
        first(() -> "first");
        assertThat(later(OTHER, PATIENCE, () -> "other")
                        .orTimeout(30, TimeUnit.SECONDS)
                        .join())
                .isEqualTo("other");
    }

    @Test
    void outage_allWhoWaitGoAtOnce() {
        CompletableFuture<String> first = first(() -> {
            throw outage();
        });
        CountDownLatch together = new CountDownLatch(3);
        List<CompletableFuture<String>> others = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            others.add(later(NAME, PATIENCE, () -> {
                together.countDown();
                return await(together) ? "together" : "alone";
            }));
            awaitQueued(threads.get(threads.size() - 1));
        }
        go.countDown();
        assertThat(others).allSatisfy(each -> assertThat(each.join()).isEqualTo("together"));
        assertThatThrownBy(first::join).hasCauseInstanceOf(LockStoreException.class);
    }

    private static LockStoreException outage() {
        return new LockStoreException("no answer", new SQLException("connection reset"));
    }

    /** The outage is told, and over for those who come: they would be in each other's way again. */
    @Test
    void outage_whoComesLaterTakesTurns() {
        CompletableFuture<String> first = first(() -> {
            throw outage();
        });
        CountDownLatch stay = new CountDownLatch(1);
        CompletableFuture<String> waiter = later(NAME, PATIENCE, () -> await(stay) ? "waiter" : "late");
        awaitQueued(threads.get(threads.size() - 1));
        go.countDown();
        assertThatThrownBy(first::join).hasCauseInstanceOf(LockStoreException.class);
        AtomicInteger inside = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        CountDownLatch both = new CountDownLatch(1);
        Work counted = () -> {
            most.accumulateAndGet(inside.incrementAndGet(), Math::max);
            assertThat(await(both)).isTrue();
            inside.decrementAndGet();
            return "done";
        };
        CompletableFuture<String> one = later(NAME, PATIENCE, counted);
        CompletableFuture<String> two = later(NAME, PATIENCE, counted);
        Awaitility.await("one has its turn, and one waits for it")
                .atMost(PATIENCE)
                .until(() -> inside.get() == 1
                        && threads.stream()
                                        .filter(each -> each.getState() == Thread.State.TIMED_WAITING)
                                        .count()
                                >= 3);
        both.countDown();
        assertThat(one.join() + two.join()).isEqualTo("donedone");
        assertThat(most).hasValue(1);
        stay.countDown();
        assertThat(waiter.join()).isEqualTo("waiter");
    }

    /** Others were faster, or the row cannot be read: that says nothing about the database. */
    @Test
    void troubleOfTheRow_theNextGoesAlone() {
        CompletableFuture<String> first = first(() -> {
            throw new LockStoreException("others changed it all the time", null);
        });
        CountDownLatch stay = new CountDownLatch(1);
        AtomicInteger inside = new AtomicInteger();
        Work work = () -> {
            inside.incrementAndGet();
            return await(stay) ? "done" : "late";
        };
        CompletableFuture<String> one = later(NAME, PATIENCE, work);
        awaitQueued(threads.get(threads.size() - 1));
        CompletableFuture<String> two = later(NAME, PATIENCE, work);
        awaitQueued(threads.get(threads.size() - 1));
        go.countDown();
        assertThatThrownBy(first::join).hasCauseInstanceOf(LockStoreException.class);
        CompletableFuture<String> three = later(NAME, PATIENCE, () -> "three");
        awaitQueued(threads.get(threads.size() - 1));
        assertThat(inside).hasValue(1);
        stay.countDown();
        assertThat(one.join() + two.join() + three.join()).isEqualTo("donedonethree");
    }

    @Test
    void patience_over_isSaidAndTheNextGoesOn() {
        first(() -> "first");
        assertThatThrownBy(
                        () -> later(NAME, Duration.ofMillis(10), () -> "never").join())
                .hasCauseInstanceOf(LockStoreException.class)
                .hasMessageContaining("others of this process ask for it");
        CompletableFuture<String> next = later(NAME, PATIENCE, () -> "next");
        go.countDown();
        assertThat(next.join()).isEqualTo("next");
    }
}
