package io.holdfast.engine;

import io.holdfast.spi.WaitRecord;
import java.util.List;
import java.util.Map;

/**
 * The suspects of one client, as of one moment.
 *
 * @param record what others may see
 * @param waiters who waits, by the serials of the record
 */
record DeadlockSample(WaitRecord record, Map<Long, Waiter> waiters) {

    /** Those that wait here; others only hold something here. */
    List<WaitRecord.Suspect> own() {
        return record.suspects().stream()
                .filter(suspect -> suspect.claim().client().equals(record.client()))
                .toList();
    }

    boolean isEmpty() {
        return record.suspects().isEmpty();
    }
}
