package io.holdfast.spi;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * What the store knows of one resource.
 *
 * @param resource which one, with the store's capacity
 * @param holders who holds it, those whose lease has ended left out
 * @param waiting who waits, the next one first
 * @since 0.1
 */
public record ResourceView(Resource resource, List<Holder> holders, List<Waiting> waiting) {

    /**
     * A claim that holds.
     *
     * @param claim whose
     * @param weight how much of the capacity
     * @param token the last token of its block
     * @param left until its lease ends
     * @param label who, for people
     * @param since since when, where the store knows
     */
    public record Holder(ClaimId claim, int weight, long token, Duration left, String label, Optional<Instant> since) {

        /**
         * A holder of which the store does not know since when.
         *
         * @param claim whose
         * @param weight how much of the capacity
         * @param token the last token of its block
         * @param left until its lease ends
         * @param label who, for people
         */
        public Holder(ClaimId claim, int weight, long token, Duration left, String label) {
            this(claim, weight, token, left, label, Optional.empty());
        }
    }

    /**
     * A claim that waits.
     *
     * @param claim whose
     * @param weight how much of the capacity it wants
     * @param label who, for people
     * @param since since when it stands in the line, where the store knows
     */
    public record Waiting(ClaimId claim, int weight, String label, Optional<Instant> since) {

        /**
         * A waiter of which the store does not know since when.
         *
         * @param claim whose
         * @param weight how much of the capacity it wants
         * @param label who, for people
         */
        public Waiting(ClaimId claim, int weight, String label) {
            this(claim, weight, label, Optional.empty());
        }
    }
}
