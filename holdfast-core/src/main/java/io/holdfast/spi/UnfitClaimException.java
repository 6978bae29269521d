package io.holdfast.spi;

import io.holdfast.LockStoreException;

/**
 * Thrown by a backend instead of asking its store: this claim or renewal can never be granted as it is, for instance because its lease is too
 * long. Only the caller who wanted it is told; whoever waits for the same name goes on.
 */
public final class UnfitClaimException extends LockStoreException {
    private static final long serialVersionUID = 1L;

    /**
     * Creates the exception.
     *
     * @param lockName which lock
     * @param message what does not fit, and what to do
     */
    public UnfitClaimException(String lockName, String message) {
        super(lockName, message, null);
    }
}
