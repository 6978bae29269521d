package io.holdfast.spring;

import io.holdfast.LockKind;
import java.time.Duration;

/**
 * An application event: a renewal failed, and there is still time left. Published on a thread of the lock client; a
 * listener must be quick, or asynchronous.
 *
 * @param kind what the name is used as
 * @param name which lock
 * @param token its fencing token
 * @param remaining the time until it is lost
 * @since 0.1
 */
public record LockAtRiskEvent(LockKind kind, String name, long token, Duration remaining) {}
