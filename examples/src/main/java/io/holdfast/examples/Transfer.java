package io.holdfast.examples;

import io.holdfast.LockClient;
import io.holdfast.MultiLease;
import io.holdfast.memory.MemoryLocks;
import java.util.concurrent.CompletableFuture;

/**
 * Several locks as one: two transfers between the same accounts, in opposite directions, cannot block each other for
 * ever.
 */
public final class Transfer {
    private Transfer() {}

    /** Runs the example. */
    public static void main(String[] args) {
        try (LockClient locks = MemoryLocks.create()) {
            CompletableFuture<Void> there = CompletableFuture.runAsync(() -> transfer(locks, "account:1", "account:2"));
            CompletableFuture<Void> back = CompletableFuture.runAsync(() -> transfer(locks, "account:2", "account:1"));
            CompletableFuture.allOf(there, back).join();
            System.out.println("both done");
        }
    }

    private static void transfer(LockClient locks, String from, String to) {
        try (MultiLease both = locks.allOf(from, to).acquire()) {
            System.out.println(
                    "from " + from + " to " + to + ", locked " + both.leases().size() + " accounts");
        }
    }
}
