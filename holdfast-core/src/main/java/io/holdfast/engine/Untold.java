package io.holdfast.engine;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The leases that threads owned and lost, as long as the thread lives and does not know. Nobody else may refer to them
 * any more, and a thread that locks again must still find that it lost what it thinks it holds. They are few: those of
 * dead threads are swept out as the number grows.
 */
final class Untold {
    /** A lost lease that a thread owned. */
    interface Loss {

        /** Whether the thread knows, or has nothing more to unlock. */
        boolean isTold();

        boolean ownerDied();
    }

    private static final int LEAST_SWEEP = 8;

    private final Set<Loss> losses = ConcurrentHashMap.newKeySet();
    private volatile int sweepAbove = LEAST_SWEEP;
    private volatile boolean closed;

    void add(Loss loss) {
        losses.add(loss);
        if (loss.isTold() || closed) { // told meanwhile, by somebody who did not find it here
            losses.remove(loss);
        }
        if (losses.size() > sweepAbove) {
            losses.removeIf(Loss::ownerDied);
            sweepAbove = Math.max(LEAST_SWEEP, 2 * losses.size());
        }
    }

    void remove(Loss loss) {
        losses.remove(loss);
    }

    int size() {
        return losses.size();
    }

    /** A client that is closed has nothing to tell. */
    void close() {
        closed = true;
        losses.clear();
    }
}
