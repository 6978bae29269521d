package io.holdfast;

/**
 * Why a lease was lost.
 *
 * @since 0.1
 */
public enum LostReason {
    /** The deadline passed: the lease was fixed and ran out, or the process slept through its renewals. */
    EXPIRED,
    /** The deadline passed because renewals could not reach the store. */
    STORE_UNREACHABLE,
    /** The store no longer knows the claim: it forgot, or an operator broke the lock. */
    FORGOTTEN,
    /** The thread that took the lock through {@code lock()} died without {@code unlock()}. */
    OWNER_DIED,
    /** The lock was held for longer than {@link LockOptions#maxHold()}. */
    MAX_HOLD
}
