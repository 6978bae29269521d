package io.holdfast.testing.redis;

import java.time.Duration;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** Looks again and again until something is so. */
final class Await {
    /** How long the tools wait for a server to do what it was told, on a machine that is busy. */
    static final Duration PATIENCE = Duration.ofSeconds(90);

    private static final long PAUSE_MILLIS = 10;

    private Await() {}

    /** Until the condition holds; a server that does not answer yet counts as "not yet". */
    static void until(String what, BooleanSupplier condition) {
        until(what, PATIENCE, condition, () -> "");
    }

    static void until(String what, Duration patience, BooleanSupplier condition, Supplier<String> details) {
        long deadlineNanos = System.nanoTime() + patience.toNanos();
        RuntimeException last = null;
        do {
            try {
                if (condition.getAsBoolean()) {
                    return;
                }
                last = null;
            } catch (RedisConsoleException | RedisUnreachableException e) {
                last = e;
            }
            pause();
        } while (System.nanoTime() - deadlineNanos < 0);
        throw new IllegalStateException("Waited " + patience + " in vain: " + what + details.get(), last);
    }

    private static void pause() {
        try {
            Thread.sleep(PAUSE_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("Interrupted while waiting for a Redis server", e);
        }
    }
}
