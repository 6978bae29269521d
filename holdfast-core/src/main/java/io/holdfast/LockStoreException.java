package io.holdfast;

import org.jspecify.annotations.Nullable;

/** The store could not be asked, or did not answer in time. Says nothing about who holds the lock. */
public class LockStoreException extends LockException {
    private static final long serialVersionUID = 1L;

    /**
     * Creates the exception.
     *
     * @param lockName which lock
     * @param message what was tried, what came back, what to do
     * @param cause what the store's client said
     */
    public LockStoreException(String lockName, String message, @Nullable Throwable cause) {
        super(lockName, message, cause);
    }
}
