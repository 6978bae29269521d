package io.holdfast.zookeeper.backend;

import io.holdfast.DurationText;
import io.holdfast.LockKind;
import io.holdfast.spi.AttemptResult;
import io.holdfast.spi.BackendListener;
import io.holdfast.spi.Claim;
import io.holdfast.spi.ClaimId;
import io.holdfast.spi.ClientView;
import io.holdfast.spi.LockBackend;
import io.holdfast.spi.RenewResult;
import io.holdfast.spi.Renewal;
import io.holdfast.spi.Resource;
import io.holdfast.spi.ResourceView;
import io.holdfast.spi.TimeSource;
import io.holdfast.spi.UnfitClaimException;
import io.holdfast.spi.WaitRecord;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.apache.zookeeper.KeeperException;
import org.jspecify.annotations.Nullable;

/**
 * Locks on ZooKeeper: one ephemeral sequential node for each claim, and who holds follows from their order.
 *
 * <p>A call that loses its connection is made again until its time is up; each step first looks for what the one before
 * may have done.
 */
public final class ZooKeeperBackend implements LockBackend {
    private static final long PAUSE_NANOS = 10_000_000;

    /** How many resources are looked at together. */
    private static final int PORTION = 200;

    private final ZooKeeperSettings settings;
    private final TimeSource time;
    private final ErrorMessages trouble;
    private final Set<ClaimId> underWay = ConcurrentHashMap.newKeySet();
    private volatile @Nullable Parts parts;
    private volatile boolean closed;

    /** What exists between start and close. */
    private record Parts(
            String clientId,
            Sessions sessions,
            HeldClaims claims,
            Removals removals,
            Attempts attempts,
            Waiters waiters,
            Renewals renewals,
            Inspector inspector,
            WaitRecords waits,
            Maintenance maintenance) {}

    public ZooKeeperBackend(ZooKeeperSettings settings) {
        this.settings = settings;
        this.time = settings.time();
        this.trouble = new ErrorMessages(settings);
    }

    @Override
    public void start(String clientId, BackendListener listener) {
        if (closed || parts != null) {
            throw new IllegalStateException(this + " cannot be started a second time");
        }
        Paths paths = new Paths(settings.rootPath());
        Lines lines = new Lines();
        ClientRecord record = new ClientRecord(settings.clientName());
        HeldClaims claims = new HeldClaims(time);
        Removals removals = new Removals(paths, lines, record);
        Waiters waiters = new Waiters(lines, claims, listener, time);
        Sessions sessions = new Sessions(settings, paths, clientId, record, new Ending(claims, waiters, listener));
        sessions.open();
        Maintenance maintenance = new Maintenance(clientId, sessions, claims, removals, record, listener, time);
        parts = new Parts(
                clientId,
                sessions,
                claims,
                removals,
                new Attempts(paths, lines, claims, removals, waiters, record, time),
                waiters,
                new Renewals(claims, record, time),
                new Inspector(paths, lines, claims),
                new WaitRecords(paths),
                maintenance);
        maintenance.start();
    }

    /** What the end of a session means. */
    private record Ending(HeldClaims claims, Waiters waiters, BackendListener listener) implements Sessions.Events {
        @Override
        public void ended(Session session) {
            waiters.ended(session);
            for (HeldClaim own : claims.takeOf(session)) {
                if (own.state == HeldClaim.State.HELD) {
                    listener.revoked(own.claim.id());
                }
            }
            listener.missed();
        }

        @Override
        public void connected() {
            listener.missed();
        }
    }

    private Parts parts() {
        Parts current = parts;
        if (closed || current == null) {
            throw new IllegalStateException(this + (closed ? " is closed" : " is used before start()"));
        }
        return current;
    }

    private interface Step<T> {
        T in(Session session, Answers answers) throws KeeperException;
    }

    /** Does something in the session of now, again and again until it works or the time is up. */
    private <T> T persist(Parts current, @Nullable Resource resource, String doing, Duration within, Step<T> step) {
        Answers answers = new Answers(time, time.nanoTime() + within.toNanos());
        while (true) {
            try {
                return step.in(current.sessions.usable(answers), answers);
            } catch (KeeperException said) {
                if (closed || !ErrorMessages.passes(said) || !answers.isTimeLeft()) {
                    throw trouble.of(resource, doing, said, current.sessions.refusal());
                }
                LockSupport.parkNanos(PAUSE_NANOS);
            }
        }
    }

    @Override
    public AttemptResult attempt(Claim claim, Duration patience) {
        Parts current = parts();
        claim.check();
        checkFit(claim);
        Resource resource = claim.resource();
        return persist(
                current,
                resource,
                "ask for '" + resource.name() + "'",
                settings.answerWithin(patience),
                (session, answers) -> alone(current, claim, session, answers));
    }

    /**
     * One attempt of a claim at a time, and none while something of it is being removed: two would make two nodes, of
     * which one is nobody's. A late repetition of an attempt may come while the next one is under way.
     */
    private AttemptResult alone(Parts current, Claim claim, Session session, Answers answers) throws KeeperException {
        if (current.removals.isUnfinished(claim.id()) || !underWay.add(claim.id())) {
            throw new KeeperException.SessionMovedException(); // asked again soon
        }
        try {
            return current.attempts.make(session, claim, answers);
        } finally {
            underWay.remove(claim.id());
        }
    }

    private void checkFit(Claim claim) {
        Resource resource = claim.resource();
        Duration most = settings.carried();
        if (resource.kind() != LockKind.LATCH && claim.lease().compareTo(most) > 0) {
            throw new UnfitClaimException(
                    resource,
                    "a lease of " + DurationText.of(claim.lease()) + " for '" + resource.name() + "' is longer than "
                            + DurationText.rounded(most)
                            + ", which is what a session of " + DurationText.of(settings.session())
                            + " carries; ask for less, or for a longer session(…)");
        }
        if (claim.tokens() > Attempts.MOST_TOKENS) {
            throw new UnfitClaimException(
                    resource,
                    "a claim for '" + resource.name() + "' asks for " + claim.tokens() + " tokens, and ZooKeeper has "
                            + Attempts.MOST_TOKENS + " for each; ask for fewer");
        }
    }

    @Override
    public boolean release(Claim claim) {
        Parts current = parts();
        HeldClaim own = current.claims.end(claim.id());
        Resource resource = claim.resource();
        boolean[] again = new boolean[1];
        return persist(
                current,
                resource,
                "release '" + resource.name() + "'",
                settings.requestTimeout(),
                (session, answers) -> {
                    boolean repeated = again[0];
                    again[0] = true;
                    if (own == null) {
                        return answers.await(current.removals.removeAll(session, claim.id(), resource));
                    }
                    CompletableFuture<Boolean> removal = current.removals.remove(session, own);
                    if (own.session == session && own.path != null) {
                        current.waiters.leaves(own);
                    }
                    boolean deleted = answers.await(removal);
                    return deleted || (repeated && own.path != null);
                });
    }

    /** What is over is told at once, with or without a session: a session that has ended took all its claims along. */
    @Override
    public List<RenewResult> renew(List<Renewal> renewals) {
        Parts current = parts();
        if (renewals.stream().allMatch(each -> current.renewals.isOver(each.claim()))) {
            return Collections.nCopies(renewals.size(), Renewals.GONE);
        }
        try {
            return persist(
                    current,
                    null,
                    "renew " + renewals.size() + " leases",
                    settings.requestTimeout(),
                    (session, answers) -> current.renewals.renew(session, renewals, answers));
        } catch (RuntimeException failed) {
            List<RenewResult> results = new ArrayList<>(renewals.size());
            renewals.forEach(each -> results.add(new RenewResult.Failed(failed)));
            return results;
        }
    }

    @Override
    public Optional<ResourceView> inspect(Resource resource) {
        Parts current = parts();
        return persist(
                current,
                resource,
                "look at '" + resource.name() + "'",
                settings.requestTimeout(),
                (session, answers) -> current.inspector.inspect(session, resource, answers));
    }

    @Override
    public Stream<ResourceView> list(String namePrefix) {
        Parts current = parts();
        List<Resource> found = persist(
                current,
                null,
                "list locks",
                settings.requestTimeout(),
                (session, answers) -> current.inspector.find(session, namePrefix, answers));
        List<List<Resource>> portions = new ArrayList<>();
        for (int from = 0; from < found.size(); from += PORTION) {
            portions.add(found.subList(from, Math.min(found.size(), from + PORTION)));
        }
        return portions.stream()
                .flatMap(portion -> persist(
                        current,
                        null,
                        "list locks",
                        settings.requestTimeout(),
                        (session, answers) -> current.inspector.look(session, portion, answers))
                        .stream());
    }

    @Override
    public Optional<ClientView> client(String clientId) {
        Parts current = parts();
        return persist(
                current,
                null,
                "look at a client",
                settings.requestTimeout(),
                (session, answers) -> current.inspector.client(session, clientId, answers));
    }

    @Override
    public List<String> clients() {
        Parts current = parts();
        return persist(
                current,
                null,
                "list the clients",
                settings.requestTimeout(),
                (session, answers) -> current.waits.clients(session, answers));
    }

    @Override
    public void publishWaits(WaitRecord record) {
        Parts current = parts();
        persist(
                current,
                null,
                "show who waits",
                settings.requestTimeout(),
                (session, answers) -> current.waits.publish(session, record, answers));
    }

    @Override
    public Optional<String> waitsOf(String clientId) {
        Parts current = parts();
        return persist(
                current,
                null,
                "see who waits",
                settings.requestTimeout(),
                (session, answers) -> current.waits.of(session, clientId, answers));
    }

    @Override
    public Optional<String> storeId() {
        Parts current = parts;
        return current == null ? Optional.empty() : Optional.of(current.sessions.storeId());
    }

    @Override
    public boolean raisesTokens() {
        return false;
    }

    /** A session carries what its client holds, and ends with it. */
    @Override
    public boolean outlivesClient() {
        return false;
    }

    @Override
    public Optional<Duration> longestLease() {
        return Optional.of(settings.carried());
    }

    @Override
    public Duration requestTimeout() {
        return settings.requestTimeout();
    }

    @Override
    public void close() {
        Parts current = parts;
        boolean first = !closed;
        closed = true;
        if (current != null && first) {
            current.maintenance.close();
            current.sessions.close();
        }
    }

    @Override
    public String toString() {
        Parts current = parts;
        return "ZooKeeper backend of " + (current == null ? "no client yet" : "client " + current.clientId);
    }
}
