package io.holdfast.engine;

import io.holdfast.spi.WaitRecord;
import java.util.ArrayList;
import java.util.List;

/** One owner in a {@link DeadlockGraph}: what it waits for and what it holds. Equal only to itself. */
final class DeadlockNode {

    /** An owner, by the client where it waits and its key there. */
    record Owner(String client, String key) {

        static Owner of(WaitRecord.Suspect suspect) {
            return new Owner(suspect.claim().client(), suspect.ownerKey());
        }
    }

    private final Owner owner;
    private final List<WaitRecord.Suspect> waits = new ArrayList<>();
    private final List<WaitRecord.Hold> holds = new ArrayList<>();

    DeadlockNode(Owner owner) {
        this.owner = owner;
    }

    Owner owner() {
        return owner;
    }

    List<WaitRecord.Suspect> waits() {
        return waits;
    }

    List<WaitRecord.Hold> holds() {
        return holds;
    }

    @Override
    public String toString() {
        return owner.toString();
    }
}
