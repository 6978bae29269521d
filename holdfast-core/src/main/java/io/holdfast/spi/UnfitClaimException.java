package io.holdfast.spi;

import io.holdfast.LockStoreException;

/**
 * Thrown by a backend instead of asking its store: this claim or renewal can never be granted as it is, for instance
 * because its lease is too long. Only the caller that wanted it gets the exception; others that wait for the same name
 * go on.
 *
 * @since 0.1
 */
public final class UnfitClaimException extends LockStoreException {
    private static final long serialVersionUID = 1L;

    /**
     * Creates the exception.
     *
     * @param resource which lock
     * @param message what does not fit, and what to do
     */
    public UnfitClaimException(Resource resource, String message) {
        super(resource.kind(), resource.name(), message, null);
    }
}
