package io.holdfast.quorum;

import io.holdfast.LockKind;
import io.holdfast.spi.Claim;
import io.holdfast.spi.ClaimId;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The names under which members know a claim. A claim that lost a vote is released and asks again; under the same name,
 * a late release of the first round could end what the second one got. So each round has a name of its own, and the
 * claim can be read from the name.
 */
final class MemberIds {
    private static final int ROUND_BITS = 24;
    private static final long ROUNDS = 1L << ROUND_BITS;

    private final AtomicLong rounds = new AtomicLong();

    /**
     * A name that was not used yet. An arrival at a latch has only one name: it counts once, however often it is
     * repeated, and is never taken back.
     */
    ClaimId next(Claim claim) {
        long round = isArrival(claim) ? 0 : 1 + rounds.getAndIncrement() % (ROUNDS - 1);
        return new ClaimId(claim.id().client(), claim.id().sequence() << ROUND_BITS | round);
    }

    /** The claim behind a name. */
    static ClaimId claimOf(ClaimId name) {
        return new ClaimId(name.client(), name.sequence() >> ROUND_BITS);
    }

    static boolean isArrival(Claim claim) {
        return claim.resource().kind() == LockKind.LATCH && claim.weight() > 0;
    }
}
