package io.holdfast.engine;

import io.holdfast.Lease;
import io.holdfast.LostReason;
import io.holdfast.spi.Resource;
import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import jdk.jfr.Threshold;
import jdk.jfr.Timespan;
import org.jspecify.annotations.Nullable;

/**
 * The events of Flight Recorder. Loaded by {@link Flight} only, where there is such a thing. Whether an event is wanted
 * is asked of one that never ends, so that nothing is made when it is not.
 */
@SuppressWarnings("UnusedVariable") // Flight Recorder reads the fields
final class FlightEvents {
    private static final Acquire ACQUIRE = new Acquire();
    private static final Hold HOLD = new Hold();
    private static final Renewal RENEWAL = new Renewal();
    private static final Lost LOST = new Lost();

    private FlightEvents() {}

    /** What all of them tell. */
    @Category("Holdfast")
    @StackTrace(false)
    private abstract static class OfLock extends Event {
        @Label("Kind")
        @Nullable
        String kind;

        @Label("Name")
        @Nullable
        String name;

        @Label("Token")
        long token;

        final void of(Resource resource, long ofToken) {
            kind = resource.kind().name();
            name = resource.name();
            token = ofToken;
        }

        final void of(Lease lease) {
            kind = lease.kind().name();
            name = lease.name();
            token = lease.token();
        }
    }

    /** From the call to its end. */
    @Name("io.holdfast.Acquire")
    @Label("Lock Acquisition")
    @Description("From the call to its end, with a lease or without one")
    @StackTrace
    @Threshold("10 ms")
    private static final class Acquire extends OfLock {
        @Label("Outcome")
        private @Nullable String outcome;
    }

    /** From the hand-out to the end. */
    @Name("io.holdfast.Hold")
    @Label("Lock Hold")
    @Description("From the hand-out of a lease to its end")
    @StackTrace
    @Threshold("10 ms")
    private static final class Hold extends OfLock {
        @Label("End")
        private @Nullable String end;
    }

    /** One renewal of one lease. */
    @Name("io.holdfast.Renewal")
    @Label("Lock Renewal")
    @Description("The watchdog asked the store to renew a lease")
    private static final class Renewal extends OfLock {
        @Label("Outcome")
        private @Nullable String outcome;

        @Label("Took")
        @Timespan(Timespan.NANOSECONDS)
        private long took;
    }

    /** One loss. */
    @Name("io.holdfast.Lost")
    @Label("Lock Lost")
    @Description("A lease was lost: somebody else may hold the lock")
    private static final class Lost extends OfLock {
        @Label("Reason")
        private @Nullable String reason;

        @Label("Held")
        @Timespan(Timespan.NANOSECONDS)
        private long held;
    }

    static @Nullable Object acquiring() {
        return ACQUIRE.isEnabled() ? begun(new Acquire()) : null;
    }

    static @Nullable Object holding() {
        return HOLD.isEnabled() ? begun(new Hold()) : null;
    }

    private static Object begun(Event event) {
        event.begin();
        return event;
    }

    static void acquired(Object begun, Resource resource, long token, String outcome) {
        Acquire event = (Acquire) begun;
        event.end();
        if (event.shouldCommit()) {
            event.of(resource, token);
            event.outcome = outcome;
            event.commit();
        }
    }

    static void held(Object begun, Lease lease, String end) {
        Hold event = (Hold) begun;
        event.end();
        if (event.shouldCommit()) {
            event.of(lease);
            event.end = end;
            event.commit();
        }
    }

    static void renewal(Resource resource, long token, String outcome, long tookNanos) {
        if (RENEWAL.isEnabled()) {
            Renewal event = new Renewal();
            event.of(resource, token);
            event.outcome = outcome;
            event.took = tookNanos;
            event.commit();
        }
    }

    static void lost(Lease lease, LostReason why, long heldNanos) {
        if (LOST.isEnabled()) {
            Lost event = new Lost();
            event.of(lease);
            event.reason = why.name();
            event.held = heldNanos;
            event.commit();
        }
    }
}
