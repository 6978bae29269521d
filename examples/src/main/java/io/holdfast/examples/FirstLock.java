package io.holdfast.examples;

import io.holdfast.DistributedLock;
import io.holdfast.Lease;
import io.holdfast.LockClient;
import io.holdfast.memory.MemoryLocks;

/** One lock, held while a block runs. */
public final class FirstLock {
    private FirstLock() {}

    /** Runs the example. */
    public static void main(String[] args) {
        try (LockClient locks = MemoryLocks.create()) {
            DistributedLock lock = locks.lock("order:42");
            try (Lease lease = lock.acquire()) {
                System.out.println("shipping " + lease.name() + " with token " + lease.token());
            }
            System.out.println("somebody else may ship it now");
        }
    }
}
