package io.holdfast;

/** What a name is used as. The same name may be used as each of them; they never meet. */
public enum LockKind {
    /** {@link LockClient#lock}, alone or as a part of {@link LockClient#allOf}. */
    LOCK,
    /** {@link LockClient#readWriteLock}. */
    READ_WRITE,
    /** {@link LockClient#semaphore}. */
    SEMAPHORE,
    /** {@link LockClient#election}. */
    ELECTION,
    /** {@link LockClient#latch}. */
    LATCH
}
