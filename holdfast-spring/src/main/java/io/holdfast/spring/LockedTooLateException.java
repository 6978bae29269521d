package io.holdfast.spring;

import java.util.List;

/**
 * A lock was asked for inside a transaction that began before it and may not see what happened since: see
 * {@link Joining}. Nothing was locked and nothing was run.
 *
 * <p>What to do: begin the transaction inside the lock, or make it a new one with {@code REQUIRES_NEW}.
 *
 * @since 0.1
 */
public final class LockedTooLateException extends IllegalStateException {
    private static final long serialVersionUID = 1L;

    private final List<String> names;

    /**
     * Creates the exception.
     *
     * @param names what was asked for, at least one
     * @param why what is known of the transaction: a sentence without its end
     */
    public LockedTooLateException(List<String> names, String why) {
        super("the lock of " + String.join(", ", names) + " would come too late: " + why
                + ". Nothing was locked or run. Begin the transaction inside the lock, or use REQUIRES_NEW;"
                + " joining = HOLD joins it all the same");
        this.names = List.copyOf(names);
    }

    /**
     * Returns what was asked for.
     *
     * @return the names, at least one
     */
    public List<String> names() {
        return names;
    }
}
