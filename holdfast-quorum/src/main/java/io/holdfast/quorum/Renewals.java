package io.holdfast.quorum;

import io.holdfast.quorum.Standing.State;
import io.holdfast.spi.Claim;
import io.holdfast.spi.ClaimId;
import io.holdfast.spi.RenewResult;
import io.holdfast.spi.Renewal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Renews many claims on all members at once. A claim lasts if enough members that held it say so; one that was claimed anew in between counts from the next
 * time, because nobody knows who had it meanwhile.
 */
final class Renewals {
    private final Members members;
    private final Function<ClaimId, @Nullable Standing> standings;
    private final Duration memberPatience;
    private final Executor executor;

    Renewals(
            Members members,
            Function<ClaimId, @Nullable Standing> standings,
            Duration memberPatience,
            Executor executor) {
        this.members = members;
        this.standings = standings;
        this.memberPatience = memberPatience;
        this.executor = executor;
    }

    /** What one member is asked, and for which of all renewals. */
    private record Part(Member member, List<Integer> which, List<Renewal> renewals) {}

    List<RenewResult> renew(List<Renewal> renewals) {
        List<Part> parts = new ArrayList<>();
        for (Member member : members) {
            Part part = part(member, renewals);
            if (!part.renewals.isEmpty()) {
                parts.add(part);
            }
        }
        @Nullable RenewResult[][] answers = new RenewResult[renewals.size()][members.size()];
        CountDownLatch done = new CountDownLatch(parts.size());
        List<CompletableFuture<List<RenewResult>>> futures = new ArrayList<>();
        for (Part part : parts) {
            CompletableFuture<List<RenewResult>> future =
                    CompletableFuture.supplyAsync(() -> part.member.backend().renew(part.renewals), executor);
            futures.add(future);
            future.whenComplete((results, failure) -> done.countDown());
        }
        await(done, parts.size());
        for (int p = 0; p < parts.size(); p++) {
            read(parts.get(p), futures.get(p), answers);
        }
        List<RenewResult> results = new ArrayList<>(renewals.size());
        for (int i = 0; i < renewals.size(); i++) {
            results.add(result(renewals.get(i), answers[i]));
        }
        return results;
    }

    private Part part(Member member, List<Renewal> renewals) {
        Part part = new Part(member, new ArrayList<>(), new ArrayList<>());
        for (int i = 0; i < renewals.size(); i++) {
            Renewal renewal = renewals.get(i);
            Standing standing = standings.apply(renewal.claim().id());
            if (standing == null
                    || members.canSpare(member, members.needed(renewal.claim().resource()))) {
                continue;
            }
            standing.asked(renewal.lease());
            Claim name = standing.name(member.index());
            if (name != null && standing.state(member.index()) != State.WAITING) {
                part.which.add(i);
                part.renewals.add(new Renewal(name, renewal.lease()));
            }
        }
        return part;
    }

    /** Waits for all, but when enough have answered only a moment longer: one that is slow must not cost the others their leases. */
    private void await(CountDownLatch done, int asked) {
        long nowNanos = System.nanoTime();
        long untilNanos = nowNanos;
        for (Member member : members) {
            untilNanos = Math.max(untilNanos, nowNanos + member.requestNanos());
        }
        boolean interrupted = false;
        long enoughNanos = 0;
        while (done.getCount() > 0 && System.nanoTime() - untilNanos < 0) {
            if (enoughNanos == 0 && asked - done.getCount() >= members.majority()) {
                enoughNanos = System.nanoTime() + memberPatience.toNanos();
                untilNanos = enoughNanos - untilNanos < 0 ? enoughNanos : untilNanos;
            }
            try {
                if (done.await(POLL_NANOS, TimeUnit.NANOSECONDS)) {
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

    private static final long POLL_NANOS = 5_000_000;

    private void read(Part part, CompletableFuture<List<RenewResult>> future, @Nullable RenewResult[][] answers) {
        int index = part.member.index();
        List<RenewResult> results = null;
        RuntimeException trouble = null;
        try {
            results = future.getNow(null);
        } catch (RuntimeException failed) {
            trouble = failed.getCause() instanceof RuntimeException inner ? inner : failed;
        }
        if (results == null) {
            trouble = trouble == null ? new IllegalStateException(part.member + " did not answer in time") : trouble;
            part.member.failed(trouble);
        }
        for (int i = 0; i < part.which.size(); i++) {
            answers[part.which.get(i)][index] = results == null
                    ? new RenewResult.Failed(java.util.Objects.requireNonNull(trouble))
                    : results.get(i);
        }
    }

    private RenewResult result(Renewal renewal, @Nullable RenewResult[] answers) {
        int needed = members.needed(renewal.claim().resource());
        List<Duration> lefts = new ArrayList<>();
        List<Integer> silent = new ArrayList<>();
        @Nullable RuntimeException[] troubles = new RuntimeException[members.size()];
        Standing standing = standings.apply(renewal.claim().id());
        for (int index = 0; index < answers.length; index++) {
            RenewResult answer = answers[index];
            if (answer instanceof RenewResult.Renewed renewed) {
                lefts.add(renewed.left());
            } else if (answer instanceof RenewResult.Failed failed) {
                silent.add(index);
                troubles[index] = failed.cause();
            } else if (answer instanceof RenewResult.Gone && standing != null) {
                gone(standing, index);
            } else if (standing != null && !members.get(index).isUp()) {
                silent.add(index);
                troubles[index] = members.get(index).trouble();
            }
        }
        if (lefts.size() >= needed) {
            lefts.sort(Comparator.reverseOrder());
            return new RenewResult.Renewed(lefts.get(needed - 1));
        }
        return lefts.size() + silent.size() >= needed
                ? new RenewResult.Failed(
                        members.outage(renewal.claim().resource().name(), needed, silent, index -> troubles[index]))
                : new RenewResult.Gone();
    }

    /** The member may be claimed anew. A claim that is being asked for or released has its own mind. */
    private static void gone(Standing standing, int index) {
        if (standing.lock.tryLock()) {
            try {
                if (standing.state(index) == State.HELD) {
                    standing.set(index, null, State.NOTHING);
                }
            } finally {
                standing.lock.unlock();
            }
        }
    }
}
