package io.holdfast.memory;

import io.holdfast.spi.Claim;
import java.time.Duration;
import java.util.Comparator;

/** A claim that was granted. Guarded by the lock of its resource. */
final class Holder {
    /** Who ends first. The token tells apart what ends together. */
    static final Comparator<Holder> BY_END = (one, other) -> one.untilNanos != other.untilNanos
            ? Long.compare(one.untilNanos, other.untilNanos)
            : Long.compare(one.firstToken, other.firstToken);

    final Claim claim;
    final long firstToken;

    /** In the time of the store. Changed only while the holder is out of the set that is ordered by it. */
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
