package io.holdfast.redis.servers;

import io.holdfast.redis.driver.RedisLinkException;
import io.holdfast.redis.settings.Timing;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
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
    private final AtomicReference<@Nullable CompletableFuture<Void>> asking = new AtomicReference<>();

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
        while (true) {
            T there = known.get();
            if (there != null) {
                return there;
            }
            CompletableFuture<Void> mine = new CompletableFuture<>();
            CompletableFuture<Void> another = asking.compareAndExchange(null, mine);
            if (another == null) {
                try {
                    T since = known.get();
                    return since != null ? since : ask.get();
                } finally {
                    asking.set(null);
                    mine.complete(null);
                }
            }
            if (!ends(another, time, untilNanos)) {
                throw RedisLinkException.local(late, null);
            }
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
