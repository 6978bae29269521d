package io.holdfast.engine;

import io.holdfast.Acquirable;
import io.holdfast.DistributedSemaphore;
import io.holdfast.Lease;
import io.holdfast.LockOptions;

/** Leased permits: claims of some weight on a resource of that many. */
final class EngineSemaphore extends LeaseAcquirer implements DistributedSemaphore {

    private final LocalLock local;

    EngineSemaphore(Acquisitions services, LocalLock local, LockOptions options) {
        super(services, local.resource(), 1, options, local);
        this.local = local;
    }

    static int checked(String what, int number) {
        if (number < 1) {
            throw new IllegalArgumentException(what + " is " + number + ", expected at least 1");
        }
        return number;
    }

    @Override
    public int permits() {
        return resource.capacity();
    }

    @Override
    public Acquirable<Lease> taking(int permits) {
        if (checked("permits", permits) > resource.capacity()) {
            throw new IllegalArgumentException("permits is " + permits + ", expected at most " + resource.capacity()
                    + ": all that semaphore '" + name() + "' has");
        }
        return new LeaseAcquirer(services, resource, permits, options, local);
    }
}
