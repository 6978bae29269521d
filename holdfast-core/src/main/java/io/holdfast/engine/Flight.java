package io.holdfast.engine;

import io.holdfast.Lease;
import io.holdfast.LostReason;
import io.holdfast.spi.Resource;
import org.jspecify.annotations.Nullable;

/**
 * Tells Flight Recorder, where a recording wants to know. Without a recording each of these is one look at a flag. A
 * Java without the module {@code jdk.jfr} never loads the classes of the events: they are named in {@link FlightEvents}
 * only, and what is begun goes through the engine as an object.
 */
final class Flight {
    static final boolean PRESENT = isPresent();

    private Flight() {}

    private static boolean isPresent() {
        try {
            Class.forName("jdk.jfr.Event", false, Flight.class.getClassLoader());
            return true;
        } catch (ClassNotFoundException | LinkageError absent) {
            return false;
        }
    }

    /** An acquisition begins. Null if nobody wants to know. */
    static @Nullable Object acquiring() {
        return PRESENT ? FlightEvents.acquiring() : null;
    }

    /** It ended, with this token, or with zero and the reason why there is none. */
    static void acquired(@Nullable Object begun, Resource resource, long token, String outcome) {
        if (begun != null) {
            FlightEvents.acquired(begun, resource, token, outcome);
        }
    }

    /** A hold begins. Null if nobody wants to know. */
    static @Nullable Object holding() {
        return PRESENT ? FlightEvents.holding() : null;
    }

    /** It ended: released, or lost for a reason. */
    static void held(@Nullable Object begun, Lease lease, String end) {
        if (begun != null) {
            FlightEvents.held(begun, lease, end);
        }
    }

    /** The store was asked to renew a claim, and answered or did not. */
    static void renewal(Resource resource, CurrentLease lease, String outcome, long tookNanos) {
        if (PRESENT) {
            FlightEvents.renewal(resource, lease.token(), outcome, tookNanos);
        }
    }

    static void lost(Lease lease, LostReason why, long heldNanos) {
        if (PRESENT) {
            FlightEvents.lost(lease, why, heldNanos);
        }
    }
}
