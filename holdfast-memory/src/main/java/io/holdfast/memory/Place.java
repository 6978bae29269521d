package io.holdfast.memory;

import io.holdfast.spi.Claim;

/** A claim that waits. Guarded by the lock of its resource. */
final class Place {
    /** Grows along the line. */
    final long ticket;

    private Claim claim;
    private StoreClient client;
    private long untilNanos;

    Place(long ticket, Claim claim, StoreClient client, long untilNanos) {
        this.ticket = ticket;
        this.claim = claim;
        this.client = client;
        this.untilNanos = untilNanos;
    }

    /** The claim asked again: what it says now counts, and so does the connection that it came by. */
    void renew(Claim claim, StoreClient client, long untilNanos) {
        this.claim = claim;
        this.client = client;
        this.untilNanos = untilNanos;
    }

    Claim claim() {
        return claim;
    }

    StoreClient client() {
        return client;
    }

    boolean isAlive(long nowNanos) {
        return untilNanos > nowNanos && !client.isClosed();
    }
}
