package io.holdfast.quorum;

import io.holdfast.quorum.QuorumClaim.State;
import io.holdfast.spi.Claim;
import io.holdfast.spi.ClaimId;
import io.holdfast.spi.RenewResult;
import io.holdfast.spi.Renewal;
import io.holdfast.spi.TimeSource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Renews many claims on all members at once. A claim is renewed if enough members that held it confirm it. A member
 * that was claimed anew in between counts from the next renewal: another client may have held it meanwhile.
 */
final class Renewals {
    private static final long LOOK_NANOS = 5_000_000;

    private final Members members;
    private final TimeSource time;
    private final Function<ClaimId, @Nullable QuorumClaim> claims;
    private final Duration memberPatience;
    private final Executor executor;
    private final Consumer<QuorumClaim> forgotten;

    /** @param forgotten ends a claim whose holder will be told that it is lost; called with the claim's lock held */
    Renewals(
            Members members,
            Function<ClaimId, @Nullable QuorumClaim> claims,
            Duration memberPatience,
            Executor executor,
            Consumer<QuorumClaim> forgotten) {
        this.members = members;
        this.time = members.time();
        this.claims = claims;
        this.memberPatience = memberPatience;
        this.executor = executor;
        this.forgotten = forgotten;
    }

    /** One renewal, and the answer of each member that was asked. */
    private static final class Tally {
        private final Renewal renewal;
        private final @Nullable QuorumClaim quorumClaim;
        private final @Nullable RenewResult[] answers;

        Tally(Renewal renewal, @Nullable QuorumClaim quorumClaim, int members) {
            this.renewal = renewal;
            this.quorumClaim = quorumClaim;
            this.answers = new RenewResult[members];
        }
    }

    /** The renewals sent to one member, and the tallies they belong to. */
    private record Part(Member member, List<Tally> tallies, List<Renewal> renewals) {}

    List<RenewResult> renew(List<Renewal> renewals) {
        long startNanos = time.nanoTime();
        List<Tally> tallies = renewals.stream()
                .map(renewal -> new Tally(renewal, claims.apply(renewal.claim().id()), members.size()))
                .toList();
        List<Part> parts = members.list().stream()
                .map(member -> part(member, tallies))
                .filter(part -> !part.renewals.isEmpty())
                .toList();
        CountDownLatch done = new CountDownLatch(parts.size());
        List<CompletableFuture<List<RenewResult>>> futures = new ArrayList<>();
        for (Part part : parts) {
            CompletableFuture<List<RenewResult>> future =
                    CompletableFuture.supplyAsync(() -> part.member.backend().renew(part.renewals), executor);
            futures.add(future);
            future.whenComplete((results, failure) -> done.countDown());
        }
        await(done, parts.size());
        for (int i = 0; i < parts.size(); i++) {
            read(parts.get(i), futures.get(i));
        }
        return tallies.stream().map(tally -> result(tally, startNanos)).toList();
    }

    /** A member that is down is skipped only for claims that enough others hold; the others may need it. */
    private Part part(Member member, List<Tally> tallies) {
        Part part = new Part(member, new ArrayList<>(), new ArrayList<>());
        for (Tally tally : tallies) {
            QuorumClaim quorumClaim = tally.quorumClaim;
            Claim name = quorumClaim == null ? null : quorumClaim.name(member.index());
            if (quorumClaim == null || name == null || quorumClaim.state(member.index()) == State.WAITING) {
                continue;
            }
            quorumClaim.asked(tally.renewal.lease());
            RuntimeException trouble = member.trouble();
            if (trouble != null && others(quorumClaim, member) >= needed(tally)) {
                tally.answers[member.index()] = new RenewResult.Failed(trouble);
            } else {
                part.tallies.add(tally);
                part.renewals.add(new Renewal(name, tally.renewal.lease()));
            }
        }
        return part;
    }

    private int needed(Tally tally) {
        return members.needed(tally.renewal.claim().resource());
    }

    private long others(QuorumClaim quorumClaim, Member member) {
        return members.list().stream()
                .filter(other -> other != member && other.isUp() && quorumClaim.state(other.index()) == State.HELD)
                .count();
    }

    /**
     * Waits for all members, but only a moment longer once enough have answered: a slow member must not cost leases.
     */
    private void await(CountDownLatch done, int asked) {
        long nowNanos = time.nanoTime();
        long untilNanos = nowNanos;
        for (Member member : members) {
            untilNanos = Math.max(untilNanos, nowNanos + member.requestNanos());
        }
        boolean interrupted = false;
        boolean enough = false;
        while (done.getCount() > 0 && time.nanoTime() - untilNanos < 0) {
            if (!enough && asked - done.getCount() >= members.majority()) {
                enough = true;
                untilNanos = Math.min(untilNanos, time.nanoTime() + memberPatience.toNanos());
            }
            try {
                if (done.await(LOOK_NANOS, TimeUnit.NANOSECONDS)) {
                    break;
                }
            } catch (InterruptedException flag) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private void read(Part part, CompletableFuture<List<RenewResult>> future) {
        int index = part.member.index();
        List<RenewResult> results = null;
        RuntimeException trouble = new IllegalStateException(part.member + " did not answer in time");
        try {
            results = future.getNow(null);
        } catch (RuntimeException failed) {
            trouble = failed.getCause() instanceof RuntimeException inner ? inner : failed;
        }
        if (results == null) {
            part.member.failed(trouble);
        }
        for (int i = 0; i < part.tallies.size(); i++) {
            Tally tally = part.tallies.get(i);
            RenewResult answer = results == null ? new RenewResult.Failed(trouble) : results.get(i);
            tally.answers[index] = answer;
            if (answer instanceof RenewResult.Gone && tally.quorumClaim != null) {
                gone(tally.quorumClaim, index, part.renewals.get(i).claim());
            }
        }
    }

    private RenewResult result(Tally tally, long startNanos) {
        int needed = needed(tally);
        List<Duration> lefts = new ArrayList<>();
        List<Integer> silent = new ArrayList<>();
        for (int index = 0; index < tally.answers.length; index++) {
            if (tally.answers[index] instanceof RenewResult.Renewed renewed) {
                lefts.add(renewed.left());
            } else if (tally.answers[index] instanceof RenewResult.Failed) {
                silent.add(index);
            }
        }
        QuorumClaim quorumClaim = tally.quorumClaim;
        if (lefts.size() >= needed) {
            lefts.sort(Comparator.reverseOrder());
            Duration left = lefts.get(needed - 1);
            if (quorumClaim != null) {
                quorumClaim.lasts(left, startNanos);
            }
            return new RenewResult.Renewed(left);
        }
        if (lefts.size() + silent.size() >= needed) {
            return new RenewResult.Failed(members.outage(
                    tally.renewal.claim().resource(),
                    needed,
                    silent,
                    index -> tally.answers[index] instanceof RenewResult.Failed failed ? failed.cause() : null));
        }
        if (quorumClaim != null && quorumClaim.token() != 0 && quorumClaim.lock.tryLock()) { // not one that only waits
            try {
                forgotten.accept(quorumClaim);
            } finally {
                quorumClaim.lock.unlock();
            }
        }
        return new RenewResult.Gone();
    }

    /**
     * Lets the member be claimed anew, if the claim still has the same name there and no earlier request is under way.
     */
    private void gone(QuorumClaim quorumClaim, int index, Claim name) {
        if (!quorumClaim.lock.tryLock()) {
            return; // an attempt or a release is under way, and decides
        }
        try {
            Claim known = quorumClaim.name(index);
            boolean settled =
                    quorumClaim.state(index) != State.WAITING && !quorumClaim.isUnsettled(index, time.nanoTime());
            if (settled && known != null && known.id().equals(name.id())) {
                quorumClaim.set(index, null, State.NOTHING);
            }
        } finally {
            quorumClaim.lock.unlock();
        }
    }
}
