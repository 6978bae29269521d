package io.holdfast.testing;

import io.holdfast.spi.Claim;
import io.holdfast.spi.ClaimId;
import io.holdfast.spi.Renewal;
import io.holdfast.spi.Resource;
import java.util.List;

/**
 * One message between the engine and a store, for {@link Faults} to decide about.
 *
 * @since 0.1
 */
public sealed interface Call {

    /**
     * The engine asks for a claim.
     *
     * @param claim which claim
     */
    record Attempt(Claim claim) implements Call {}

    /**
     * The engine ends a claim.
     *
     * @param claim which claim
     */
    record Release(Claim claim) implements Call {}

    /**
     * The engine renews claims, in one request.
     *
     * @param renewals which claims
     */
    record Renew(List<Renewal> renewals) implements Call {

        /**
         * Copies the list.
         *
         * @param renewals which claims
         */
        public Renew {
            renewals = List.copyOf(renewals);
        }
    }

    /**
     * Somebody looks at one resource or at many.
     *
     * @param name the name, or the prefix of the names
     */
    record Look(String name) implements Call {}

    /**
     * The store tells that it served a waiting claim.
     *
     * @param claim which claim
     */
    record Granted(ClaimId claim) implements Call {}

    /**
     * The store tells that a resource changed.
     *
     * @param resource which resource
     */
    record Changed(Resource resource) implements Call {}

    /** The store tells that messages may have been missed. */
    record Missed() implements Call {}
}
