package io.holdfast.spring;

import io.holdfast.Deadlock;
import io.holdfast.LockKind;

/**
 * An application event: a caller of this process waits in a deadlock. Published once for each deadlock, on a thread of
 * the lock client; a listener must be quick, or asynchronous.
 *
 * @param kind what the name is used as
 * @param name which lock the caller waits for
 * @param deadlock who waits for whom
 * @since 0.1
 */
public record LockDeadlockEvent(LockKind kind, String name, Deadlock deadlock) {}
