package io.holdfast.engine;

import io.holdfast.spi.WaitRecord;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A core that two looks in a row saw, until it is sure that all of it was true at one instant: the one between these
 * two looks.
 *
 * <p><b>Why three versions.</b> Let the second look have read version X of a client. A greater one that a later look
 * reads, Y, was written after that. Any version after Y was sampled when the write of Y had been answered, so after the
 * instant. If it still shows the same wait and the same holds, they were there at the instant: the first look saw them
 * before it, and no wait and no claim is ever there twice. A client that was killed, is paused or is cut off does not
 * count on, and so nothing is told of it.
 */
final class DeadlockCandidate {

    /** A claim in a line may be left over from a client that died, for a few seconds. */
    static final long PLACE_NANOS = 4_000 * Deadline.NANOS_PER_MILLI;

    /** How far one client has counted. */
    private static final class Count {
        private final long first;
        private long second;
        private boolean done;

        Count(long first) {
            this.first = first;
        }

        void see(WaitRecord record) {
            if (second == 0) {
                second = record.version() > first ? record.version() : 0;
            } else if (record.version() > second) {
                done |= record.unbroken() <= second;
                second = record.version();
            }
        }
    }

    private final long seenNanos;
    private final Map<String, Count> counts = new HashMap<>();

    /** @param seenNanos when the first look that saw it had ended */
    DeadlockCandidate(DeadlockCore core, DeadlockLook second, long seenNanos) {
        this.seenNanos = seenNanos;
        for (String client : core.clients()) {
            WaitRecord record = second.record(client);
            counts.put(client, new Count(record == null ? Long.MAX_VALUE : record.version()));
        }
    }

    /** A later look saw the same. True when it is sure. */
    boolean isSure(DeadlockCore core, DeadlockLook look, long nowNanos) {
        counts.forEach((client, count) -> see(count, look.record(client)));
        boolean alive = !core.isSoft() || nowNanos - seenNanos >= PLACE_NANOS;
        return alive && counts.values().stream().allMatch(count -> count.done);
    }

    private static void see(Count count, @Nullable WaitRecord record) {
        if (record != null) {
            count.see(record);
        }
    }
}
