package io.holdfast.quorum;

import io.holdfast.LockStoreException;
import io.holdfast.spi.AttemptResult;
import io.holdfast.spi.BackendListener;
import io.holdfast.spi.Claim;
import io.holdfast.spi.ClaimId;
import io.holdfast.spi.ClientLine;
import io.holdfast.spi.ClientView;
import io.holdfast.spi.Elsewhere;
import io.holdfast.spi.LockBackend;
import io.holdfast.spi.RenewResult;
import io.holdfast.spi.Renewal;
import io.holdfast.spi.Resource;
import io.holdfast.spi.ResourceView;
import io.holdfast.spi.TimeSource;
import io.holdfast.spi.WaitRecord;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Several stores as one. Assembles the parts and delegates each call to the responsible one.
 *
 * <p>New, then started, then closed; no way back. An attempt and a release run on the caller's thread, which sends to
 * all members before it waits for any. Renewals, inspections and members without pipelining use threads of a pool.
 */
final class QuorumBackend implements LockBackend {
    private static final long PROBE_PAUSE_NANOS = 20_000_000;

    /** The longest time that is waited for members; more would change nothing. */
    private static final Duration MOST_PATIENCE = Duration.ofDays(1);

    private final List<LockBackend> backends;
    private final List<String> labels;
    private final Duration memberPatience;
    private final Turns attempts;
    private final Turns endings;
    private final TimeSource time;
    private final MemberIds ids = new MemberIds();
    private final Counters counters = new Counters();
    private final ConcurrentMap<ClaimId, QuorumClaim> claims = new ConcurrentHashMap<>();
    private final Members members;
    private final ExecutorService threads = Executors.newCachedThreadPool(daemons());
    private final Executor executor = new Elsewhere(threads);
    private volatile @Nullable Started started;
    private volatile boolean closed;

    /** What exists only between start and close. */
    private record Started(
            Voting voting, Releases releases, Renewals renewals, QuorumInspector inspector, Maintenance maintenance) {}

    QuorumBackend(List<LockBackend> backends, List<String> labels, Duration memberPatience, TimeSource time) {
        this.time = time;
        this.backends = backends;
        this.labels = labels;
        this.memberPatience = memberPatience;
        this.attempts = new Turns(time);
        this.endings = new Turns(time);
        List<Member> made = new ArrayList<>();
        for (int i = 0; i < backends.size(); i++) {
            made.add(new Member(i, labels.get(i), backends.get(i), memberPatience, executor, time));
        }
        this.members = new Members(made, time);
    }

    private static ThreadFactory daemons() {
        AtomicInteger number = new AtomicInteger();
        return task -> {
            Thread thread = new Thread(task, "holdfast-quorum-" + number.incrementAndGet());
            thread.setDaemon(true);
            return thread;
        };
    }

    @Override
    public void start(String clientId, BackendListener listener) {
        if (closed || started != null) {
            throw new IllegalStateException(this + " cannot be started a second time");
        }
        Releases releases = new Releases(members, memberPatience);
        Voting voting = new Voting(members, ids, releases, memberPatience, counters);
        Consumer<QuorumClaim> forgotten = quorumClaim -> {
            if (!MemberIds.isArrival(quorumClaim.claim)) { // an arrival is never taken back
                releases.end(quorumClaim, member -> true);
            }
            drop(quorumClaim);
        };
        Maintenance maintenance =
                new Maintenance(clientId, members, claims.values(), voting, executor, listener::missed, forgotten);
        started = new Started(
                voting,
                releases,
                new Renewals(members, claims::get, memberPatience, executor, forgotten),
                new QuorumInspector(members, executor),
                maintenance);
        startMembers(clientId, listener);
        long untilNanos = time.nanoTime() + requestTimeout().toNanos();
        List<Integer> silent = silent();
        while (members.size() - silent.size() < members.majority() && time.nanoTime() - untilNanos < 0) {
            members.forEach(Member::probe); // the first connections may take longer than a request
            LockSupport.parkNanos(PROBE_PAUSE_NANOS);
            silent = silent();
        }
        members.checkDistinct();
        if (members.size() - silent.size() < members.majority()) {
            LockStoreException outage = members.outage(
                    null,
                    members.majority(),
                    silent,
                    index -> members.get(index).trouble());
            throw new LockStoreException("could not connect: " + outage.getMessage(), outage.getCause());
        }
        maintenance.start();
    }

    private List<Integer> silent() {
        return members.list().stream()
                .filter(member -> !member.isUp())
                .map(Member::index)
                .toList();
    }

    /** Starts all members at once. An unusable one is reported; one that is down is not waited for twice. */
    private void startMembers(String clientId, BackendListener listener) {
        List<CompletableFuture<Void>> starts = new ArrayList<>();
        for (Member member : members) {
            starts.add(CompletableFuture.runAsync(
                    () -> {
                        member.backend().start(clientId, new MemberListener(listener));
                        member.probe();
                    },
                    executor));
        }
        RuntimeException first = null;
        for (int i = 0; i < starts.size(); i++) {
            try {
                starts.get(i).join();
            } catch (CompletionException failed) {
                RuntimeException cause =
                        failed.getCause() instanceof RuntimeException inner ? inner : new IllegalStateException(failed);
                if (first == null) {
                    first = cause;
                } else {
                    first.addSuppressed(cause);
                }
            }
        }
        if (first != null) {
            throw first;
        }
    }

    /** Translates a member's names back to claims. */
    private static final class MemberListener implements BackendListener {
        private final BackendListener engine;

        MemberListener(BackendListener engine) {
            this.engine = engine;
        }

        /** One member is not enough for a grant, but a reason to ask the others. */
        @Override
        public void granted(ClaimId name, long token, Duration left, long startNanos) {
            engine.served(MemberIds.claimOf(name));
        }

        @Override
        public void served(ClaimId name) {
            engine.served(MemberIds.claimOf(name));
        }

        @Override
        public void revoked(ClaimId name) {
            engine.revoked(MemberIds.claimOf(name));
        }

        @Override
        public void changed(Resource resource) {
            engine.changed(resource);
        }

        @Override
        public void missed() {
            engine.missed();
        }

        /** With the engine's claim numbers, which are the ones shown to users. */
        @Override
        public List<ClientLine> lines() {
            return engine.lines();
        }
    }

    private Started usable() {
        Started now = started;
        if (closed || now == null) {
            throw new IllegalStateException(this + (closed ? " is closed" : " is used before start()"));
        }
        return now;
    }

    @Override
    public AttemptResult attempt(Claim claim, Duration patience) {
        Started now = usable();
        claim.check();
        Duration longest = slowestRequest();
        try (Turns.Turn turn = attempts.await(
                time.nanoTime() + shorter(patience, MOST_PATIENCE).toNanos())) {
            return attempt(
                    now, claim, time.nanoTime() + shorter(patience, longest).toNanos());
        }
    }

    private static Duration shorter(Duration one, Duration other) {
        return one.compareTo(other) < 0 ? one : other;
    }

    /** How many callers wait until they may ask. */
    int waitingForATurn() {
        return attempts.waiting();
    }

    private AttemptResult attempt(Started now, Claim claim, long untilNanos) {
        while (true) {
            QuorumClaim quorumClaim =
                    claims.computeIfAbsent(claim.id(), made -> new QuorumClaim(claim, members.size(), time.nanoTime()));
            quorumClaim.lock.lock();
            try {
                if (quorumClaim.isEnded()) {
                    continue; // released in between: this is a new beginning
                }
                quorumClaim.askedFor(claim.lease(), time.nanoTime());
                try {
                    return now.voting.attempt(quorumClaim, claim, untilNanos);
                } finally {
                    if (quorumClaim.isNowhere() || (MemberIds.isArrival(claim) && quorumClaim.isEverywhere())) {
                        drop(quorumClaim);
                    }
                }
            } finally {
                quorumClaim.lock.unlock();
            }
        }
    }

    private void drop(QuorumClaim quorumClaim) {
        quorumClaim.end();
        claims.remove(quorumClaim.claim.id(), quorumClaim);
    }

    @Override
    public boolean release(Claim claim) {
        Started now = usable();
        QuorumClaim quorumClaim = claims.get(claim.id());
        if (quorumClaim == null) {
            return now.inspector.end(claim, false);
        }
        quorumClaim.lock.lock();
        try (Turns.Turn turn = endings.await(time.nanoTime() + requestTimeout().toNanos())) {
            boolean known = now.releases.end(quorumClaim, member -> true);
            drop(quorumClaim);
            return known;
        } finally {
            quorumClaim.lock.unlock();
        }
    }

    @Override
    public boolean revoke(Claim claim) {
        return usable().inspector.end(claim, true);
    }

    @Override
    public List<RenewResult> renew(List<Renewal> renewals) {
        return usable().renewals.renew(renewals);
    }

    @Override
    public Optional<ResourceView> inspect(Resource resource) {
        return usable().inspector.inspect(resource);
    }

    @Override
    public Stream<ResourceView> list(String namePrefix) {
        return usable().inspector.list(namePrefix);
    }

    @Override
    public Optional<ClientView> client(String clientId) {
        return usable().inspector.client(clientId);
    }

    @Override
    public void publishWaits(WaitRecord record) {
        usable().inspector.publishWaits(record);
    }

    @Override
    public Optional<String> waitsOf(String clientId) {
        return usable().inspector.waitsOf(clientId);
    }

    @Override
    public List<String> clients() {
        return usable().inspector.clients();
    }

    /** No member is asked for more than it gives. */
    @Override
    public Optional<Duration> longestLease() {
        return backends.stream()
                .flatMap(member -> member.longestLease().stream())
                .min(Duration::compareTo);
    }

    /** A claim outlives its client if it does on every member. */
    @Override
    public boolean outlivesClient() {
        return backends.stream().allMatch(LockBackend::outlivesClient);
    }

    /**
     * An attempt sends requests for up to one request timeout, and each of them may take effect up to one timeout
     * later.
     */
    @Override
    public Duration requestTimeout() {
        return slowestRequest().multipliedBy(2);
    }

    private Duration slowestRequest() {
        return backends.stream()
                .map(LockBackend::requestTimeout)
                .max(Duration::compareTo)
                .orElseThrow();
    }

    @Override
    public void close() {
        if (closed) {
            return;
        }
        closed = true;
        Started now = started;
        if (now != null) {
            now.maintenance.close();
            members.forEach(member -> member.pay(time.nanoTime()));
        }
        backends.forEach(LockBackend::close);
        threads.shutdown();
    }

    /** For tests. */
    Counters counters() {
        return counters;
    }

    /** For tests: how many members answer. */
    int up() {
        return (int) members.list().stream().filter(Member::isUp).count();
    }

    @Override
    public String toString() {
        return "quorum of " + labels;
    }
}
