package io.holdfast.engine;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The leases that threads owned and lost, as long as the thread lives and has not been told. Nobody else may refer to them any more, and a thread that
 * locks again must still find that it lost what it thinks it holds. They are few: those of dead threads are swept out as the number grows.
 */
final class Untold {
    private static final int LEAST_SWEEP = 8;

    private final Set<EngineLease> leases = ConcurrentHashMap.newKeySet();
    private volatile int sweepAbove = LEAST_SWEEP;
    private volatile boolean closed;

    void add(EngineLease lease) {
        leases.add(lease);
        if (lease.isTold() || closed) { // told meanwhile, by somebody who did not find it here
            leases.remove(lease);
        }
        if (leases.size() > sweepAbove) {
            leases.removeIf(EngineLease::ownerDied);
            sweepAbove = Math.max(LEAST_SWEEP, 2 * leases.size());
        }
    }

    void remove(EngineLease lease) {
        leases.remove(lease);
    }

    int size() {
        return leases.size();
    }

    /** A client that is closed has nothing to tell. */
    void close() {
        closed = true;
        leases.clear();
    }
}
