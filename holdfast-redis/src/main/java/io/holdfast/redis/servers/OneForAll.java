package io.holdfast.redis.servers;

import io.holdfast.redis.driver.RedisLinkException;
import io.holdfast.redis.settings.Timing;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A question that one thread asks for all that need the answer. The others wait until it has ended, and go on together.
 *
 * <p>A mutex would let them through one after the other: with thousands of threads, each of which has to be scheduled
 * first, a renewal behind them would come too late.
 */
final class OneForAll {
    private final AtomicReference<@Nullable Question<?>> asking = new AtomicReference<>();

    /** Whether a thread is asking right now. */
    boolean isAsking() {
        return asking.get() != null;
    }

    /**
     * Returns the answer that is known, or asks. A thread that waited in vain asks by itself.
     *
     * @param known the answer, or null as long as there is none
     * @param ask asks, and makes the answer known
     * @param late says why there is no answer when the time is up before another thread has one
     */
    <T> T answer(Timing time, long untilNanos, Supplier<@Nullable T> known, Supplier<T> ask, String late) {
        return answer(Runnable::run, time, untilNanos, known, ask, late);
    }

    /**
     * The same for a question that may take longer than its caller has: another thread asks, and goes on when the
     * caller's time is up.
     *
     * @param threads runs what asks
     */
    <T> T answer(
            Executor threads, Timing time, long untilNanos, Supplier<@Nullable T> known, Supplier<T> ask, String late) {
        while (true) {
            T there = known.get();
            if (there != null) {
                return there;
            }
            Question<T> mine = new Question<>(known, ask);
            Question<?> another = asking.compareAndExchange(null, mine);
            if (another == null) {
                threads.execute(mine);
            }
            if (!ends(another == null ? mine.ended : another.ended, time, untilNanos)) {
                throw RedisLinkException.local(late, null);
            }
            if (another == null) {
                return mine.answer();
            }
        }
    }

    /** One question on its way. Only whoever began it gets its answer or failure. */
    private final class Question<T> implements Runnable {
        private final Supplier<@Nullable T> known;
        private final Supplier<T> ask;
        private final CompletableFuture<Void> ended = new CompletableFuture<>();
        private @Nullable T answer;
        private @Nullable Throwable failure;

        Question(Supplier<@Nullable T> known, Supplier<T> ask) {
            this.known = known;
            this.ask = ask;
        }

        @Override
        public void run() {
            try {
                T since = known.get();
                answer = since != null ? since : ask.get();
            } catch (Throwable thrown) {
                failure = thrown;
            } finally {
                asking.set(null);
                ended.complete(null);
            }
        }

        T answer() {
            if (failure instanceof RuntimeException known) {
                throw known;
            }
            if (failure instanceof Error error) {
                throw error;
            }
            return Objects.requireNonNull(answer);
        }
    }

    /** Waits for the end of what another thread does. An interrupt does not end the wait. */
    private static boolean ends(CompletableFuture<Void> another, Timing time, long untilNanos) {
        boolean interrupted = false;
        try {
            while (true) {
                Duration left = time.left(untilNanos);
                try {
                    another.get(left.toNanos(), TimeUnit.NANOSECONDS);
                    return true;
                } catch (InterruptedException flag) {
                    interrupted = true;
                } catch (TimeoutException late) {
                    return false;
                } catch (ExecutionException impossible) {
                    throw new IllegalStateException(impossible);
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
