package io.holdfast;

import org.jspecify.annotations.Nullable;

/**
 * The store could not be asked, or did not answer in time. Says nothing about who holds the lock.
 *
 * @since 0.1
 */
public class LockStoreException extends LockException {
    private static final long serialVersionUID = 1L;

    private final boolean lasting;

    /**
     * Creates the exception for one lock.
     *
     * @param lockKind what the name is used as, or null if that is not known
     * @param lockName which lock
     * @param message what was tried, what came back, what to do
     * @param cause what the store's client said
     */
    public LockStoreException(@Nullable LockKind lockKind, String lockName, String message, @Nullable Throwable cause) {
        this(lockKind, lockName, message, cause, false);
    }

    /**
     * Creates the exception for one lock, and says whether waiting can help.
     *
     * @param lockKind what the name is used as, or null if that is not known
     * @param lockName which lock
     * @param message what was tried, what came back, what to do
     * @param cause what the store's client said
     * @param lasting as {@link #isLasting()} returns it
     */
    public LockStoreException(
            @Nullable LockKind lockKind, String lockName, String message, @Nullable Throwable cause, boolean lasting) {
        super(lockKind, lockName, message, cause);
        this.lasting = lasting;
    }

    /**
     * Creates the exception for trouble that concerns no single lock.
     *
     * @param message what was tried, what came back, what to do
     * @param cause what the store's client said
     */
    public LockStoreException(String message, @Nullable Throwable cause) {
        this(null, "", message, cause, false);
    }

    /**
     * Tells whether waiting cannot help, because somebody has to change something first: a password, a permission, the
     * version of the store. Nobody waits through such an outage.
     *
     * @return true if it is known to last; false if it may pass, or nobody knows
     */
    public boolean isLasting() {
        return lasting;
    }
}
