package io.holdfast;

/**
 * Who is next when several wait.
 *
 * @since 0.1
 */
public enum Fairness {
    /**
     * Clients take turns in the order in which they asked; inside one client the lock, or a permit, may be passed on a
     * bounded number of times without a trip to the store, readers may join those who read, and a thread that is awake
     * may overtake one that is still waking up, also a bounded number of times. Many times faster, and nobody starves.
     */
    THROUGHPUT,
    /** Every waiter stands in the store's line itself: strictly first come, first served, across all clients. */
    FIFO
}
