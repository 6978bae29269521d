package io.holdfast.quorum;

import io.holdfast.quorum.QuorumClaim.State;
import io.holdfast.spi.Claim;
import io.holdfast.spi.TimeSource;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.IntPredicate;
import java.util.function.Supplier;

/**
 * Ends claims on members. A release that a member missed, or that a late request may undo, is repeated until the member
 * answers it or the lease has ended.
 */
final class Releases {
    private final Members members;
    private final TimeSource time;
    private final Duration memberPatience;

    Releases(Members members, Duration memberPatience) {
        this.members = members;
        this.time = members.time();
        this.memberPatience = memberPatience;
    }

    /**
     * Ends what the claim has, or may have, on these members. The leader comes last: the claim that it serves next asks
     * the others at once.
     *
     * @return whether any of them knew the claim
     */
    boolean end(QuorumClaim quorumClaim, IntPredicate which) {
        AtomicBoolean known = new AtomicBoolean();
        try (Answers answers = new Answers()) {
            for (int index = members.size() - 1; index >= 0; index--) {
                Claim name = quorumClaim.name(index);
                if (name == null || !which.test(index)) {
                    continue;
                }
                Member member = members.get(index);
                if (members.canSpare(member, members.majority())) {
                    owe(quorumClaim, member, name);
                    quorumClaim.set(index, null, State.NOTHING);
                } else {
                    Supplier<Boolean> answer = member.beginRelease(name, memberPatience);
                    answers.add(() -> {
                        if (isKnown(quorumClaim, member, name, answer)) {
                            known.set(true);
                        }
                    });
                }
            }
        }
        return known.get();
    }

    private boolean isKnown(QuorumClaim quorumClaim, Member member, Claim name, Supplier<Boolean> answer) {
        boolean known = false;
        try {
            known = answer.get();
            if (quorumClaim.isUnsettled(member.index(), time.nanoTime())) {
                owe(quorumClaim, member, name);
            }
        } catch (RuntimeException unheard) {
            owe(quorumClaim, member, name);
        }
        quorumClaim.set(member.index(), null, State.NOTHING);
        return known;
    }

    private void owe(QuorumClaim quorumClaim, Member member, Claim name) {
        long nowNanos = time.nanoTime();
        int index = member.index();
        long dueNanos = quorumClaim.isUnsettled(index, nowNanos) ? quorumClaim.unsettledUntilNanos(index) : nowNanos;
        member.owe(name, dueNanos, dueNanos + quorumClaim.longestNanos() + 2 * member.requestNanos());
    }
}
