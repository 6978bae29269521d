package io.holdfast.memory;

import io.holdfast.spi.ClaimId;
import java.time.Duration;

/**
 * A hand-over that its client has not been told of yet.
 *
 * @param client who is told
 * @param claim which claim was served
 * @param token the first of its block
 * @param left the lease it was given
 * @param startNanos on the client's clock, not later than the start of that lease
 */
record Notice(StoreClient client, ClaimId claim, long token, Duration left, long startNanos) {

    void tell() {
        client.granted(claim, token, left, startNanos);
    }
}
