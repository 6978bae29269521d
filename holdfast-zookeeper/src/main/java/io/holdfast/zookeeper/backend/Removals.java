package io.holdfast.zookeeper.backend;

import io.holdfast.spi.ClaimId;
import io.holdfast.spi.Resource;
import io.holdfast.zookeeper.line.Member;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * Removes nodes of claims that have ended. What could not be removed is remembered, and tried again by the maintenance
 * until it is gone: nobody holds what nobody wants any more.
 *
 * <p>A node whose path is known is deleted. Of a claim whose path is not known, because nobody heard whether it was
 * made, everything is deleted that is there: a write before the look makes sure that all requests from before it are
 * seen, since the requests of a session keep their order.
 */
final class Removals {
    private final Paths paths;
    private final Lines lines;
    private final ClientRecord record;
    private final Map<ClaimId, Removal> unfinished = new ConcurrentHashMap<>();

    /** The longest pause before something is tried again that was refused, in rounds of the maintenance. */
    private static final int MOST_ROUNDS = 200;

    /**
     * Something to be removed.
     *
     * @param path of its node, if that is known
     * @param underWay whether an answer is awaited
     * @param rounds how many rounds of the maintenance the next trial waits
     */
    private record Removal(
            ClaimId claim, Resource resource, @Nullable String path, AtomicBoolean underWay, Rounds rounds) {}

    /** Grows with every refusal: what is forbidden will not be allowed at once. */
    private static final class Rounds {
        private int next = 1;
        private volatile int left;

        void refused() {
            left = next;
            next = Math.min(MOST_ROUNDS, 2 * next);
        }

        boolean isOver() {
            left = Math.max(0, left - 1);
            return left == 0;
        }
    }

    Removals(Paths paths, Lines lines, ClientRecord record) {
        this.paths = paths;
        this.lines = lines;
        this.record = record;
    }

    /** Removes the node of an own claim; tells whether there was one. */
    CompletableFuture<Boolean> remove(Session session, HeldClaim own) {
        Removal removal =
                new Removal(own.claim.id(), own.claim.resource(), own.path, new AtomicBoolean(true), new Rounds());
        unfinished.put(removal.claim, removal);
        return send(session, removal);
    }

    /** Removes whatever there is of a claim, anybody's. */
    CompletableFuture<Boolean> removeAll(Session session, ClaimId claim, Resource resource) {
        return find(session, session.nodes().sync(paths.of(resource)), claim, resource);
    }

    /** Whether something of the claim may still be there. */
    boolean isUnfinished(ClaimId claim) {
        return unfinished.containsKey(claim);
    }

    /** Tries again what did not work. */
    void again(Session session) {
        for (Removal removal : unfinished.values()) {
            if (!removal.underWay.get() && removal.rounds.isOver() && removal.underWay.compareAndSet(false, true)) {
                send(session, removal);
            }
        }
    }

    private CompletableFuture<Boolean> send(Session session, Removal removal) {
        CompletableFuture<Boolean> gone = removal.path != null
                ? session.nodes().delete(removal.path)
                : find(session, session.barrier(record.bytes()), removal.claim, removal.resource);
        return gone.whenComplete((known, failure) -> {
            if (failure == null) {
                unfinished.remove(removal.claim, removal);
            } else if (!ErrorMessages.passes(Answers.keeper(failure))) {
                removal.rounds.refused();
            }
            removal.underWay.set(false);
        });
    }

    /** The children are asked for at once with what comes before: one trip, and one more for each node found. */
    private CompletableFuture<Boolean> find(
            Session session, CompletableFuture<?> before, ClaimId claim, Resource resource) {
        String parent = paths.of(resource);
        CompletableFuture<List<String>> children = session.nodes().children(parent, null);
        return before.thenCombine(
                        children, (done, found) -> lines.of(resource, found).of(claim))
                .thenCompose(members -> delete(session, parent, members));
    }

    private static CompletableFuture<Boolean> delete(Session session, String parent, List<Member> members) {
        List<CompletableFuture<Boolean>> deletions = new ArrayList<>();
        members.forEach(member -> deletions.add(session.nodes().delete(parent + '/' + member.node())));
        return deletions.stream()
                .reduce((one, other) -> one.thenCombine(other, Boolean::logicalOr))
                .orElseGet(() -> CompletableFuture.completedFuture(false));
    }
}
