package io.holdfast.examples;

import io.holdfast.Lease;
import io.holdfast.memory.MemoryLocks;

/** One lock, held while a block runs. */
public final class FirstLock {
    private FirstLock() {}

    /** Runs the example. */
    public static void main(String[] args) {
        try (var locks = MemoryLocks.create();
                Lease lease = locks.lock("order:42").acquire()) {
            System.out.println("shipping " + lease.name() + " with token " + lease.token());
        }
    }
}
