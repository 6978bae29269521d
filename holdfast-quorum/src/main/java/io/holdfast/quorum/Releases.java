package io.holdfast.quorum;

import io.holdfast.quorum.Standing.State;
import io.holdfast.spi.Claim;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.IntPredicate;
import java.util.function.Supplier;

/**
 * Ends claims on members. Whatever a member did not hear, or may still do later, is owed to it: the release is repeated when it can be, or when the lease is
 * over nothing is left to do.
 */
final class Releases {
    private final Members members;
    private final Duration memberPatience;

    Releases(Members members, Duration memberPatience) {
        this.members = members;
        this.memberPatience = memberPatience;
    }

    /**
     * Ends what the claim has, or may have, on those members. The leader is told last: whoever it serves next asks the others at once.
     *
     * @return whether any of them knew the claim
     */
    boolean end(Standing standing, IntPredicate which) {
        AtomicBoolean known = new AtomicBoolean();
        try (Answers answers = new Answers()) {
            for (int index = members.size() - 1; index >= 0; index--) {
                Claim name = standing.name(index);
                if (name == null || !which.test(index)) {
                    continue;
                }
                Member member = members.get(index);
                if (members.canSpare(member, members.majority())) {
                    owe(standing, member, name);
                    standing.set(index, null, State.NOTHING);
                } else {
                    Supplier<Boolean> answer = member.beginRelease(name, memberPatience);
                    answers.add(() -> {
                        if (isKnown(standing, member, name, answer)) {
                            known.set(true);
                        }
                    });
                }
            }
        }
        return known.get();
    }

    private static boolean isKnown(Standing standing, Member member, Claim name, Supplier<Boolean> answer) {
        boolean known = false;
        try {
            known = answer.get();
            if (standing.isUnsettled(member.index(), System.nanoTime())) {
                owe(standing, member, name);
            }
        } catch (RuntimeException unheard) {
            owe(standing, member, name);
        }
        standing.set(member.index(), null, State.NOTHING);
        return known;
    }

    private static void owe(Standing standing, Member member, Claim name) {
        long nowNanos = System.nanoTime();
        int index = member.index();
        long dueNanos = standing.isUnsettled(index, nowNanos) ? standing.unsettledUntilNanos(index) : nowNanos;
        member.owe(name, dueNanos, dueNanos + standing.longestNanos() + 2 * member.requestNanos());
    }
}
