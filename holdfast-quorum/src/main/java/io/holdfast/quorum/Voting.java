package io.holdfast.quorum;

import io.holdfast.LockKind;
import io.holdfast.quorum.QuorumClaim.State;
import io.holdfast.spi.AttemptResult;
import io.holdfast.spi.Claim;
import io.holdfast.spi.ClaimId;
import io.holdfast.spi.Resource;
import io.holdfast.spi.TimeSource;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntPredicate;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Asks for a claim. All members are asked at once; if enough grant the same token, that is the grant. If the tokens
 * differ, those below the greatest are asked to raise theirs; a member that lost the claim meanwhile refuses, or grants
 * it anew.
 *
 * <p><b>Who waits.</b> One member is the leader: the first that answers and grants. A waiting claim stands in the
 * leader's line and in no other; when it is served there, it asks the rest. A claim that the leader put behind another
 * one gives way, even if a majority of the others granted it. A claim that the leader granted asks the others again for
 * a moment, because their votes are being given back. So a split vote is won by the leader's choice, unless that claim
 * fails to get the others for a while: its client may be dead. No guarantee depends on two clients seeing the same
 * leader: if they do not, a vote only takes longer.
 */
final class Voting {
    /** How often a claim that the leader granted asks the others again, with pauses that double from a millisecond. */
    private static final int PATIENT_TRIES = 5;

    private static final long PAUSE_NANOS = 1_000_000;

    /** How often tokens are raised: once, unless a member lost the claim and granted it anew meanwhile. */
    private static final int MOST_RAISES = 4;

    /** The longest pause after a lost vote. */
    private static final Duration AFTER_A_LOST_VOTE = Duration.ofMillis(60);

    /** How long the leader is asked first for a resource that was contended. */
    private static final long CONTENDED_NANOS = 1_000_000_000;

    private static final int MOST_CONTENDED = 10_000;

    /** How far ahead the second raise goes; tokens are microseconds. */
    private static final long FARTHER_MICROS = 500;

    /**
     * Longer than a claim takes from being served by the leader to asking the others, on a slow network and a busy
     * machine.
     */
    private static final long STRAY_NANOS = 200_000_000;

    /** In place of a member: no line to wait in. */
    private static final int NOBODY = -1;

    private final Members members;
    private final TimeSource time;
    private final MemberIds ids;
    private final Proposals proposals;
    private final Releases releases;
    private final Duration memberPatience;
    private final Counters counters;
    private final Latches latches;
    private final ConcurrentMap<Resource, Long> contended = new ConcurrentHashMap<>();

    /** Since when the leader is held by a claim that does not have the others. */
    private final ConcurrentMap<Resource, Long> strays = new ConcurrentHashMap<>();

    Voting(Members members, MemberIds ids, Releases releases, Duration memberPatience, Counters counters) {
        this.members = members;
        this.time = members.time();
        this.ids = ids;
        this.proposals = new Proposals(members);
        this.releases = releases;
        this.memberPatience = memberPatience;
        this.counters = counters;
        this.latches = new Latches(members, memberPatience);
    }

    /** Makes one attempt for a claim, the first or a later one. */
    AttemptResult attempt(QuorumClaim quorumClaim, Claim claim, long untilNanos) {
        int needed = members.needed(claim.resource());
        Ballot ballot = new Ballot(members.size(), needed);
        return quorumClaim.token() == 0
                ? pursue(quorumClaim, claim, ballot, untilNanos)
                : confirm(quorumClaim, claim, ballot, untilNanos);
    }

    private AttemptResult pursue(QuorumClaim quorumClaim, Claim claim, Ballot ballot, long untilNanos) {
        int leader = members.leader(time.nanoTime()).index();
        releases.end(quorumClaim, member -> member != leader && quorumClaim.state(member) == State.WAITING);
        long proposed = Math.max(proposals.next(), claim.leastToken());
        if (quorumClaim.line() == leader || (claim.waits() && isContended(claim.resource()))) {
            ask(ballot, quorumClaim, claim, List.of(leader), leader, proposed, untilNanos);
            // With too few others up, being behind another claim means nothing: it is an outage, and they are asked to
            // be sure.
            if (isBehindOthers(ballot.answer(leader)) && members.mayReach(members.needed(claim.resource()))) {
                noteContention(claim.resource());
                return Objects.requireNonNull(ballot.answer(leader));
            }
        }
        ask(ballot, quorumClaim, claim, those(member -> ballot.answer(member) == null), leader, proposed, untilNanos);
        if (isAwaiting(claim) && !ballot.isEnough() && latches.repair(claim.resource())) {
            ask(ballot, quorumClaim, claim, those(ballot::isBusy), leader, proposed, untilNanos);
        }
        for (int tries = 0; ; tries++) {
            if (ballot.isEnough() && (!ballot.isBusy(leader) || isStray(claim.resource()))) {
                AttemptResult granted = agree(quorumClaim, claim, ballot, leader, proposed, untilNanos);
                if (granted != null) {
                    releases.end(quorumClaim, member -> quorumClaim.state(member) == State.WAITING);
                    return granted;
                }
            }
            boolean worthwhile = ballot.isGranted(leader) && !ballot.isEnough() && ballot.isOpen();
            if (!worthwhile || tries == PATIENT_TRIES || time.nanoTime() - untilNanos > 0) {
                return lost(quorumClaim, claim, ballot);
            }
            LockSupport.parkNanos(jittered(PAUSE_NANOS << tries));
            ask(ballot, quorumClaim, claim, those(ballot::isBusy), leader, proposed, untilNanos);
        }
    }

    /** The first in line asks the others now and then: the leader may be held by a claim that never got them. */
    private static boolean isBehindOthers(@Nullable AttemptResult answer) {
        return answer instanceof AttemptResult.Busy
                || (answer instanceof AttemptResult.Queued queued && queued.place() > 1);
    }

    private static boolean isAwaiting(Claim claim) {
        return claim.resource().kind() == LockKind.LATCH && claim.weight() == 0;
    }

    /**
     * Tells whether the leader has been held for a while by a claim that does not have the others: because the leader
     * missed a release, or a client died in between. A claim that the leader has just served gets the others within a
     * moment, so this one gives way to it.
     */
    private boolean isStray(Resource resource) {
        long nowNanos = time.nanoTime();
        Long sinceNanos = strays.putIfAbsent(resource, nowNanos);
        return sinceNanos != null && nowNanos - sinceNanos > STRAY_NANOS;
    }

    /** A granted claim keeps its token, unless it asks for a greater one or is lost. */
    private AttemptResult confirm(QuorumClaim quorumClaim, Claim claim, Ballot ballot, long untilNanos) {
        long token = quorumClaim.token();
        long least = Math.max(token, claim.leastToken());
        ask(ballot, quorumClaim, claim, those(member -> true), NOBODY, least, untilNanos);
        if (ballot.agreesOn(least)) {
            quorumClaim.granted(least, ballot.left(least), time.nanoTime());
            return new AttemptResult.Granted(least, ballot.left(least));
        }
        if (least > token) {
            AttemptResult raised = agree(quorumClaim, claim, ballot, NOBODY, least, untilNanos);
            if (raised != null) {
                return raised;
            }
        }
        if (ballot.isOutage()) {
            throw outage(claim, ballot);
        }
        quorumClaim.lost();
        return lost(quorumClaim, claim, ballot);
    }

    /**
     * Claims members that a holder lacks, so that one more of its members may fail. They count from the next renewal.
     */
    void topUp(QuorumClaim quorumClaim) {
        Ballot ballot = new Ballot(members.size(), members.needed(quorumClaim.claim.resource()));
        long nowNanos = time.nanoTime();
        List<Integer> missing = those(member -> quorumClaim.state(member) == State.NOTHING
                && members.get(member).isFit(nowNanos));
        ask(
                ballot,
                quorumClaim,
                quorumClaim.claim,
                missing,
                NOBODY,
                quorumClaim.token(),
                nowNanos + memberPatience.toNanos() + PAUSE_NANOS);
    }

    /** Makes enough members agree on one token; null if they no longer hold the claim. */
    private @Nullable AttemptResult agree(
            QuorumClaim quorumClaim, Claim claim, Ballot ballot, int leader, long proposed, long untilNanos) {
        for (int raises = 0; raises <= MOST_RAISES && ballot.isEnough(); raises++) {
            OptionalLong token = ballot.agreed();
            if (raises == 0) {
                proposals.learn(proposed, ballot.greatest(), token.isPresent());
            }
            if (token.isPresent()) {
                counters.granted(raises == 0);
                strays.remove(claim.resource());
                Duration left = ballot.left(token.getAsLong());
                quorumClaim.granted(token.getAsLong(), left, time.nanoTime());
                return new AttemptResult.Granted(token.getAsLong(), left);
            }
            if (time.nanoTime() - untilNanos > 0) {
                break;
            }
            // Where several may hold, others take tokens meanwhile: the second raise asks for one beyond their reach.
            long target = ballot.greatest() + (raises == 0 ? 0 : FARTHER_MICROS << raises);
            ask(ballot, quorumClaim, claim, ballot.below(target), leader, target, untilNanos);
        }
        return null;
    }

    /** Gives back what a claim without enough grants has got, except its place in the line. */
    private AttemptResult lost(QuorumClaim quorumClaim, Claim claim, Ballot ballot) {
        if (!MemberIds.isArrival(claim)) {
            releases.end(quorumClaim, member -> quorumClaim.state(member) != State.WAITING);
        }
        if (ballot.isOutage()) {
            throw outage(claim, ballot);
        }
        if (!those(ballot::isBusy).isEmpty()) {
            noteContention(claim.resource());
        }
        return ballot.refusal(Duration.ofNanos(jittered(AFTER_A_LOST_VOTE.toNanos() / 2)));
    }

    private RuntimeException outage(Claim claim, Ballot ballot) {
        return members.outage(
                claim.resource(), members.needed(claim.resource()), ballot.unreachable(), ballot::trouble);
    }

    /** Asks members at the same time and records their answers. */
    private void ask(
            Ballot ballot,
            QuorumClaim quorumClaim,
            Claim claim,
            List<Integer> whom,
            int waitsAt,
            long leastToken,
            long untilNanos) {
        int needed = members.needed(claim.resource());
        long leftNanos = Math.max(1, untilNanos - time.nanoTime());
        Duration patience = Duration.ofNanos(Math.min(memberPatience.toNanos(), leftNanos));
        try (Answers answers = new Answers()) {
            for (int index : whom) {
                Member member = members.get(index);
                RuntimeException trouble = member.trouble();
                if (trouble != null && (member.isBarred() || members.canSpare(member, needed))) {
                    ballot.failed(index, trouble);
                    continue;
                }
                Claim known = quorumClaim.name(index);
                Claim name = named(claim, known == null ? ids.next(claim) : known.id(), index == waitsAt, leastToken);
                if (known == null) {
                    quorumClaim.set(index, name, State.ASKED);
                }
                Supplier<AttemptResult> answer = member.beginAttempt(name, patience);
                answers.add(() -> count(ballot, quorumClaim, member, name, answer));
            }
        }
    }

    private void count(
            Ballot ballot, QuorumClaim quorumClaim, Member member, Claim name, Supplier<AttemptResult> answer) {
        int index = member.index();
        try {
            AttemptResult result = answer.get();
            ballot.answered(index, result);
            quorumClaim.set(index, name, state(result, quorumClaim.isUnsettled(index, time.nanoTime())));
        } catch (RuntimeException unknown) {
            ballot.failed(index, unknown);
            quorumClaim.set(index, name, State.ASKED);
            quorumClaim.unsettled(index, time.nanoTime() + member.requestNanos());
        }
    }

    static State state(AttemptResult answer, boolean unsettled) {
        if (answer instanceof AttemptResult.Granted) {
            return State.HELD;
        }
        if (answer instanceof AttemptResult.Queued) {
            return State.WAITING;
        }
        return unsettled ? State.ASKED : State.NOTHING; // an earlier request may still get what this one did not
    }

    private static Claim named(Claim claim, ClaimId id, boolean mayWait, long leastToken) {
        return Claim.builder(id, claim.resource(), claim.lease())
                .weight(claim.weight())
                .tokens(claim.tokens())
                .waits(claim.waits() && mayWait)
                .label(claim.label())
                .leastToken(leastToken)
                .build();
    }

    private List<Integer> those(IntPredicate which) {
        return IntStream.range(0, members.size()).filter(which).boxed().toList();
    }

    private boolean isContended(Resource resource) {
        Long untilNanos = contended.get(resource);
        return untilNanos != null && untilNanos - time.nanoTime() > 0;
    }

    private void noteContention(Resource resource) {
        if (contended.size() < MOST_CONTENDED) {
            contended.put(resource, time.nanoTime() + CONTENDED_NANOS);
        }
    }

    /** Forgets old contention. */
    void tidy(long nowNanos) {
        contended.values().removeIf(untilNanos -> nowNanos - untilNanos > 0);
        strays.values().removeIf(sinceNanos -> nowNanos - sinceNanos > 10 * CONTENDED_NANOS);
    }

    private static long jittered(long nanos) {
        return nanos / 2 + ThreadLocalRandom.current().nextLong(nanos);
    }
}
