package io.holdfast;

/** The lease that the caller relied on was lost. Whatever it protected may have been changed by another holder. */
public final class LockLostException extends LockException {
    private static final long serialVersionUID = 1L;

    private final LostReason reason;

    /**
     * Creates the exception.
     *
     * @param lockName which lock
     * @param message what was lost and how
     * @param reason why it was lost
     */
    public LockLostException(String lockName, String message, LostReason reason) {
        super(lockName, message, null);
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
