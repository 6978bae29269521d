package io.holdfast.zookeeper.backend;

import io.holdfast.spi.Claim;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A claim of this client that ZooKeeper knows, or may know. Guarded by the lock of {@link HeldClaims}, but for what is
 * final.
 *
 * <p><b>States.</b> Asked → waiting → held, asked → held; and from each of them to ended, which is not kept here.
 */
final class HeldClaim {
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

    /** The path of its resource. */
    final String parent;

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

    /** The node that is watched because it stands before. */
    @Nullable
    String watchedBefore;

    /** Its place in the line, as far as this client knows. */
    int place = 1;

    HeldClaim(Claim claim, Session session, String parent, long endNanos) {
        this.claim = claim;
        this.session = session;
        this.parent = parent;
        this.endNanos = endNanos;
        this.told = claim.lease();
    }

    /** The name of its node, whose path must be known. */
    String node() {
        return Objects.requireNonNull(path).substring(parent.length() + 1);
    }
}
