package io.holdfast.simulation;

/**
 * A defect put in on purpose, to see that the checks can see. Each breaks a rule of the store, of the clocks or of the
 * network.
 */
enum Sabotage {
    NONE,
    /** The store grants at once after it has forgotten everything. */
    NO_GUARD,
    /** The store's clock runs five percent fast: leases end before their holders think. */
    FAST_STORE,
    /** A machine sleeps after its wall clock was set back: no clock tells that time has passed. */
    SLEEP_AND_SET_BACK,
    /** A message of a grant is counted from its arrival. */
    PUSH_COUNTS_FROM_ARRIVAL,
    /** A reply says that more is left than the store has granted. */
    LEFT_TOO_LONG,
    /** A renewal is answered with yes and not executed. */
    RENEWAL_LIES,
    /** Every second grant repeats an older token. */
    OLD_TOKENS,
    /** A release is answered and not executed. */
    RELEASE_LIES,
    /** One client never gets anything. */
    NEVER_SERVED,
    /** Trouble with the store is answered as "somebody else has it". */
    OUTAGE_IS_BUSY,
    /** The store grants nothing to anybody, politely. */
    NOTHING_IS_GRANTED,
    /** A claim of nobody stays in the store. */
    SQUATTER,
    /** The listener is told of every loss and every release twice. */
    TOLD_TWICE,
    /** The listener is not told of every end. */
    NOT_TOLD,
    /** A renewal is answered with "never heard of it". */
    RENEWAL_DENIED,
    /** The store says that the resource is in use with another capacity. */
    MISMATCHED,
    /** No timer ever fires. */
    NO_TIMER,
    /** A claim is asked for once more after its release. */
    ASKS_AGAIN,
    /** Somebody closes a lease that is not his. */
    THIEF,
    /** A thread that wants several locks locks one after the other, and does not look back. */
    ONE_AFTER_THE_OTHER,
    /** A thread that was told of a loss is told again when it wants to lock anew. */
    LOSS_TOLD_AGAIN
}
