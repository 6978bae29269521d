package io.holdfast.quorum;

import io.holdfast.spi.AttemptResult;
import io.holdfast.spi.Claim;
import io.holdfast.spi.ClaimId;
import io.holdfast.spi.Resource;
import io.holdfast.spi.ResourceView;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Brings members that missed arrivals at a latch up to date. An arrival counts when enough members have it. If several
 * arrivals each miss a different member, no member is ever full. An arrival has one name and is never taken back, so
 * any waiter may repeat it where it is missing.
 */
final class Latches {
    private final Members members;
    private final Duration memberPatience;

    Latches(Members members, Duration memberPatience) {
        this.members = members;
        this.memberPatience = memberPatience;
    }

    /**
     * Repeats arrivals that enough members have on the members that lack them. Returns whether anything was missing.
     */
    boolean repair(Resource latch) {
        Map<Member, Map<ClaimId, ResourceView.Holder>> seen = new HashMap<>();
        for (Member member : members) {
            if (member.isUp()) {
                arrivals(member, latch, seen);
            }
        }
        List<ResourceView.Holder> all = seen.values().stream()
                .flatMap(arrivals -> arrivals.values().stream())
                .toList();
        Map<ClaimId, Long> counts =
                all.stream().collect(Collectors.groupingBy(ResourceView.Holder::claim, Collectors.counting()));
        Set<ClaimId> done = new HashSet<>();
        boolean repeated = false;
        for (ResourceView.Holder arrival : all) {
            Long count = counts.get(arrival.claim());
            if (count != null && count >= members.majority() && done.add(arrival.claim())) {
                repeated |= repeat(latch, arrival, seen);
            }
        }
        return repeated;
    }

    private static void arrivals(Member member, Resource latch, Map<Member, Map<ClaimId, ResourceView.Holder>> into) {
        try {
            into.put(
                    member,
                    member.backend().inspect(latch).map(ResourceView::holders).orElse(List.of()).stream()
                            .filter(holder -> holder.weight() > 0)
                            .collect(Collectors.toMap(ResourceView.Holder::claim, Function.identity())));
        } catch (RuntimeException silent) {
            member.failed(silent);
        }
    }

    private boolean repeat(
            Resource latch, ResourceView.Holder arrival, Map<Member, Map<ClaimId, ResourceView.Holder>> seen) {
        List<Member> missing = new ArrayList<>();
        seen.forEach((member, arrivals) -> {
            if (!arrivals.containsKey(arrival.claim())) {
                missing.add(member);
            }
        });
        Claim again = Claim.builder(arrival.claim(), latch, arrival.left())
                .weight(arrival.weight())
                .label(arrival.label())
                .build();
        boolean repeated = false;
        for (Member member : missing) {
            try {
                repeated |= member.beginAttempt(again, memberPatience).get() instanceof AttemptResult.Granted;
            } catch (RuntimeException later) {
                member.failed(later);
            }
        }
        return repeated;
    }
}
