package io.holdfast.tck;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.DistributedLock;
import io.holdfast.Fairness;
import io.holdfast.Lease;
import io.holdfast.LockClient;
import io.holdfast.LockKind;
import io.holdfast.LockOptions;
import io.holdfast.LockStoreException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/**
 * Whoever gives up at the very instant at which the lock is handed over leaks nothing. Every test is run many times,
 * because one run proves little; each time the lock must be free afterwards, and a leak lasts longer than the kit waits
 * for that.
 *
 * @since 0.1
 */
public abstract class RaceContract extends Contract {
    private static final int ROUNDS = 150;

    private final AtomicInteger lateAnswers = new AtomicInteger();

    /** For subclasses. */
    protected RaceContract() {}

    /** Begins to wait for a lock; the result gives up at once or a little later, and waits for the end. */
    private interface Attempt {
        Runnable on(DistributedLock lock);
    }

    @Test
    void interrupt_racesWithTheGrant_leaksNothing() {
        race(defaults(), this::interrupted);
    }

    @Test
    void interrupt_racesWithTheGrantFirstComeFirstServed_leaksNothing() {
        race(defaults().fairness(Fairness.FIFO), this::interrupted);
    }

    @Test
    void timeout_racesWithTheGrant_leaksNothing() {
        race(defaults(), this::timedOut, false);
    }

    @Test
    void timeout_racesWithTheGrantFirstComeFirstServed_leaksNothing() {
        race(defaults().fairness(Fairness.FIFO), this::timedOut, false);
    }

    @Test
    void cancel_racesWithTheGrant_leaksNothing() {
        race(defaults(), this::cancelled);
    }

    @Test
    void cancel_racesWithTheGrantFirstComeFirstServed_leaksNothing() {
        race(defaults().fairness(Fairness.FIFO), this::cancelled);
    }

    @Test
    void asyncTimeout_racesWithTheGrant_leaksNothing() {
        race(defaults(), this::timedOutAsync, false);
    }

    @Test
    void cancel_waitingFuture_leavesTheLine() {
        for (LockOptions options : List.of(defaults(), defaults().fairness(Fairness.FIFO))) {
            String name = name("cancelled");
            Lease held = client().lock(name).acquire();
            LockClient client = client(options);
            CompletableFuture<Lease> waiting = client.lock(name).acquireAsync();
            CompletableFuture<Optional<Lease>> bounded = client.lock(name).tryAcquireAsync(Duration.ofMinutes(1));
            awaitContended(client, name, 2);

            assertThat(waiting.cancel(true)).isTrue();
            assertThat(bounded.cancel(false)).isTrue();

            awaitWaiting(LockKind.LOCK, name, 0);
            held.close();
            assertFree(name);
        }
    }

    @Test
    void cancel_firstOfTwoWaitingInOneClient_theOtherGetsIt() {
        for (LockOptions options : List.of(defaults(), defaults().fairness(Fairness.FIFO))) {
            String name = name("cancelled");
            Lease held = client().lock(name).acquire();
            LockClient client = client(options);
            CompletableFuture<Lease> first = client.lock(name).acquireAsync();
            awaitContended(client, name, 1);
            CompletableFuture<Lease> second = client.lock(name).acquireAsync();
            awaitContended(client, name, 2);

            assertThat(first.cancel(true)).isTrue();
            held.close();

            second.orTimeout(patience().toSeconds(), TimeUnit.SECONDS).join().close();
            assertFree(name);
        }
    }

    private void race(LockOptions options, Attempt attempt) {
        race(options, attempt, true);
    }

    /** Half of the rounds begin when it is certain that somebody waits, unless the wait is too short for that. */
    private void race(LockOptions options, Attempt attempt, boolean waitsForLong) {
        LockClient holder = client();
        LockClient other = client(options);
        for (int round = 0; round < ROUNDS; round++) {
            LockClient waiting = round % 3 == 0 ? holder : other;
            String name = name("race");
            Lease held = holder.lock(name).acquire();
            Runnable giveUp = attempt.on(waiting.lock(name, options));
            if (waitsForLong && round % 2 == 0) {
                awaitContended(waiting, name, 1);
            }
            Crew.Hand<Boolean> releasing = crew().run("releasing", () -> {
                spin();
                held.close();
            });
            spin();

            giveUp.run();

            assertThat(releasing.result()).isTrue();
            assertFree(name);
        }
    }

    private Runnable interrupted(DistributedLock lock) {
        Crew.Hand<Boolean> waiter = crew().ask("waiter", () -> {
            try {
                lock.acquireInterruptibly().close();
                return true;
            } catch (InterruptedException expected) {
                return false;
            }
        });
        return () -> {
            waiter.interrupt();
            assertThat(waiter.result()).isNotNull();
        };
    }

    private Runnable timedOut(DistributedLock lock) {
        long micros = ThreadLocalRandom.current().nextLong(1, 3_000);
        Crew.Hand<Boolean> waiter = crew().ask("waiter", () -> {
            try {
                boolean taken = lock.tryLock(micros, TimeUnit.MICROSECONDS);
                if (taken) {
                    lock.unlock();
                }
                return taken;
            } catch (LockStoreException late) {
                return answeredLate(late);
            }
        });
        return () -> assertThat(waiter.result()).isNotNull();
    }

    private Runnable timedOutAsync(DistributedLock lock) {
        long micros = ThreadLocalRandom.current().nextLong(1, 3_000);
        CompletableFuture<Optional<Lease>> waiting = lock.tryAcquireAsync(Duration.ofNanos(micros * 1_000));
        return () -> {
            try {
                waiting.orTimeout(patience().toSeconds(), TimeUnit.SECONDS)
                        .join()
                        .ifPresent(Lease::close);
            } catch (CompletionException failure) {
                if (!(failure.getCause() instanceof LockStoreException late)) {
                    throw failure;
                }
                answeredLate(late);
            }
        };
    }

    /** A busy machine may answer later than so short a wait has patience for. That is told; it leaks nothing either. */
    private boolean answeredLate(LockStoreException late) {
        if (lateAnswers.incrementAndGet() > ROUNDS / 10) {
            throw late;
        }
        return false;
    }

    private Runnable cancelled(DistributedLock lock) {
        CompletableFuture<Lease> waiting = lock.acquireAsync();
        return () -> {
            if (!waiting.cancel(true)) {
                closeResult(waiting);
            }
        };
    }

    private static void closeResult(CompletableFuture<Lease> done) {
        try {
            done.join().close();
        } catch (CancellationException | CompletionException failure) {
            throw new AssertionError("a wait that was not cancelled failed", failure);
        }
    }

    private static void spin() {
        for (int i = ThreadLocalRandom.current().nextInt(20_000); i > 0; i--) {
            Thread.onSpinWait();
        }
    }
}
