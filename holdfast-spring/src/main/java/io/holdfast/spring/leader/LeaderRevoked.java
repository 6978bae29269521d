package io.holdfast.spring.leader;

/**
 * An application event: this process does not lead any more. Once for every {@link LeaderGranted}, on the same thread.
 *
 * <p>A process that steps down publishes it before it gives the lead back, so before another process hears {@link
 * LeaderGranted}. A process that lost the lead publishes it when it learns of the loss: by the deadline of its lease,
 * and so before the store lets anybody else in, unless the store forgot or an operator took the lead away.
 *
 * @param election what was led
 * @param token the fencing token of the term that is over
 * @since 0.1
 */
public record LeaderRevoked(String election, long token) {}
