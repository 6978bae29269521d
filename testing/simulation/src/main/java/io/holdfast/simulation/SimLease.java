package io.holdfast.simulation;

import io.holdfast.Lease;
import io.holdfast.LostReason;
import io.holdfast.engine.EnginePeek;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A lease that a simulated user has or had, as the checks see it. */
final class SimLease {
    private final SimClient client;
    private final SimWorld world;
    private final SimProcess process;
    private final String label;
    private final Lease lease;
    private final int weight;
    private final Consumer<LostReason> whenLost;
    private boolean listening;
    private boolean closeCalled;
    private boolean seenInvalid;
    private @Nullable LostReason told;

    SimLease(SimClient client, String label, Lease lease, int weight, Consumer<LostReason> whenLost) {
        this.client = client;
        this.world = client.world();
        this.process = client.process();
        this.label = label;
        this.lease = lease;
        this.weight = weight;
        this.whenLost = whenLost;
    }

    /** Asks to be told. Only once this object is known to the others. */
    void listen() {
        listening = true;
        lease.onLost(this::lost);
    }

    boolean isListening() {
        return listening;
    }

    Lease lease() {
        return lease;
    }

    Stats stats() {
        return client.stats();
    }

    long token() {
        return lease.token();
    }

    int weight() {
        return weight;
    }

    /** The answer that the user would get now. */
    boolean isValidNow() {
        return !closeCalled && EnginePeek.isValid(lease, process.clocks());
    }

    /** Whether it has noticed that it is lost. */
    boolean isLost() {
        return !EnginePeek.isHeld(lease) && !EnginePeek.isClosed(lease);
    }

    /** Whether it can never be valid again. A killed process asks no more, but its lease counts until its deadline. */
    boolean isOver() {
        return closeCalled
                || !EnginePeek.isHeld(lease)
                || (process.isKilled() && EnginePeek.overdueNanos(lease, process.clocks()) > 0);
    }

    /** The user asks, which makes the lease look at the clocks. */
    boolean ask() {
        // The process may be paused between the look at the clocks and the answer, so only what was known before
        // counts.
        boolean over = seenInvalid || told != null;
        boolean valid = lease.isValid();
        if (valid && over) {
            world.violated(Rule.LOST_IS_FINAL, this + " is valid again");
        }
        seenInvalid |= !valid;
        return valid;
    }

    /** From here on the user does nothing under this lease. */
    void closing() {
        closeCalled = true;
    }

    private void lost(LostReason reason) {
        if (process.isKilled()) {
            return;
        }
        if (world.isTraced()) {
            world.trace(process.name(), "hears that " + this + " is lost: " + reason);
        }
        if (told != null) {
            world.violated(Rule.LOST_IS_FINAL, this + " was lost twice: " + told + ", then " + reason);
        }
        told = reason;
        ask();
        whenLost.accept(reason);
    }

    /** Whether it was closed by neither its user nor a client that closes. */
    boolean isTakenAway() {
        return !closeCalled && !client.isClosing() && EnginePeek.isClosed(lease);
    }

    /** A user that neither closed it nor was told of its end must be told soon after. */
    boolean isOverslept(long toleranceNanos) {
        return !closeCalled
                && !process.isKilled()
                && process.stoppedUntilNanos() + toleranceNanos < world.now()
                && EnginePeek.isHeld(lease)
                && EnginePeek.overdueNanos(lease, process.clocks()) > toleranceNanos;
    }

    @Override
    public String toString() {
        return "lease " + label + " of " + process.name() + " on " + lease.name() + " (token " + token() + ")";
    }
}
