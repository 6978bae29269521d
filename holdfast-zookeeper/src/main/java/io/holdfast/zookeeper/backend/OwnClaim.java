package io.holdfast.zookeeper.backend;

import io.holdfast.spi.Claim;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A claim of this client that ZooKeeper knows, or may know. Guarded by the lock of {@link OwnClaims}, but for what is
 * final.
 *
 * <p><b>States.</b> Asked → waiting → held, asked → held; and from each of them to ended, which is not kept here.
 */
final class OwnClaim {
    /** How far it has come. */
    enum State {
        /** A node was asked for; whether it exists is not known before the answer, and perhaps never. */
        ASKED,
        /** Its node stands in the line. */
        WAITING,
        /** Its node holds. */
        HELD
    }

    final Claim claim;
    final Session session;

    State state = State.ASKED;
    /** Its node's path, once known. */
    @Nullable
    String path;

    /** The first token, once the path is known. */
    long token;

    /** When it ends unless somebody asks, or renews it. */
    long endNanos;

    /** When it began to hold. */
    long heldNanos;

    /** The lease that its node tells. */
    Duration told;

    /** Whether a watch on its own node tells of its end. */
    boolean watched;

    /** Whoever is watched because it stands before. */
    @Nullable
    String watchedBefore;

    OwnClaim(Claim claim, Session session, long endNanos) {
        this.claim = claim;
        this.session = session;
        this.endNanos = endNanos;
        this.told = claim.lease();
    }
}
