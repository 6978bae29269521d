package io.holdfast.quorum;

import java.util.concurrent.atomic.LongAdder;

/** How votes went. */
final class Counters {
    private final LongAdder atOnce = new LongAdder();
    private final LongAdder raised = new LongAdder();

    void granted(boolean inOneTrip) {
        (inOneTrip ? atOnce : raised).increment();
    }

    /** Grants for which one trip was enough. */
    long atOnce() {
        return atOnce.sum();
    }

    /** Grants for which tokens had to be raised. */
    long raised() {
        return raised.sum();
    }
}
