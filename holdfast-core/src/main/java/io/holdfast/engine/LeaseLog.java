package io.holdfast.engine;

import io.holdfast.DurationText;
import io.holdfast.Lease;
import io.holdfast.LostReason;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;

/**
 * Says in the log what must not be silent: that a lease was lost, or may be soon. It has a logger of its own, so that
 * whoever hears it in another way can switch it off.
 */
final class LeaseLog {
    static final String NAME = "io.holdfast.leases";

    private final Logger logger = System.getLogger(NAME);

    void lost(Lease lease, LostReason why, long heldNanos) {
        warn(named(lease) + " was lost after " + DurationText.rounded(Duration.ofNanos(heldNanos)) + ": " + why
                + "; somebody else may hold it now");
    }

    void atRisk(Lease lease, RuntimeException cause, long heldNanos) {
        warn(named(lease) + ", held for " + DurationText.rounded(Duration.ofNanos(heldNanos))
                + ", could not be renewed: " + cause.getMessage() + "; it is lost in "
                + DurationText.rounded(lease.remaining()) + " unless a later renewal succeeds");
    }

    /** Its holder worked to the end and never looked. */
    void closedLate(Lease lease, LostReason why) {
        warn(named(lease) + " had been lost (" + why + ") when it was closed, and nobody had asked it: what was done"
                + " last may have been done while somebody else held it; ask ensureValid(), or use onLost or a fence");
    }

    private static String named(Lease lease) {
        return "the lease of " + lease.kind() + " '" + lease.name() + "' with token " + lease.token();
    }

    private void warn(String message) {
        logger.log(Level.WARNING, message);
    }
}
