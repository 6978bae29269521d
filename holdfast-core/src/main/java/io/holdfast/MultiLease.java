package io.holdfast;

import java.util.List;

/**
 * What a {@link MultiLock} hands out: one lease for each name, valid while all of them are.
 *
 * <p><b>Guarantees.</b> Those of {@link Held}, for each name. It is lost when the first of its leases is. Closing gives
 * back every name, whatever happens to one of them.
 *
 * <p><b>Not guaranteed.</b> One token for all: each name has its own, because each protects its own resource. {@link
 * #extend} is not atomic: if it fails for one name, others may last longer already.
 *
 * <p><b>Threads, interruption, failures.</b> As for {@link Held}.
 *
 * <p><b>Implementing.</b> Not for users: new methods may come with any version.
 *
 * @since 0.1
 */
public interface MultiLease extends Held {

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
}
