package io.holdfast.quorum;

import io.holdfast.LockStoreException;
import io.holdfast.spi.TimeSource;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * Lets a bounded number of callers ask the members at a time, in the order of coming. A crowd of thousands would make
 * every answer late, and a late answer cannot be told from a silent member. Time in this line is nobody's silence.
 */
final class Turns {
    /** More make no more cycles: each asks every member at once. */
    static final int MOST = 256;

    private final Semaphore turns = new Semaphore(MOST, true);
    private final TimeSource time;

    Turns(TimeSource time) {
        this.time = time;
    }

    /** Waits for a turn, whatever interrupts it; the flag is set again. To be closed. */
    Turn await(long untilNanos) {
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    if (turns.tryAcquire(Math.max(0, untilNanos - time.nanoTime()), TimeUnit.NANOSECONDS)) {
                        return turns::release;
                    }
                    throw new LockStoreException(
                            "too many callers ask the quorum at once, nothing was asked for; allow more time, or let"
                                    + " fewer threads ask",
                            null);
                } catch (InterruptedException flag) {
                    interrupted = true;
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** How many wait for theirs. */
    int waiting() {
        return turns.getQueueLength();
    }

    /** The right to ask. */
    interface Turn extends AutoCloseable {
        @Override
        void close();
    }
}
