package io.holdfast.cli;

import io.holdfast.Acquirable;
import io.holdfast.Lease;
import io.holdfast.LockException;
import io.holdfast.LockInspector;
import io.holdfast.LockKind;
import io.holdfast.LockRefusedException;
import io.holdfast.LockStoreException;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Waits for a lock, also through a short outage: a store that is started again must not end every command that waits
 * for it.
 */
record Waiting(Remarks remarks, LockInspector inspector, LockKind kind, String name) {
    private static final Duration LONGEST_OUTAGE = Duration.ofSeconds(30);
    private static final Duration PAUSE = Duration.ofMillis(300);

    /** Who fails sooner than this on a store that answers has something else to say than that it is gone. */
    private static final Duration AT_ONCE = Duration.ofSeconds(1);

    Optional<Lease> acquire(Acquirable<Lease> lock, @Nullable Duration wait) throws InterruptedException {
        long startNanos = System.nanoTime();
        boolean again = false;
        while (true) {
            long askedNanos = System.nanoTime();
            try {
                return wait == null
                        ? Optional.of(lock.acquireInterruptibly())
                        : lock.tryAcquire(left(wait, startNanos));
            } catch (LockRefusedException refused) {
                throw refused;
            } catch (LockStoreException outage) {
                if (again && System.nanoTime() - askedNanos < AT_ONCE.toNanos()) {
                    throw outage;
                }
                sitOut(outage, longestOutage(wait == null ? null : left(wait, startNanos)));
                again = true;
            }
        }
    }

    /** How long a store may be away before a command that waits for a lock gives up. */
    static Duration longestOutage(@Nullable Duration wait) {
        return wait == null || wait.compareTo(LONGEST_OUTAGE) > 0 ? LONGEST_OUTAGE : wait;
    }

    private static Duration left(Duration wait, long startNanos) {
        Duration left = wait.minusNanos(System.nanoTime() - startNanos);
        return left.isNegative() ? Duration.ZERO : left;
    }

    /** Returns when the store answers. */
    private void sitOut(LockStoreException outage, Duration most) throws InterruptedException {
        if (most.isZero()) {
            throw outage;
        }
        long untilNanos = System.nanoTime() + most.toNanos();
        boolean said = false;
        while (!answers()) {
            if (System.nanoTime() - untilNanos >= 0) {
                throw outage;
            }
            if (!said) {
                remarks.say("waiting for the store, at most " + DurationConverter.shown(most) + ": "
                        + Statuses.visible(String.valueOf(outage.getMessage())));
                said = true;
            }
            Thread.sleep(PAUSE.toMillis());
        }
    }

    private boolean answers() {
        try {
            inspector.find(kind, name);
            return true;
        } catch (LockException still) {
            return false;
        }
    }
}
