package io.holdfast.tck;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** The helper threads of one test. A failure in one of them fails the test, unless the test asked for that failure. */
final class Crew {
    private final Duration patience;
    private final List<Hand<?>> hands = new CopyOnWriteArrayList<>();

    Crew(Duration patience) {
        this.patience = patience;
    }

    /** Work without a result. */
    interface Work {
        void run() throws Exception;
    }

    /** Starts a thread that answers. */
    <T> Hand<T> ask(String name, Callable<T> work) {
        Hand<T> hand = new Hand<>(name, work, patience);
        hands.add(hand);
        hand.thread.start();
        return hand;
    }

    /** Starts a thread that only works. */
    Hand<Boolean> run(String name, Work work) {
        return ask(name, () -> {
            work.run();
            return true;
        });
    }

    /** Waits until every thread has returned. */
    void finish() {
        for (Hand<?> hand : hands) {
            hand.awaitEnd();
        }
        AssertionError failure = null;
        for (Hand<?> hand : hands) {
            AssertionError one = hand.unexpected();
            if (failure == null) {
                failure = one;
            } else if (one != null) {
                failure.addSuppressed(one);
            }
        }
        if (failure != null) {
            throw failure;
        }
    }

    /** One thread. */
    static final class Hand<T> {
        private final Thread thread;
        private final Duration patience;
        private final CompletableFuture<T> outcome = new CompletableFuture<>();
        private volatile boolean flagAtEnd;
        private volatile boolean asked;

        private Hand(String name, Callable<T> work, Duration patience) {
            this.patience = patience;
            this.thread = new Thread(() -> work(work), name);
            thread.setDaemon(true);
        }

        private void work(Callable<T> work) {
            try {
                T result = work.call();
                flagAtEnd = Thread.currentThread().isInterrupted();
                outcome.complete(result);
            } catch (Throwable failure) {
                flagAtEnd = Thread.currentThread().isInterrupted();
                outcome.completeExceptionally(failure);
            }
        }

        String name() {
            return thread.getName();
        }

        boolean isDone() {
            return outcome.isDone();
        }

        /** Whether the thread waits for something at this moment. */
        boolean isParked() {
            return switch (thread.getState()) {
                case WAITING, TIMED_WAITING -> true;
                default -> false;
            };
        }

        void interrupt() {
            thread.interrupt();
        }

        /** Waits for the answer; a failure of the thread becomes one of the test. */
        T result() {
            awaitEnd();
            asked = true;
            try {
                return outcome.get();
            } catch (ExecutionException failed) {
                throw new AssertionError("thread " + name() + " failed", failed.getCause());
            } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
                throw new AssertionError("interrupted while waiting for " + name(), interrupted);
            }
        }

        /** Waits for the thread to fail, as the test expects it to. */
        Throwable failure() {
            awaitEnd();
            asked = true;
            Throwable failure = failureOrNull();
            assertThat(failure).as("failure of thread %s", name()).isNotNull();
            return Objects.requireNonNull(failure);
        }

        /** Waits for the end of the thread and tells whether its interrupt flag was set there. */
        boolean flagAtEnd() {
            awaitEnd();
            return flagAtEnd;
        }

        /** Waits for the end of the thread itself, not only of its work. */
        void join() {
            result();
            try {
                thread.join(patience.toMillis());
            } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
                throw new AssertionError("interrupted while waiting for " + name(), interrupted);
            }
            assertThat(thread.isAlive()).as("thread %s lives", name()).isFalse();
        }

        private void awaitEnd() {
            try {
                outcome.handle((result, failure) -> true).get(patience.toNanos(), TimeUnit.NANOSECONDS);
            } catch (TimeoutException late) {
                AssertionError stuck = new AssertionError("thread " + name() + " is still at work after " + patience);
                stuck.setStackTrace(thread.getStackTrace());
                stuck.addSuppressed(late);
                throw stuck;
            } catch (ExecutionException impossible) {
                throw new AssertionError(impossible);
            } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
                throw new AssertionError("interrupted while waiting for " + name(), interrupted);
            }
        }

        private @Nullable AssertionError unexpected() {
            Throwable failure = asked ? null : failureOrNull();
            return failure == null ? null : new AssertionError("thread " + name() + " failed", failure);
        }

        private @Nullable Throwable failureOrNull() {
            return outcome.handle((result, failure) -> failure).getNow(null);
        }
    }
}
