package io.holdfast.memory;

import io.holdfast.spi.ClaimId;
import io.holdfast.spi.ClientView;
import java.time.Duration;
import java.util.Optional;

/** A client as the store sees it. */
interface StoreClient {

    boolean isClosed();

    /** Its identity, once it has one. */
    Optional<String> id();

    /** The monotonic clock of the client, never to be compared with the store's. */
    long clientNanos();

    /** A claim of the client that waited was served. */
    void granted(ClaimId claim, long token, Duration left, long startNanos);

    /** Another client ended a claim, perhaps one of this client. */
    void revoked(ClaimId claim);

    /** The client may have missed messages. */
    void missed();

    /** What this client says of itself, if it has that identity. */
    Optional<ClientView> card(String clientId);
}
