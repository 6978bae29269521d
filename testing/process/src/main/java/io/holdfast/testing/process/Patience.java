package io.holdfast.testing.process;

import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;

/**
 * How a test waits for what has to come.
 *
 * @param most how long it waits before it fails
 */
public record Patience(Duration most) {
    private static final long STEP_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

    /** What a step takes on a machine that is busy but runs. */
    private static final long LONGEST_STEP_NANOS = 2 * STEP_NANOS;

    /**
     * Begins to wait. Looks at once, and then often.
     *
     * @param what it waits for, for people
     * @return the wait
     */
    public ConditionFactory soon(String what) {
        return Awaitility.await(what)
                .pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofMillis(5))
                .atMost(most);
    }

    /**
     * Fails as soon as a condition that must hold does not.
     *
     * @param what must hold, for people
     * @param time for how long
     * @param holds asked again and again, on the thread of the caller
     */
    public void always(String what, Duration time, Callable<Boolean> holds) {
        long endNanos = System.nanoTime() + time.toNanos();
        soon(what).pollInterval(Duration.ofMillis(20)).pollInSameThread().until(() -> {
            if (!holds.call()) {
                throw new AssertionError("no more: " + what);
            }
            return System.nanoTime() - endNanos > 0;
        });
    }

    /**
     * Waits for a point in time.
     *
     * @param untilNanos of {@link System#nanoTime()}
     */
    public void passes(long untilNanos) {
        soon("time").until(() -> System.nanoTime() - untilNanos > 0);
    }

    /**
     * Waits until a value grows.
     *
     * @param <T> what it is
     * @param what for the message
     * @param value looked at often
     * @param holds what must be true whenever it is looked at
     * @throws AssertionError if it is not true, or nothing grows in time
     */
    public <T extends Comparable<? super T>> void grows(String what, Supplier<T> value, BooleanSupplier holds) {
        AtomicReference<T> last = new AtomicReference<>(value.get());
        soon(what).until(() -> {
            if (!holds.getAsBoolean()) {
                throw new AssertionError("it ended before there was " + what);
            }
            T now = value.get();
            return now.compareTo(last.getAndSet(now)) > 0;
        });
    }

    /**
     * Waits for a result. Only time in which this JVM runs counts: on a machine that stands still for a second, nothing
     * else has gone on in that second either.
     *
     * @param <T> what it is
     * @param stage ends with it
     * @return the result
     * @throws AssertionError if it fails, or takes too long
     */
    public <T> T get(CompletionStage<T> stage) {
        CompletableFuture<T> future = stage.toCompletableFuture();
        long leftNanos = most.toNanos();
        while (true) {
            long beforeNanos = System.nanoTime();
            try {
                return future.get(STEP_NANOS, TimeUnit.NANOSECONDS);
            } catch (ExecutionException failed) {
                throw new AssertionError("failed", failed.getCause());
            } catch (TimeoutException late) {
                leftNanos -= Math.min(System.nanoTime() - beforeNanos, LONGEST_STEP_NANOS);
                if (leftNanos <= 0) {
                    throw new AssertionError("not within " + most, late);
                }
            } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
                throw new AssertionError("interrupted", interrupted);
            }
        }
    }
}
