package io.holdfast.spring;

import io.holdfast.Lease;
import java.util.List;

/**
 * The locks that one piece of code holds: those of the innermost {@link Locked} call, and those of the calls around it.
 *
 * <p><b>Guarantees.</b> A picture of the moment: leases may be closed or lost since.
 *
 * <p><b>Threads.</b> Immutable; may be handed to other threads.
 *
 * @since 0.1
 */
public final class HeldLocks {
    private static final HeldLocks NONE = new HeldLocks(List.of(), List.of());

    private final List<Lease> innermost;
    private final List<Lease> all;

    /** {@code innermost} are those of the last call, also if a call around it acquired them. */
    HeldLocks(List<Lease> innermost, List<Lease> all) {
        this.innermost = innermost;
        this.all = all;
    }

    static HeldLocks none() {
        return NONE;
    }

    /**
     * Returns all leases that are held.
     *
     * @return those of the innermost call last; empty if there are none
     */
    public List<Lease> leases() {
        return all;
    }

    /**
     * Returns the lease of a name.
     *
     * @param name of the lock
     * @return its lease
     * @throws IllegalStateException if it is not held here
     */
    public Lease lease(String name) {
        for (int i = all.size() - 1; i >= 0; i--) {
            if (all.get(i).name().equals(name)) {
                return all.get(i);
            }
        }
        throw new IllegalStateException("'" + name + "' is not held here; held are " + names()
                + ". Call it under @Locked, through the bean and not past its proxy, or under LockOperations");
    }

    /**
     * Returns the fencing token of the innermost call.
     *
     * @return the token of its only name
     * @throws IllegalStateException if nothing is held here, or the innermost call locked several names
     */
    public long token() {
        if (innermost.size() != 1) {
            throw new IllegalStateException(
                    innermost.isEmpty()
                            ? "nothing is held here. Call it under @Locked, through the bean and not past its proxy,"
                                    + " or under LockOperations"
                            : "several locks are held, each with its token: " + names() + ". Ask lease(name).token()");
        }
        return innermost.get(0).token();
    }

    /**
     * Returns if everything that is held here is valid: the line to put before something that must not happen twice.
     *
     * @throws io.holdfast.LockLostException if one was lost
     * @throws IllegalStateException if nothing is held here
     */
    public void assertHeld() {
        if (all.isEmpty()) {
            throw new IllegalStateException("nothing is held here. Call it under @Locked, through the bean and not past"
                    + " its proxy, or under LockOperations");
        }
        all.forEach(Lease::ensureValid);
    }

    private List<String> names() {
        return all.stream().map(Lease::name).distinct().toList();
    }
}
