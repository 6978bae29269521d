package io.holdfast;

import org.jspecify.annotations.Nullable;

/**
 * What goes wrong with a lock at run time. Contention is never an exception, and misuse is
 * {@link IllegalArgumentException}, {@link IllegalStateException} or {@link IllegalMonitorStateException}.
 */
public abstract class LockException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final String lockName;

    /**
     * Creates the exception.
     *
     * @param lockName which lock
     * @param message what happened, and what to do
     * @param cause what was underneath, or null
     */
    protected LockException(String lockName, String message, @Nullable Throwable cause) {
        super(message, cause);
        this.lockName = lockName;
    }

    /**
     * Returns which lock it happened to.
     *
     * @return the name
     */
    public final String lockName() {
        return lockName;
    }
}
