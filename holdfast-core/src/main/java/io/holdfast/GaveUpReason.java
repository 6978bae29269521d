package io.holdfast;

/**
 * Why an acquisition ended without a lease, though nothing was wrong with the store. Later versions may add reasons.
 *
 * @since 0.1
 */
public enum GaveUpReason {

    /** Somebody else had the lock until the time was up, or at the one try. */
    BUSY,

    /** The thread was interrupted while it waited. */
    INTERRUPTED,

    /** The caller cancelled or completed the future. */
    CANCELLED,

    /** The client was closed. */
    CLOSED
}
