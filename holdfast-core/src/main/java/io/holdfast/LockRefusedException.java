package io.holdfast;

import java.time.Duration;

/**
 * The store answered, and will not grant anything for a while: it restarted and waits for old leases to end.
 *
 * @since 0.1
 */
public final class LockRefusedException extends LockStoreException {
    private static final long serialVersionUID = 1L;

    private final Duration retryAfter;

    /**
     * Creates the exception.
     *
     * @param lockKind what the name is used as
     * @param lockName which lock
     * @param message why the store refuses
     * @param retryAfter when it may be worth asking again
     */
    public LockRefusedException(LockKind lockKind, String lockName, String message, Duration retryAfter) {
        super(lockKind, lockName, message, null);
        this.retryAfter = retryAfter;
    }

    /**
     * Returns when it may be worth asking again.
     *
     * @return the time from the refusal
     */
    public Duration retryAfter() {
        return retryAfter;
    }
}
