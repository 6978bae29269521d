package io.holdfast.quorum;

import java.util.concurrent.atomic.LongAdder;

/** Counts how many round trips grants needed. */
final class Counters {
    private final LongAdder atOnce = new LongAdder();
    private final LongAdder raised = new LongAdder();

    void granted(boolean inOneTrip) {
        (inOneTrip ? atOnce : raised).increment();
    }

    /** Grants that needed one round trip. */
    long atOnce() {
        return atOnce.sum();
    }

    /** Grants whose tokens had to be raised. */
    long raised() {
        return raised.sum();
    }
}
