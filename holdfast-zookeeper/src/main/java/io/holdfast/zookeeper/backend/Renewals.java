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
 * somebody has deleted one of them is asked, for many at once and behind the write: a server that is cut off from
 * the others would answer what was once true, but does not answer the write.
 */
final class Renewals {
    static final RenewResult GONE = new RenewResult.Gone();

    private final HeldClaims claims;
    private final ClientRecord record;
    private final TimeSource time;

    /** How many nodes are asked for together: far fewer than a request or an answer can carry. */
    private static final int PORTION = 500;

    /** A renewal of a claim that holds, as far as this client knows. */
    private record Pending(HeldClaim own, String path, CompletableFuture<?> told) {}

    Renewals(HeldClaims claims, ClientRecord record, TimeSource time) {
        this.claims = claims;
        this.record = record;
        this.time = time;
    }

    List<RenewResult> renew(Session session, List<Renewal> renewals, Answers answers) throws KeeperException {
        long startNanos = time.nanoTime();
        CompletableFuture<Stat> proof = session.barrier(record.bytes());
        List<@Nullable Pending> pending = new ArrayList<>(renewals.size());
        for (Renewal renewal : renewals) {
            pending.add(ask(session, renewal));
        }
        List<CompletableFuture<List<@Nullable Long>>> portions = ask(session, pending);
        answers.await(proof);
        List<@Nullable Long> found = awaitAll(portions, answers);
        int next = 0;
        List<RenewResult> results = new ArrayList<>(renewals.size());
        for (int i = 0; i < renewals.size(); i++) {
            Pending each = pending.get(i);
            results.add(each == null ? GONE : result(each, found.get(next++), renewals.get(i), startNanos, answers));
        }
        return results;
    }

    /** Whether nobody need be asked any more, because this client knows that the claim has ended. */
    boolean isOver(Claim claim) {
        HeldClaim own = claims.held(claim.id());
        return own == null || own.session.isExpired();
    }

    private static List<CompletableFuture<List<@Nullable Long>>> ask(Session session, List<@Nullable Pending> pending) {
        List<String> paths =
                pending.stream().filter(Objects::nonNull).map(each -> each.path).toList();
        List<CompletableFuture<List<@Nullable Long>>> portions = new ArrayList<>();
        for (int from = 0; from < paths.size(); from += PORTION) {
            portions.add(session.nodes().transactions(paths.subList(from, Math.min(paths.size(), from + PORTION))));
        }
        return portions;
    }

    private static List<@Nullable Long> awaitAll(
            List<CompletableFuture<List<@Nullable Long>>> portions, Answers answers) throws KeeperException {
        List<@Nullable Long> all = new ArrayList<>();
        for (CompletableFuture<List<@Nullable Long>> portion : portions) {
            all.addAll(answers.await(portion));
        }
        return all;
    }

    private @Nullable Pending ask(Session session, Renewal renewal) {
        HeldClaim own = claims.held(renewal.claim().id());
        if (own == null || own.session != session) {
            return null;
        }
        Claim claim = renewal.claim();
        String path = Objects.requireNonNull(own.path);
        CompletableFuture<?> told = claims.tellsLess(own, renewal.lease())
                ? session.nodes().write(path, new ClaimData(renewal.lease(), claim.label()).bytes())
                : CompletableFuture.completedFuture(true);
        return new Pending(own, path, told);
    }

    private RenewResult result(
            Pending pending, @Nullable Long transaction, Renewal renewal, long startNanos, Answers answers)
            throws KeeperException {
        boolean there = transaction != null && Attempts.token(transaction) == pending.own.token;
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
