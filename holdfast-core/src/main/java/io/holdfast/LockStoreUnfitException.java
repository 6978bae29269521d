package io.holdfast;

import org.jspecify.annotations.Nullable;

/**
 * The store answered, and cannot be used as it is: it refuses the login or a permission, has the wrong version or the
 * wrong role, may drop locks, or is something else altogether. The message says what to change. A store that does not
 * answer is another {@link LockStoreException}.
 *
 * @since 0.1
 */
public final class LockStoreUnfitException extends LockStoreException {
    private static final long serialVersionUID = 1L;

    /**
     * Creates the exception.
     *
     * @param lockKind what the name is used as, or null if that is not known
     * @param lockName which lock, or empty for trouble that concerns no single lock
     * @param message what was tried, what came back, what to do
     * @param cause what the store's client said
     * @param lasting as {@link #isLasting()} returns it
     */
    public LockStoreUnfitException(
            @Nullable LockKind lockKind, String lockName, String message, @Nullable Throwable cause, boolean lasting) {
        super(lockKind, lockName, message, cause, lasting);
    }
}
