package io.holdfast.engine;

import io.holdfast.spi.ClientLine;
import io.holdfast.spi.Resource;
import io.holdfast.spi.WaitRecord;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The gate of one acquisition, whose claim stands in the store's line: whoever wants {@link
 * io.holdfast.Fairness#FIFO}, elections and latches. Nobody shares it, so it needs no mutex: the waiter's own steps
 * touch it, and nobody else.
 */
final class SoloGate extends Gate {
    /** Read by those who signal. */
    private volatile @Nullable Waiter waiter;

    /** Also read by whoever looks for deadlocks. */
    private volatile @Nullable ClaimAttempt attempt;

    SoloGate(GateServices services, Resource resource, @Nullable Object kept) {
        super(services, resource, kept);
    }

    @Override
    @Nullable
    Place place(Waiter waiter) {
        ClaimAttempt current = attempt;
        return current == null ? null : new Place(current.claim().id(), WaitRecord.Place.LINE, waiter.request.weight());
    }

    @Override
    void enter(Waiter waiter) {
        this.waiter = waiter;
    }

    @Override
    ClaimAttempt lead(Waiter waiter) {
        ClaimAttempt current = attempt;
        if (current == null) {
            current = services.attempts().start(this, resource(), 1, waiter.request);
            attempt = current;
        }
        return current;
    }

    @Override
    void conclude(Waiter waiter, ClaimAttempt driven, StoreGrant grant) {
        attempt = null;
        take(waiter, grant);
    }

    @Override
    void timeIsUp(Waiter waiter) {
        unserved(waiter, attempt);
    }

    @Override
    List<Waiter> giveUp(Waiter driver, ClaimAttempt driven) {
        return List.of();
    }

    @Override
    void leave(Waiter waiter) {
        ClaimAttempt orphan = attempt;
        attempt = null;
        this.waiter = null;
        left(waiter, orphan);
    }

    @Override
    public void returned(StoreGrant grant, CurrentLease lease, long heldNanos) {
        services.endings().giveBack(grant);
    }

    @Override
    public boolean ended(StoreGrant grant, CurrentLease lease) {
        return false;
    }

    @Override
    public CurrentLease[] troubled(StoreGrant grant) {
        return toldOfTrouble(grant);
    }

    @Override
    public void lost(StoreGrant grant) {}

    @Override
    public void signalDriver() {
        Waiter driver = waiter;
        if (driver != null) {
            driver.signal();
        }
    }

    @Override
    public @Nullable ClientLine unseen() {
        return null;
    }
}
