package io.holdfast.memory;

import io.holdfast.spi.Claim;
import java.time.Duration;

/** A claim that was granted. Guarded by the lock of its resource. */
final class Holder {

    final Claim claim;
    long firstToken;

    /** When it ends, on the clock of the store. */
    long untilNanos;

    Holder(Claim claim, long firstToken, long untilNanos) {
        this.claim = claim;
        this.firstToken = firstToken;
        this.untilNanos = untilNanos;
    }

    boolean isExpired(long nowNanos) {
        return untilNanos <= nowNanos;
    }

    long lastToken() {
        return firstToken + claim.tokens() - 1;
    }

    Duration left(long nowNanos) {
        return Duration.ofNanos(untilNanos - nowNanos);
    }
}
