package io.holdfast.spring;

import io.holdfast.LockException;
import io.holdfast.LockKind;
import java.time.Duration;
import java.util.List;

/**
 * Somebody else had the lock until the wait was over. Nothing was locked and nothing was run. The store is well:
 * trouble with it is a {@link io.holdfast.LockStoreException}.
 *
 * @since 0.1
 */
public final class LockBusyException extends LockException {
    private static final long serialVersionUID = 1L;

    private final List<String> names;
    private final Duration waited;

    /**
     * Creates the exception.
     *
     * @param kind what the names are used as
     * @param names all that were asked for, at least one
     * @param waited from the call until it was given up
     */
    public LockBusyException(LockKind kind, List<String> names, Duration waited) {
        super(
                kind,
                names.get(0),
                "somebody else has " + said(names) + "; gave up after " + waited.toMillis()
                        + " ms, nothing was run. Try again later, wait longer (waitFor), or say what to do instead"
                        + " (onBusy)",
                null);
        this.names = List.copyOf(names);
        this.waited = waited;
    }

    private static String said(List<String> names) {
        return names.size() == 1 ? "'" + names.get(0) + "'" : "one of " + names;
    }

    /**
     * Returns all names that were asked for.
     *
     * @return at least one
     */
    public List<String> names() {
        return names;
    }

    /**
     * Returns how long was waited.
     *
     * @return from the call until it was given up
     */
    public Duration waited() {
        return waited;
    }
}
