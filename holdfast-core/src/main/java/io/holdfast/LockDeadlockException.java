package io.holdfast;

import java.util.Objects;

/**
 * The caller waited in a deadlock, and had said with {@link OnDeadlock#FAIL} that it would rather give up. It does not
 * have the lock that it asked for, and still has whatever it had before: giving that back lets the others go on.
 *
 * @since 0.1
 */
public final class LockDeadlockException extends LockException {
    private static final long serialVersionUID = 1L;

    private final Deadlock deadlock;

    /**
     * Creates the exception.
     *
     * @param lockKind what the name is used as
     * @param lockName which lock the caller waited for
     * @param message what happened, and what to do
     * @param deadlock who waits for whom
     */
    public LockDeadlockException(LockKind lockKind, String lockName, String message, Deadlock deadlock) {
        super(lockKind, lockName, message, null);
        this.deadlock = Objects.requireNonNull(deadlock, "deadlock");
    }

    /**
     * Returns who waits for whom.
     *
     * @return the deadlock, with the caller in it
     */
    public Deadlock deadlock() {
        return deadlock;
    }
}
