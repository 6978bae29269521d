package io.holdfast.examples;

import io.holdfast.DistributedSemaphore;
import io.holdfast.Lease;
import io.holdfast.LockClient;
import io.holdfast.memory.MemoryLocks;

/** A semaphore: at most three exports at a time, whichever processes run them. */
public final class Exports {
    private Exports() {}

    /** Runs the example. */
    public static void main(String[] args) {
        try (LockClient locks = MemoryLocks.create()) {
            DistributedSemaphore exports = locks.semaphore("exports", 3);
            try (Lease large = exports.acquire(2);
                    Lease small = exports.acquire()) {
                System.out.println("a large and a small export run");
                System.out.println("room for one more: " + exports.tryAcquire().isPresent());
            }
            try (Lease huge = exports.acquire(3)) {
                System.out.println("then a huge one runs alone");
            }
        }
    }
}
