package io.holdfast.engine;

import io.holdfast.spi.Claim;
import io.holdfast.spi.ClaimId;
import io.holdfast.spi.Resource;
import java.util.concurrent.atomic.AtomicLong;

/** Makes the claims of one client, each with an id that is never used again. */
final class Claims {
    private final String clientId;
    private final AtomicLong sequence = new AtomicLong();

    Claims(String clientId) {
        this.clientId = clientId;
    }

    Claim next(Resource resource, int tokens, Request request) {
        ClaimId id = new ClaimId(clientId, sequence.incrementAndGet());
        return Claim.builder(id, resource, request.options().lease())
                .weight(request.weight())
                .tokens(tokens)
                .waits(!request.once())
                .label(request.label())
                .build();
    }
}
