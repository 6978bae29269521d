package io.holdfast.quorum;

import io.holdfast.quorum.Standing.State;
import io.holdfast.spi.Claim;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
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

    private record Ending(Member member, Claim name, Supplier<Boolean> answer) {}

    /**
     * Ends what the claim has, or may have, on those members. The leader is told last: whoever it serves next asks the others at once.
     *
     * @return whether any of them knew the claim
     */
    boolean end(Standing standing, IntPredicate which) {
        List<Ending> begun = new ArrayList<>(members.size());
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
                begun.add(new Ending(member, name, member.beginRelease(name, memberPatience)));
            }
        }
        boolean known = false;
        for (Ending ending : begun) {
            int index = ending.member.index();
            try {
                known |= ending.answer.get();
                if (standing.isUnsettled(index, System.nanoTime())) {
                    owe(standing, ending.member, ending.name);
                }
            } catch (RuntimeException unheard) {
                owe(standing, ending.member, ending.name);
            }
            standing.set(index, null, State.NOTHING);
        }
        return known;
    }

    private static void owe(Standing standing, Member member, Claim name) {
        long nowNanos = System.nanoTime();
        int index = member.index();
        long dueNanos = standing.isUnsettled(index, nowNanos) ? standing.unsettledUntilNanos(index) : nowNanos;
        member.owe(name, dueNanos, dueNanos + standing.longestNanos() + 2 * member.requestNanos());
    }
}
