package io.holdfast;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What goes wrong with a lock at run time. Contention is never an exception, and misuse is
 * {@link IllegalArgumentException}, {@link IllegalStateException} or {@link IllegalMonitorStateException}.
 *
 * @since 0.1
 */
public abstract class LockException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final @Nullable LockKind lockKind;
    private final String lockName;

    /**
     * Creates the exception.
     *
     * @param lockKind what the name is used as, or null if that is not known
     * @param lockName which lock, or empty for trouble that concerns no single lock
     * @param message what happened, and what to do
     * @param cause what was underneath, or null
     */
    protected LockException(@Nullable LockKind lockKind, String lockName, String message, @Nullable Throwable cause) {
        super(message, cause);
        this.lockKind = lockKind;
        this.lockName = lockName;
    }

    /**
     * Returns what the name is used as.
     *
     * @return the kind; empty if the trouble concerns no single lock, or came from a fence, which knows names only
     */
    public final Optional<LockKind> lockKind() {
        return Optional.ofNullable(lockKind);
    }

    /**
     * Returns which lock it happened to.
     *
     * @return the name; empty if the trouble concerns no single lock
     */
    public final String lockName() {
        return lockName;
    }
}
