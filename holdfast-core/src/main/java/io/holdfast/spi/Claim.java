package io.holdfast.spi;

import io.holdfast.DurationText;
import io.holdfast.LockKind;
import java.time.Duration;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * One request for a resource, from the first attempt to the release. Immutable, and equal to a claim that says the
 * same.
 *
 * <p>Made by the engine, and by backends that ask other backends. Later versions may add to it, so it is made with a
 * builder.
 *
 * @since 0.1
 */
public final class Claim {

    private record Values(
            ClaimId id,
            Resource resource,
            int weight,
            Duration lease,
            int tokens,
            boolean waits,
            String label,
            long leastToken) {}

    private final Values values;

    /** Not part of what the claim says. */
    private volatile byte @Nullable [] encoded;

    private Claim(Values values) {
        this.values = values;
    }

    /**
     * Begins a claim of weight one and one token, which does not wait and to which any token will do.
     *
     * @param id never used again
     * @param resource what is asked for
     * @param lease how long the store keeps it without a renewal
     * @return what to set the rest on
     */
    public static Builder builder(ClaimId id, Resource resource, Duration lease) {
        return new Builder(id, resource, lease);
    }

    /**
     * Begins a claim that differs from this one in some points.
     *
     * @return what to set them on
     */
    public Builder toBuilder() {
        return new Builder(values.id, values.resource, values.lease)
                .weight(values.weight)
                .tokens(values.tokens)
                .waits(values.waits)
                .label(values.label)
                .leastToken(values.leastToken);
    }

    /**
     * Returns the id.
     *
     * @return never used again
     */
    public ClaimId id() {
        return values.id;
    }

    /**
     * Returns what is asked for.
     *
     * @return the resource
     */
    public Resource resource() {
        return values.resource;
    }

    /**
     * Returns how much of it is asked for.
     *
     * @return from zero (see {@link LockBackend}) to its capacity
     */
    public int weight() {
        return values.weight;
    }

    /**
     * Returns how long the store keeps it without a renewal.
     *
     * @return the lease
     */
    public Duration lease() {
        return values.lease;
    }

    /**
     * Returns how many fencing tokens in a row the grant must reserve.
     *
     * @return at least one
     */
    public int tokens() {
        return values.tokens;
    }

    /**
     * Tells whether a claim that cannot be granted takes a place in the line.
     *
     * @return whether it waits
     */
    public boolean waits() {
        return values.waits;
    }

    /**
     * Returns who asks, for people.
     *
     * @return the label
     */
    public String label() {
        return values.label;
    }

    /**
     * Returns the least token that will do: no token of the grant is less. Asked again with a greater one, a claim that
     * holds gets new tokens.
     *
     * @return zero where any will do
     */
    public long leastToken() {
        return values.leastToken;
    }

    /**
     * Returns the claim as a store writes it, for a backend that needs that in several calls.
     *
     * @param encoder makes it, once or by chance twice; a claim that goes to several backends has the same for all
     * @return what the encoder made, not to be changed
     */
    public byte[] encoded(Function<? super Claim, byte[]> encoder) {
        byte[] known = encoded;
        if (known == null) {
            known = encoder.apply(this);
            encoded = known;
        }
        return known;
    }

    /**
     * Refuses what no store can grant; for a backend, before it asks.
     *
     * @throws IllegalArgumentException if the weight does not fit the capacity, or there is no token or no lease to
     *     grant
     */
    public void check() {
        Resource resource = values.resource;
        int lightest = resource.kind() == LockKind.LATCH ? 0 : 1;
        if (values.weight < lightest || values.weight > resource.capacity()) {
            throw new IllegalArgumentException("weight of claim " + values.id + " is " + values.weight + ", expected "
                    + lightest + " to the capacity of " + resource);
        }
        if (values.tokens < 1) {
            throw new IllegalArgumentException(
                    "tokens of claim " + values.id + " is " + values.tokens + ", expected at least 1");
        }
        if (values.lease.isZero() || values.lease.isNegative()) {
            throw new IllegalArgumentException("lease of claim " + values.id + " is " + DurationText.of(values.lease)
                    + ", expected more than nothing");
        }
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return this == other || (other instanceof Claim claim && values.equals(claim.values));
    }

    @Override
    public int hashCode() {
        return values.hashCode();
    }

    @Override
    public String toString() {
        return "Claim" + values.toString().substring("Values".length());
    }

    /**
     * Makes a claim. What is wrong with it is told by {@link Claim#check()}, not here.
     *
     * @since 0.1
     */
    public static final class Builder {
        private final ClaimId id;
        private final Resource resource;
        private Duration lease;
        private int weight = 1;
        private int tokens = 1;
        private boolean waits;
        private String label = "";
        private long leastToken;

        private Builder(ClaimId id, Resource resource, Duration lease) {
            this.id = Objects.requireNonNull(id, "id");
            this.resource = Objects.requireNonNull(resource, "resource");
            this.lease = Objects.requireNonNull(lease, "lease");
        }

        /**
         * Sets how long the store keeps it without a renewal.
         *
         * @param lease the lease
         * @return this
         */
        public Builder lease(Duration lease) {
            this.lease = Objects.requireNonNull(lease, "lease");
            return this;
        }

        /**
         * Sets how much of the resource is asked for.
         *
         * @param weight one if not set
         * @return this
         */
        public Builder weight(int weight) {
            this.weight = weight;
            return this;
        }

        /**
         * Sets how many fencing tokens in a row the grant must reserve.
         *
         * @param tokens one if not set
         * @return this
         */
        public Builder tokens(int tokens) {
            this.tokens = tokens;
            return this;
        }

        /**
         * Sets whether a claim that cannot be granted takes a place in the line.
         *
         * @param waits false if not set
         * @return this
         */
        public Builder waits(boolean waits) {
            this.waits = waits;
            return this;
        }

        /**
         * Sets who asks, for people.
         *
         * @param label empty if not set
         * @return this
         */
        public Builder label(String label) {
            this.label = Objects.requireNonNull(label, "label");
            return this;
        }

        /**
         * Sets the least token that will do.
         *
         * @param leastToken zero, for any, if not set
         * @return this
         */
        public Builder leastToken(long leastToken) {
            this.leastToken = leastToken;
            return this;
        }

        /**
         * Makes the claim.
         *
         * @return the claim
         */
        public Claim build() {
            return new Claim(new Values(id, resource, weight, lease, tokens, waits, label, leastToken));
        }
    }
}
