package io.holdfast.torture;

import io.holdfast.testing.redis.RedisConsoleException;
import io.holdfast.testing.redis.RedisUnreachableException;
import java.time.Duration;
import java.util.function.BooleanSupplier;

/** Looks again and again until something is so. */
final class Patience {
    private static final Duration LONGEST = Duration.ofMinutes(1);

    private Patience() {}

    static void until(String what, BooleanSupplier condition) {
        if (!until(LONGEST, condition)) {
            throw new IllegalStateException("waited " + LONGEST + " in vain: " + what);
        }
    }

    /** Was it so in time? A server that does not answer counts as "not yet". */
    static boolean until(Duration time, BooleanSupplier condition) {
        long deadlineNanos = System.nanoTime() + time.toNanos();
        do {
            try {
                if (condition.getAsBoolean()) {
                    return true;
                }
            } catch (RedisConsoleException | RedisUnreachableException e) {
                // Asked again.
            }
            Threads.sleep(20);
        } while (System.nanoTime() - deadlineNanos < 0);
        return false;
    }
}
