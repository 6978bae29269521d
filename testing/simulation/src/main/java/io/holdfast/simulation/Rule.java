package io.holdfast.simulation;

/** What no run may break. */
enum Rule {
    /** Leases of one resource never weigh more together than it has, each judged by its own deadline. */
    EXCLUSION,
    /** A later holder has a greater token, and no token is given twice. */
    TOKEN_ORDER,
    /** A lease that was not valid once is never valid again, and is not both lost and closed. */
    LOST_IS_FINAL,
    /** A lease that is over is told so, soon. */
    LOSS_IS_TOLD,
    /** When nothing goes wrong any more, every waiter gets the lock or an end. */
    NOBODY_IS_STUCK,
    /** When everybody has gone, nothing is left in the store or in an engine. */
    NOTHING_IS_LEFT,
    /** The store does not hold a lock for a client that has forgotten it. */
    NO_ORPHAN,
    /** Every lease that was handed out is told of once, and its end once. */
    COUNTS,
    /**
     * A claim is asked for by one call at a time, and never again once it was released; no release overtakes an
     * attempt.
     */
    A_CLAIM_LIVES_ONCE,
    /** An answer "somebody else has it" comes from the store, not from an outage. */
    OUTAGE_IS_NOT_BUSY,
    /** Where nothing goes wrong everybody is served, for as long as was asked. */
    AVAILABILITY,
    /**
     * When a lock is locked, its thread holds it; when it is unlocked as often, it does not. Of several at once, all.
     */
    LOCKED_IS_HELD,
    /** A thread that knows of a loss locks anew, and is told of that loss only when it unlocks what it lost. */
    LOSS_IS_TOLD_ONCE,
    /** An exception that no method announces. */
    NO_SURPRISE
}
