package io.holdfast.simulation;

import io.holdfast.spi.ClaimId;
import java.util.HashSet;
import java.util.Set;

/** Watches how the engine of one client uses its claims. */
final class ClaimLedger {
    private final SimWorld world;
    private final Set<ClaimId> asking = new HashSet<>();
    private final Set<ClaimId> released = new HashSet<>();

    ClaimLedger(SimWorld world) {
        this.world = world;
    }

    /** An attempt begins; {@link #asked} must follow. */
    void asks(ClaimId claim) {
        if (released.contains(claim)) {
            violated(claim, "is asked for after its release");
        }
        if (!asking.add(claim)) {
            violated(claim, "is asked for by two calls at a time");
        }
    }

    void asked(ClaimId claim) {
        asking.remove(claim);
    }

    void releases(ClaimId claim) {
        if (asking.contains(claim)) {
            violated(claim, "is released while it is asked for");
        }
        released.add(claim);
    }

    private void violated(ClaimId claim, String how) {
        world.violated(Rule.A_CLAIM_LIVES_ONCE, "claim " + claim + " " + how);
    }
}
