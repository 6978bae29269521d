package io.holdfast.fence;

import io.holdfast.LockException;

/**
 * A fence refused a token: somebody with a greater one, or another holder with the same one, has entered since. Nothing
 * was written. Whatever the caller has read or computed under its lease may be out of date.
 *
 * <p>What to do: roll back, drop what was read, acquire the lock again and start over.
 *
 * @since 0.1
 */
public final class StaleTokenException extends LockException {
    private static final long serialVersionUID = 1L;

    private final FenceEntry refused;
    private final FenceEntry stored;

    /**
     * Creates the exception; for fences of your own too.
     *
     * @param refused the entry that was refused
     * @param stored the entry that is stored
     */
    public StaleTokenException(FenceEntry refused, FenceEntry stored) {
        super(null, refused.name(), message(refused, stored), null);
        this.refused = refused;
        this.stored = stored;
    }

    private static String message(FenceEntry refused, FenceEntry stored) {
        String why = refused.token() == stored.token()
                ? "has been entered with this very token by another holder, " + stored.holder()
                : "has been entered with token " + stored.token() + " by " + stored.holder();
        return "token " + refused.token() + " of holder " + refused.holder() + " is refused: the fence of '"
                + refused.name() + "' " + why
                + ". Nothing was written. Roll back, drop what was read under this lease, and acquire the lock again";
    }

    /**
     * Returns the entry that was refused.
     *
     * @return the name, with the token and the holder that came
     */
    public FenceEntry refused() {
        return refused;
    }

    /**
     * Returns the entry that was there before.
     *
     * @return the name, with the token and the holder that the fence knows
     */
    public FenceEntry stored() {
        return stored;
    }
}
