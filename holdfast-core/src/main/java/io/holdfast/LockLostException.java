package io.holdfast;

/**
 * The lease that the caller relied on was lost. Another holder may have changed whatever it protected.
 *
 * @since 0.1
 */
public final class LockLostException extends LockException {
    private static final long serialVersionUID = 1L;

    private final LostReason reason;

    /**
     * Creates the exception.
     *
     * @param lockKind what the name is used as
     * @param lockName which lock
     * @param message what was lost and how
     * @param reason why it was lost
     */
    public LockLostException(LockKind lockKind, String lockName, String message, LostReason reason) {
        super(lockKind, lockName, message, null);
        this.reason = reason;
    }

    /**
     * Returns why it was lost.
     *
     * @return the reason
     */
    public LostReason reason() {
        return reason;
    }
}
