package io.holdfast.zookeeper.backend;

import io.holdfast.LockKind;
import io.holdfast.spi.AttemptResult;
import io.holdfast.spi.Claim;
import io.holdfast.spi.Resource;
import io.holdfast.spi.TimeSource;
import io.holdfast.zookeeper.line.Line;
import io.holdfast.zookeeper.line.Member;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.KeeperException.NoNodeException;
import org.apache.zookeeper.data.Stat;
import org.jspecify.annotations.Nullable;

/**
 * Asks for claims: makes a node, and looks where it stands.
 *
 * <p>The answer to the creation tells how many stand there with it; so whoever is alone knows in one trip that it
 * holds. Otherwise the look comes behind the creation. It cannot be older than the node, so whoever came before it is
 * seen. An old view errs on the safe side: it may show somebody before the claim who has left, never the other way
 * round.
 *
 * <p>If nobody knows whether a node was made, it is looked for before another one is. A write before that look makes
 * sure that it sees what the session did before, whichever server it talks to now.
 */
final class Attempts {
    /** The tokens of one claim, of which every transaction of ZooKeeper has as many. */
    static final int MOST_TOKENS = 256;

    /** Up to here a place is told exactly; further behind, as it was when somebody last looked. */
    private static final int NEAR = 2;

    private static final int TOKEN_BITS = 8;

    /**
     * ZooKeeper counts children up to 2³¹ − 1, and gives all further ones the same number. Long before that, from here
     * on, nobody comes in any more; the node of the resource is deleted when the last one has left, and a new one
     * counts from zero.
     */
    private static final int WORN = Integer.MAX_VALUE - (1 << 20);

    /** When to ask again; nobody knows the leases of others without asking for each. */
    private static final Duration LATER = Duration.ofSeconds(1);

    private static final Duration SOON = Duration.ofMillis(100);

    private final Paths paths;
    private final Lines lines;
    private final HeldClaims claims;
    private final Removals removals;
    private final Waiters waiters;
    private final ClientRecord record;
    private final TimeSource time;

    Attempts(
            Paths paths,
            Lines lines,
            HeldClaims claims,
            Removals removals,
            Waiters waiters,
            ClientRecord record,
            TimeSource time) {
        this.paths = paths;
        this.lines = lines;
        this.claims = claims;
        this.removals = removals;
        this.waiters = waiters;
        this.record = record;
        this.time = time;
    }

    /** The first token of a node: the number of the transaction that made it, with room for a block of tokens. */
    static long token(long transaction) {
        return transaction << TOKEN_BITS;
    }

    /** Asks once, in this session. */
    AttemptResult make(Session session, Claim claim, Answers answers) throws KeeperException {
        HeldClaim own = claims.get(claim.id());
        if (own != null && own.session != session) {
            claims.end(own);
            own = null;
        }
        if (own == null) {
            String parent = paths.of(claim.resource());
            return isPassing(claim) ? pass(session, claim, parent, answers) : join(session, claim, parent, answers);
        }
        return own.path == null ? search(own, claim, answers) : askAgain(own, claim, answers);
    }

    private static boolean isArrival(Claim claim) {
        return claim.resource().kind() == LockKind.LATCH && claim.weight() > 0;
    }

    /** Whether it goes away if it does not get what it wants. */
    private static boolean isPassing(Claim claim) {
        return !claim.waits() || isArrival(claim);
    }

    /** Looks first, and makes a node only if it would hold. */
    private AttemptResult pass(Session session, Claim claim, String parent, Answers answers) throws KeeperException {
        Line line = freshLine(session, claim, parent, answers);
        if (line.contradicts(claim.resource().capacity())) {
            return new AttemptResult.Mismatched(line.capacity());
        }
        if (isArrival(claim) && !line.of(claim.id()).isEmpty()) {
            return search(claims.ask(claim, session, parent), claim, answers); // it has arrived before
        }
        return line.admits(claim.weight(), claim.resource().capacity())
                ? join(session, claim, parent, answers)
                : new AttemptResult.Busy(LATER);
    }

    private Line freshLine(Session session, Claim claim, String parent, Answers answers) throws KeeperException {
        CompletableFuture<Boolean> fresh = session.nodes().sync(parent);
        CompletableFuture<List<String>> children = session.nodes().children(parent, null);
        List<String> seen = answers.await(children);
        answers.await(fresh);
        return lines.of(claim.resource(), seen);
    }

    /** Makes a node, and looks where it stands. */
    private AttemptResult join(Session session, Claim claim, String parent, Answers answers) throws KeeperException {
        long startNanos = time.nanoTime();
        return join(claims.ask(claim, session, parent), claim, startNanos, answers);
    }

    private AttemptResult join(HeldClaim own, Claim claim, long startNanos, Answers answers) throws KeeperException {
        boolean withParent = false;
        while (true) {
            try {
                return create(own, claim, startNanos, withParent, answers);
            } catch (NoNodeException unused) {
                if (!answers.isTimeLeft()) {
                    throw unused;
                }
                withParent = true; // which may vanish again before the claim comes
            }
        }
    }

    private AttemptResult create(HeldClaim own, Claim claim, long startNanos, boolean withParent, Answers answers)
            throws KeeperException {
        Resource resource = claim.resource();
        String parent = own.parent;
        CompletableFuture<Nodes.Created> parentMade =
                withParent ? own.session.nodes().create(parent, new byte[0], CreateMode.CONTAINER) : null;
        CreateMode mode = isArrival(claim) ? CreateMode.PERSISTENT_SEQUENTIAL : CreateMode.EPHEMERAL_SEQUENTIAL;
        byte[] data = new ClaimData(claim.lease(), claim.label()).bytes();
        CompletableFuture<List<String>> seen = own.session
                .nodes()
                .join(parent, Member.nameOf(claim), data, mode)
                .thenCompose(node -> lookAround(own, node));
        if (parentMade != null) {
            awaitParent(parentMade, answers);
        }
        return decide(own, claim, lines.of(resource, answers.await(seen)), startNanos, answers);
    }

    /** The names of all who stood there when the node was made, or later. Whoever is alone need not ask. */
    private CompletableFuture<List<String>> lookAround(HeldClaim own, Nodes.Joined node) {
        claims.stands(own, node.path(), token(node.transaction()));
        return node.siblings() == 1
                ? CompletableFuture.completedFuture(List.of(node.name()))
                : own.session.nodes().children(own.parent, null);
    }

    private static void awaitParent(CompletableFuture<Nodes.Created> made, Answers answers) throws KeeperException {
        try {
            answers.await(made);
        } catch (KeeperException.NodeExistsException somebodyWasFaster) {
            // as good
        }
    }

    /** Nobody knows whether there is a node. */
    private AttemptResult search(HeldClaim own, Claim claim, Answers answers) throws KeeperException {
        long startNanos = time.nanoTime();
        CompletableFuture<Stat> proof = own.session.barrier(record.bytes());
        CompletableFuture<List<String>> children = own.session.nodes().children(own.parent, null);
        answers.await(proof);
        Line line = lines.of(claim.resource(), answers.await(children));
        Member mine = adopt(own, line.of(claim.id()), answers);
        return mine == null ? join(own, claim, startNanos, answers) : decide(own, claim, line, startNanos, answers);
    }

    /** Takes the first node that this session made, and deletes the others. */
    private @Nullable Member adopt(HeldClaim own, List<Member> found, Answers answers) throws KeeperException {
        Member adopted = null;
        List<CompletableFuture<Boolean>> deletions = new ArrayList<>();
        for (Member member : found) {
            String path = own.parent + '/' + member.node();
            Stat stat = answers.await(own.session.nodes().exists(path));
            boolean mine = stat != null && (isArrival(own.claim) || stat.getEphemeralOwner() == own.session.id());
            if (mine && adopted == null) {
                claims.stands(own, path, token(stat.getCzxid()));
                adopted = member;
            } else {
                deletions.add(own.session.nodes().delete(path));
            }
        }
        for (CompletableFuture<Boolean> deletion : deletions) {
            answers.await(deletion);
        }
        return adopted;
    }

    /** The node is known. */
    private AttemptResult askAgain(HeldClaim own, Claim claim, Answers answers) throws KeeperException {
        String before = own.place > NEAR ? claims.watchedFor(own) : null;
        if (before != null && isStillBehind(own, before, answers) && claims.waits(own, own.place)) {
            return new AttemptResult.Queued(own.place, LATER, true);
        }
        long startNanos = time.nanoTime();
        Line line = freshLine(own.session, claim, own.parent, answers);
        return decide(own, claim, line, startNanos, answers);
    }

    /** Nobody holds all of something while somebody stands before it. So the many who wait need not read all names. */
    private static boolean isStillBehind(HeldClaim own, String before, Answers answers) throws KeeperException {
        Nodes nodes = own.session.nodes();
        CompletableFuture<Boolean> fresh = nodes.sync(own.parent);
        CompletableFuture<@Nullable Stat> there = nodes.exists(own.parent + '/' + before);
        CompletableFuture<@Nullable Stat> mine = nodes.exists(own.parent + '/' + own.node());
        boolean still = answers.await(mine) != null;
        answers.await(fresh);
        return answers.await(there) != null && still;
    }

    private AttemptResult decide(HeldClaim own, Claim claim, Line line, long startNanos, Answers answers)
            throws KeeperException {
        String node = own.node();
        if (!line.has(node)) {
            claims.end(own);
            return make(own.session, claim, answers);
        }
        if (line.contradicts(claim.resource().capacity())) {
            withdraw(own, answers);
            return new AttemptResult.Mismatched(line.capacity());
        }
        if (line.number(node) >= WORN) {
            withdraw(own, answers);
            own.session.nodes().delete(own.parent);
            return new AttemptResult.Refused(
                    "the counter of this name is used up, and begins anew as soon as nobody" + " holds or waits", SOON);
        }
        if (line.holds(node)) {
            return granted(own, claim, startNanos, answers);
        }
        if (isPassing(claim)) {
            withdraw(own, answers);
            return new AttemptResult.Busy(LATER);
        }
        int place = line.place(node);
        if (!claims.waits(own, place)) {
            throw new KeeperException.OperationTimeoutException(); // released meanwhile
        }
        waiters.watch(own, line);
        return new AttemptResult.Queued(place, LATER, true);
    }

    private AttemptResult granted(HeldClaim own, Claim claim, long startNanos, Answers answers) throws KeeperException {
        if (isArrival(claim)) {
            claims.end(own);
            return new AttemptResult.Granted(own.token, claim.lease());
        }
        Duration left = own.session.left(claim.lease(), startNanos);
        if (left.isNegative()) {
            throw new KeeperException
                    .ConnectionLossException(); // two beats later it is known how long the session lasts
        }
        if (!claims.holds(own, left)) {
            throw new KeeperException.OperationTimeoutException(); // released meanwhile
        }
        String path = own.path;
        if (path != null && claims.tellsLess(own, claim.lease())) {
            answers.await(own.session.nodes().write(path, new ClaimData(claim.lease(), claim.label()).bytes()));
        }
        return new AttemptResult.Granted(own.token, left);
    }

    private void withdraw(HeldClaim own, Answers answers) throws KeeperException {
        if (claims.end(own)) {
            answers.await(removals.remove(own.session, own));
        }
    }
}
