package io.holdfast.torture;

/** What is checked. */
enum Rule {
    /** At most one holds a lock, at most the capacity of a semaphore is held, no reader beside a writer. */
    EXCLUSION,
    /** A lease that is handed out after another one ended has the greater token; no token is given twice. */
    TOKEN_ORDER,
    /**
     * What one client is given for a name has greater and greater tokens, whatever the server forgot and its clock
     * says.
     */
    OWN_TOKENS,
    /** A resource that compares tokens loses nothing. */
    FENCED_COUNTER,
    /** A free lock is found by its waiters. */
    STUCK_WAITER,
    /** Nothing stays in the server: every key has an end, nobody stays subscribed. */
    LEAK,
    /** A server that may have forgotten grants nothing while somebody may still hold. */
    GUARD,
    /** Every lease that was acquired is either released or lost, and once. */
    COUNTS,
    /** What a thread lost through {@code Lock} is told once, and is no trouble to what it locks next. */
    LOCK_VIEW,
    /** Who cannot reach the store is told so, and not that somebody else has the lock. */
    OUTAGE,
    /** Once a fault is over, work goes on; in a quorum, also while one goes on. */
    AVAILABILITY;

    @Override
    public String toString() {
        return name().toLowerCase(java.util.Locale.ROOT).replace('_', ' ');
    }
}
