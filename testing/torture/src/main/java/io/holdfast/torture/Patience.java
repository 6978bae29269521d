package io.holdfast.torture;

import io.holdfast.LockStoreException;
import io.holdfast.testing.redis.RedisConsoleException;
import io.holdfast.testing.redis.RedisUnreachableException;
import java.time.Duration;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** Looks again and again until something is so. */
final class Patience {
    private static final Duration LONGEST = Duration.ofMinutes(1);

    private Patience() {}

    static void until(String what, BooleanSupplier condition) {
        if (!until(LONGEST, condition)) {
            throw new IllegalStateException("waited " + LONGEST + " in vain: " + what);
        }
    }

    /** What the run itself asks of a store: on a machine that is busy that may need more than one try. */
    static <T> T insist(Supplier<T> request) {
        for (long endNanos = System.nanoTime() + LONGEST.toNanos(); ; ) {
            try {
                return request.get();
            } catch (LockStoreException e) {
                if (System.nanoTime() - endNanos > 0) {
                    throw e;
                }
                Threads.sleep(200);
            }
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
