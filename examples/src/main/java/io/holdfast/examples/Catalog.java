package io.holdfast.examples;

import io.holdfast.DistributedReadWriteLock;
import io.holdfast.Lease;
import io.holdfast.LockClient;
import io.holdfast.memory.MemoryLocks;

/** A read-write lock: many read the catalog, or one changes it. */
public final class Catalog {
    private Catalog() {}

    /** Runs the example. */
    public static void main(String[] args) {
        try (LockClient locks = MemoryLocks.create()) {
            DistributedReadWriteLock catalog = locks.readWriteLock("catalog");
            try (Lease reader = catalog.readLock().acquire();
                    Lease another = catalog.readLock().acquire()) {
                System.out.println("two readers at a time");
                System.out.println("a writer with them: "
                        + catalog.writeLock().tryAcquire().isPresent());
            }
            try (Lease writer = catalog.writeLock().acquire()) {
                System.out.println("one writer");
                System.out.println(
                        "a reader with it: " + catalog.readLock().tryAcquire().isPresent());
            }
        }
    }
}
