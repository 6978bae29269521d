package io.holdfast;

import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;

/**
 * What a {@link MultiLock} hands out: one lease for each name, valid while all of them are.
 *
 * <p><b>Guarantees.</b> Those of {@link Lease}, for each name. Closing gives back every name, whatever happens to one of them.
 *
 * <p><b>Not guaranteed.</b> One token for all: each name has its own, because each protects its own resource.
 *
 * <p><b>Threads.</b> Not tied to a thread.
 */
public interface MultiLease extends AutoCloseable {

    /**
     * Returns the leases in the order of the names.
     *
     * @return one lease for each name
     */
    List<Lease> leases();

    /**
     * Returns the fencing token of one of the names.
     *
     * @param name one of the names
     * @return its token
     * @throws IllegalArgumentException if the name is not one of them
     */
    long token(String name);

    /**
     * Returns the time left of the lease that ends first.
     *
     * @return zero when one of them is closed, lost or past its deadline
     */
    Duration remaining();

    /**
     * Tells whether every lease is valid.
     *
     * @return false as soon as one of them is not
     */
    boolean isValid();

    /**
     * Returns if every lease is valid.
     *
     * @throws LockLostException if one of them was lost
     * @throws IllegalStateException if they were closed
     */
    void ensureValid();

    /**
     * Registers what to do when the first of the leases is lost; runs at most once.
     *
     * @param action receives the reason
     */
    void onLost(Consumer<LostReason> action);

    /** Gives every name back. Closing twice does nothing. */
    @Override
    void close();
}
