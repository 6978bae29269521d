package io.holdfast.spring;

import io.holdfast.LockKind;
import io.holdfast.LostReason;

/**
 * An application event: a lease of this process was lost. Published on a thread of the lock client; a listener must be
 * quick, or asynchronous.
 *
 * @param kind what the name is used as
 * @param name which lock
 * @param token its fencing token
 * @param reason why it was lost
 * @since 0.1
 */
public record LockLostEvent(LockKind kind, String name, long token, LostReason reason) {}
