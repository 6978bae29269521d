package io.holdfast.examples.spring;

/** How one anchor is taken from the stock. */
enum Way {
    /** {@code lock()} and {@code unlock()} in the method. */
    BY_HAND,
    /** An annotation that gives back when the method returns, as those of other libraries do. */
    AT_RETURN,
    /** {@code @Locked}: held until the transaction has ended. */
    LOCKED,
    /** The same, and the database refuses whoever is late. */
    FENCED
}
