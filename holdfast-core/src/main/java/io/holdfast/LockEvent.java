package io.holdfast;

import java.time.Duration;

/** What a {@link LockListener} hears. Every event names the lock. */
public sealed interface LockEvent {

    /**
     * Returns which lock it happened to.
     *
     * @return the name
     */
    String name();

    /**
     * A lease was handed out.
     *
     * @param name which lock
     * @param token its fencing token
     * @param waited from the call to the hand-out
     */
    record Acquired(String name, long token, Duration waited) implements LockEvent {}

    /**
     * Somebody begins to wait because the lock is taken, or because another thread of this client asked before. At most once per wait.
     *
     * @param name which lock
     */
    record Contended(String name) implements LockEvent {}

    /**
     * Somebody waits because the store grants nothing now, whether the lock is taken or not: it refuses, or it did not answer. Heard by
     * the one of this client who asks the store, and by those who come while it lasts; at most once per wait.
     *
     * @param name which lock
     * @param cause what those hear who do not wait; a {@link LockRefusedException} tells when it may be over
     */
    record Obstructed(String name, Throwable cause) implements LockEvent {}

    /**
     * The watchdog renewed a lease.
     *
     * @param name which lock
     * @param token its fencing token
     * @param remaining the time it has now
     */
    record Renewed(String name, long token, Duration remaining) implements LockEvent {}

    /**
     * A renewal failed while the lease is still valid. Once per row of failures.
     *
     * @param name which lock
     * @param token its fencing token
     * @param remaining the time it has left
     * @param cause what the store said
     */
    record AtRisk(String name, long token, Duration remaining, Throwable cause) implements LockEvent {}

    /**
     * A lease was lost. Once per lease, never after {@link Released}.
     *
     * @param name which lock
     * @param token its fencing token
     * @param reason why
     */
    record Lost(String name, long token, LostReason reason) implements LockEvent {}

    /**
     * A lease was given back. Once per lease, never after {@link Lost}.
     *
     * @param name which lock
     * @param token its fencing token
     * @param held from the hand-out to the release
     */
    record Released(String name, long token, Duration held) implements LockEvent {}
}
