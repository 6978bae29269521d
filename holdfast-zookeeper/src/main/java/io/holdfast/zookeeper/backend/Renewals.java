package io.holdfast.zookeeper.backend;

import io.holdfast.LockStoreException;
import io.holdfast.spi.Claim;
import io.holdfast.spi.RenewResult;
import io.holdfast.spi.Renewal;
import io.holdfast.spi.TimeSource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.data.Stat;
import org.jspecify.annotations.Nullable;

/**
 * Renews many claims with one write: all nodes live as long as the session, whose beats tell how long that is. Whether
 * somebody has deleted one of them is asked for each, all at once and behind the write: a server that is cut off from
 * the others would answer what was once true, but does not answer the write.
 */
final class Renewals {
    private static final RenewResult GONE = new RenewResult.Gone();

    private final OwnClaims claims;
    private final ClientNote note;
    private final TimeSource time;

    /** A renewal of a claim that holds, as far as this client knows. */
    private record Pending(OwnClaim own, CompletableFuture<@Nullable Stat> stat, CompletableFuture<?> told) {}

    Renewals(OwnClaims claims, ClientNote note, TimeSource time) {
        this.claims = claims;
        this.note = note;
        this.time = time;
    }

    List<RenewResult> renew(Session session, List<Renewal> renewals, Answers answers) throws KeeperException {
        long startNanos = time.nanoTime();
        CompletableFuture<Stat> proof = session.barrier(note.bytes());
        List<@Nullable Pending> pending = new ArrayList<>(renewals.size());
        for (Renewal renewal : renewals) {
            pending.add(ask(session, renewal));
        }
        answers.await(proof);
        List<RenewResult> results = new ArrayList<>(renewals.size());
        for (int i = 0; i < renewals.size(); i++) {
            Pending each = pending.get(i);
            results.add(each == null ? GONE : result(each, renewals.get(i), startNanos, answers));
        }
        return results;
    }

    private @Nullable Pending ask(Session session, Renewal renewal) {
        OwnClaim own = claims.held(renewal.claim().id());
        if (own == null || own.session != session) {
            return null;
        }
        Claim claim = renewal.claim();
        String path = Objects.requireNonNull(own.path);
        CompletableFuture<?> told = claims.tellsLess(own, renewal.lease())
                ? session.nodes().write(path, new ClaimData(renewal.lease(), claim.label()).bytes())
                : CompletableFuture.completedFuture(true);
        return new Pending(own, session.nodes().exists(path, null), told);
    }

    private RenewResult result(Pending pending, Renewal renewal, long startNanos, Answers answers)
            throws KeeperException {
        Stat stat = answers.await(pending.stat);
        boolean there = stat != null && Attempts.token(stat) == pending.own.token;
        if (there) {
            answers.await(pending.told);
        }
        Duration left = pending.own.session.left(renewal.lease(), startNanos);
        if (there && left.isNegative()) {
            return new RenewResult.Failed(new LockStoreException(
                    "could not renew a lease: how long the session lasts is not known since the connection was lost",
                    null));
        }
        if (there && claims.holds(pending.own, left)) {
            return new RenewResult.Renewed(left);
        }
        claims.end(pending.own);
        return GONE;
    }
}
