package io.holdfast;

/**
 * What a name is used as. One name may be used as each of them: names of two kinds are independent of each other.
 *
 * @since 0.1
 */
public enum LockKind {
    /** A mutex: {@link LockClient#lock}, alone or as a part of {@link LockClient#allOf}. */
    LOCK,
    /** Many readers or one writer: {@link LockClient#readWriteLock}. */
    READ_WRITE,
    /** Leased permits: {@link LockClient#semaphore}. */
    SEMAPHORE,
    /** Leadership: {@link LockClient#election}. */
    ELECTION,
    /** Arrivals, and waiters for all of them: {@link LockClient#latch}. */
    LATCH
}
