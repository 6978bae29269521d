package io.holdfast.simulation;

import org.jspecify.annotations.Nullable;

/** What one run came to. */
record Outcome(
        long seed,
        Profile profile,
        Sabotage sabotage,
        Stats stats,
        @Nullable Violation violation,
        String trace) {

    /** What a reader needs to see it happen again. */
    String report() {
        return "seed " + seed + ", profile " + profile + (sabotage == Sabotage.NONE ? "" : ", sabotage " + sabotage)
                + (violation == null ? ": nothing wrong" : ": " + violation);
    }
}
