package io.holdfast.spi;

import java.time.Duration;

/**
 * One request for a resource, from the first attempt to the release.
 *
 * @param id never used again
 * @param resource what is asked for
 * @param weight how much of it, from zero (see {@link LockBackend}) to its capacity
 * @param lease how long the store keeps it without a renewal
 * @param tokens how many fencing tokens in a row the grant must reserve, at least one
 * @param waits whether a claim that cannot be granted takes a place in the line
 * @param label who asks, for people
 */
public record Claim(
        ClaimId id, Resource resource, int weight, Duration lease, int tokens, boolean waits, String label) {}
