package io.holdfast.spring;

import io.holdfast.Lease;
import io.holdfast.LockLostException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One call that is inside: the leases of all its names, and what it acquired itself. The rest is
 * borrowed from calls around it.
 */
final class Section {
    private final List<Lease> leases;
    private final @Nullable Holding own;

    Section(List<Lease> leases, @Nullable Holding own) {
        this.leases = leases;
        this.own = own;
    }

    List<Lease> leases() {
        return leases;
    }

    /** Null if everything was held already. */
    @Nullable
    Holding own() {
        return own;
    }

    void ensureValid() {
        for (Lease lease : leases) {
            lease.ensureValid();
        }
    }

    /** Returns what the caller gets if the method threw: the loss, if there was one, with the failure in it. */
    Throwable explained(Throwable failure) {
        if (failure instanceof LockLostException) {
            return failure;
        }
        try {
            ensureValid();
            return failure;
        } catch (LockLostException lost) {
            lost.addSuppressed(failure);
            return lost;
        } catch (IllegalStateException closed) {
            return failure;
        }
    }
}
