package io.holdfast;

/**
 * What a caller that waits does when it is part of a deadlock.
 *
 * @since 0.1
 */
public enum OnDeadlock {

    /** It waits on. The deadlock is told: in the log and to listeners. */
    REPORT,

    /**
     * It may have to give up, so that the others can go on: of those in the deadlock that said so, the one that has
     * waited least gets a {@link LockDeadlockException}. What it holds is not taken away: it gives that back itself.
     */
    FAIL
}
