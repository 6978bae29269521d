package io.holdfast.comparison;

/** What a workload asks of a library beyond an uncontended mutex. */
enum Feature {
    /** Waiting until somebody else lets go. */
    WAITING,
    REENTRY,
    READ_WRITE,
    SEMAPHORE,
    /** A lease that is renewed for as long as its holder lives. */
    RENEWAL
}
