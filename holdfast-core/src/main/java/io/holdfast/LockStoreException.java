package io.holdfast;

import org.jspecify.annotations.Nullable;

/**
 * The store could not be asked, or did not answer in time. Says nothing about who holds the lock.
 *
 * @since 0.1
 */
public class LockStoreException extends LockException {
    private static final long serialVersionUID = 1L;

    /**
     * Creates the exception for one lock.
     *
     * @param lockKind what the name is used as, or null if that is not known
     * @param lockName which lock
     * @param message what was tried, what came back, what to do
     * @param cause what the store's client said
     */
    public LockStoreException(@Nullable LockKind lockKind, String lockName, String message, @Nullable Throwable cause) {
        super(lockKind, lockName, message, cause);
    }

    /**
     * Creates the exception for trouble that concerns no single lock.
     *
     * @param message what was tried, what came back, what to do
     * @param cause what the store's client said
     */
    public LockStoreException(String message, @Nullable Throwable cause) {
        super(null, "", message, cause);
    }
}
