package io.holdfast.spi;

import io.holdfast.LockKind;
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
 * @param leastToken no token of the grant is less than this; asked again with a greater one, a claim that holds gets new tokens. Zero
 *     where any will do.
 */
public record Claim(
        ClaimId id,
        Resource resource,
        int weight,
        Duration lease,
        int tokens,
        boolean waits,
        String label,
        long leastToken) {

    /**
     * A claim to which any token will do.
     *
     * @param id never used again
     * @param resource what is asked for
     * @param weight how much of it
     * @param lease how long the store keeps it without a renewal
     * @param tokens how many fencing tokens in a row
     * @param waits whether it takes a place in the line
     * @param label who asks, for people
     */
    public Claim(ClaimId id, Resource resource, int weight, Duration lease, int tokens, boolean waits, String label) {
        this(id, resource, weight, lease, tokens, waits, label, 0);
    }

    /**
     * Refuses what no store can grant; for a backend, before it asks.
     *
     * @throws IllegalArgumentException if the weight does not fit the capacity, or there is no token or no lease to grant
     */
    public void check() {
        int lightest = resource.kind() == LockKind.LATCH ? 0 : 1;
        if (weight < lightest || weight > resource.capacity()) {
            throw new IllegalArgumentException("weight of claim " + id + " is " + weight + ", expected " + lightest
                    + " to the capacity of " + resource);
        }
        if (tokens < 1) {
            throw new IllegalArgumentException("tokens of claim " + id + " is " + tokens + ", expected at least 1");
        }
        if (lease.isZero() || lease.isNegative()) {
            throw new IllegalArgumentException(
                    "lease of claim " + id + " is " + lease + ", expected more than nothing");
        }
    }
}
