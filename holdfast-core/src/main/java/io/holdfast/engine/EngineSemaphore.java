package io.holdfast.engine;

import io.holdfast.Acquirable;
import io.holdfast.DistributedSemaphore;
import io.holdfast.Lease;
import io.holdfast.LockKind;
import io.holdfast.LockOptions;
import io.holdfast.spi.Resource;

/** Leased permits: claims of some weight on a resource of that many. */
final class EngineSemaphore extends LeaseAcquirer implements DistributedSemaphore {

    EngineSemaphore(Acquisitions services, String name, int permits, LockOptions options) {
        super(services, new Resource(LockKind.SEMAPHORE, name, checked("permits", permits)), 1, options, null);
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
        return new LeaseAcquirer(services, resource, permits, options, null);
    }
}
