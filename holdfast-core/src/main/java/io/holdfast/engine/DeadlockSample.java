package io.holdfast.engine;

import io.holdfast.spi.WaitRecord;
import java.util.Map;

/**
 * The suspects of one client, as of one moment.
 *
 * @param record what others may see
 * @param waiters who waits, by the serials of the record
 */
record DeadlockSample(WaitRecord record, Map<Long, Waiter> waiters) {

    boolean isEmpty() {
        return record.suspects().isEmpty();
    }
}
