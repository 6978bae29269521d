package io.holdfast.quorum;

import io.holdfast.spi.Claim;
import io.holdfast.spi.ClaimId;
import io.holdfast.spi.ClientView;
import io.holdfast.spi.Resource;
import io.holdfast.spi.ResourceView;
import io.holdfast.spi.TimeSource;
import io.holdfast.spi.WaitRecord;
import io.holdfast.spi.WaitText;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Merges what all members show into one view. Its holders are the claims that enough members hold, and those that the
 * leader has just served and that will ask the others next. Its line is the leader's.
 */
final class QuorumInspector {
    private final Members members;
    private final TimeSource time;
    private final Executor executor;

    QuorumInspector(Members members, Executor executor) {
        this.members = members;
        this.time = members.time();
        this.executor = executor;
    }

    /**
     * Asks every member that is up. Results are in the order of the members, with null for those that do not answer.
     */
    private <T> List<@Nullable T> all(@Nullable Resource resource, Function<Member, T> look) {
        List<@Nullable CompletableFuture<T>> futures = new ArrayList<>();
        for (Member member : members) {
            futures.add(
                    members.canSpare(member, members.majority())
                            ? null
                            : CompletableFuture.supplyAsync(() -> look.apply(member), executor));
        }
        List<@Nullable T> seen = new ArrayList<>();
        List<Integer> silent = new ArrayList<>();
        @Nullable RuntimeException[] troubles = new RuntimeException[members.size()];
        for (Member member : members) {
            CompletableFuture<T> future = futures.get(member.index());
            T view = null;
            if (future == null) {
                troubles[member.index()] = member.trouble();
            } else {
                try {
                    view = future.join();
                } catch (CompletionException failed) {
                    troubles[member.index()] = failed.getCause() instanceof RuntimeException inner
                            ? inner
                            : new IllegalStateException(failed);
                }
            }
            if (view == null) {
                silent.add(member.index());
            }
            seen.add(view);
        }
        if (members.size() - silent.size() < members.majority()) {
            throw members.outage(resource, members.majority(), silent, index -> troubles[index]);
        }
        return seen;
    }

    Optional<ResourceView> inspect(Resource resource) {
        List<@Nullable ResourceView> views = new ArrayList<>();
        for (Optional<ResourceView> view :
                all(resource, member -> member.backend().inspect(resource))) {
            views.add(view == null ? null : view.orElse(null));
        }
        return views.stream().allMatch(Objects::isNull) ? Optional.empty() : Optional.of(merged(views));
    }

    Stream<ResourceView> list(String namePrefix) {
        Map<Object, @Nullable ResourceView[]> found = new LinkedHashMap<>();
        List<@Nullable List<ResourceView>> lists = all(null, member -> {
            try (Stream<ResourceView> views = member.backend().list(namePrefix)) {
                return views.toList();
            }
        });
        for (int index = 0; index < lists.size(); index++) {
            List<ResourceView> views = lists.get(index);
            for (ResourceView view : views == null ? List.<ResourceView>of() : views) {
                Object key = List.of(view.resource().kind(), view.resource().name());
                found.computeIfAbsent(key, made -> new ResourceView[members.size()])[index] = view;
            }
        }
        return found.values().stream().map(views -> merged(java.util.Arrays.asList(views)));
    }

    Optional<ClientView> client(String clientId) {
        for (Optional<ClientView> view : all(null, member -> member.backend().client(clientId))) {
            if (view != null && view.isPresent()) {
                return view;
            }
        }
        return Optional.empty();
    }

    /** Shows a record on every member; a majority has to answer. */
    void publishWaits(WaitRecord record) {
        all(null, member -> {
            member.backend().publishWaits(record);
            return true;
        });
    }

    /** The newest that a majority knows. What cannot be read is as old as can be. */
    Optional<String> waitsOf(String clientId) {
        return all(null, member -> member.backend().waitsOf(clientId)).stream()
                .filter(Objects::nonNull)
                .flatMap(Optional::stream)
                .max(Comparator.comparingLong(text -> version(clientId, text)));
    }

    private static long version(String clientId, String text) {
        try {
            return WaitText.read(clientId, text).version();
        } catch (IllegalArgumentException unreadable) {
            return 0;
        }
    }

    List<String> clients() {
        return all(null, member -> member.backend().clients()).stream()
                .filter(Objects::nonNull)
                .flatMap(List::stream)
                .distinct()
                .toList();
    }

    /** Ends any client's claim, under all names that the members know it by. */
    boolean end(Claim claim, boolean revoke) {
        boolean known = false;
        for (Boolean ended : all(claim.resource(), member -> endOn(member, claim, revoke))) {
            known |= ended != null && ended;
        }
        return known;
    }

    private static boolean endOn(Member member, Claim claim, boolean revoke) {
        Optional<ResourceView> view = member.backend().inspect(claim.resource());
        boolean known = false;
        for (Claim name : view.map(seen -> namesOf(seen, claim)).orElse(List.of())) {
            known |= revoke ? member.backend().revoke(name) : member.backend().release(name);
        }
        return known;
    }

    private static List<Claim> namesOf(ResourceView view, Claim claim) {
        List<Claim> names = new ArrayList<>();
        for (ResourceView.Holder holder : view.holders()) {
            if (MemberIds.claimOf(holder.claim()).equals(claim.id())) {
                names.add(name(holder.claim(), view.resource(), claim, holder.label()));
            }
        }
        for (ResourceView.Waiting waiting : view.waiting()) {
            if (MemberIds.claimOf(waiting.claim()).equals(claim.id())) {
                names.add(name(waiting.claim(), view.resource(), claim, waiting.label()));
            }
        }
        return names;
    }

    private static Claim name(ClaimId id, Resource resource, Claim claim, String label) {
        return Claim.builder(id, resource, claim.lease())
                .weight(claim.weight())
                .tokens(claim.tokens())
                .label(label)
                .build();
    }

    private ResourceView merged(List<@Nullable ResourceView> views) {
        ResourceView first = Objects.requireNonNull(
                views.stream().filter(Objects::nonNull).findFirst().orElse(null));
        Map<ClaimId, List<ResourceView.Holder>> seen = new LinkedHashMap<>();
        for (ResourceView view : views) {
            for (ResourceView.Holder holder : view == null ? List.<ResourceView.Holder>of() : view.holders()) {
                seen.computeIfAbsent(MemberIds.claimOf(holder.claim()), made -> new ArrayList<>())
                        .add(holder);
            }
        }
        int needed = members.needed(first.resource());
        List<ResourceView.Holder> holders = new ArrayList<>();
        seen.forEach((claim, same) -> {
            if (same.size() >= needed) {
                holders.add(merged(claim, same, needed));
            }
        });
        addServed(views, seen, holders, needed);
        ResourceView line = views.get(members.leader(time.nanoTime()).index());
        List<ResourceView.Waiting> waiting = (line == null ? first : line)
                .waiting().stream()
                        .map(place -> new ResourceView.Waiting(
                                MemberIds.claimOf(place.claim()), place.weight(), place.label(), place.since()))
                        .toList();
        return new ResourceView(first.resource(), holders, waiting);
    }

    /** Adds claims that the leader has served and that have not asked the others yet, as far as there is room. */
    private void addServed(
            List<@Nullable ResourceView> views,
            Map<ClaimId, List<ResourceView.Holder>> seen,
            List<ResourceView.Holder> holders,
            int needed) {
        ResourceView leader = views.get(members.leader(time.nanoTime()).index());
        if (leader == null) {
            return;
        }
        long room = leader.resource().capacity()
                - holders.stream().mapToLong(ResourceView.Holder::weight).sum();
        for (ResourceView.Holder holder : leader.holders()) {
            List<ResourceView.Holder> same = Objects.requireNonNull(seen.get(MemberIds.claimOf(holder.claim())));
            if (same.size() < needed && holder.weight() <= room) {
                holders.add(merged(MemberIds.claimOf(holder.claim()), same, 1));
                room -= holder.weight();
            }
        }
    }

    /** The view that enough members share. */
    private static ResourceView.Holder merged(ClaimId claim, List<ResourceView.Holder> same, int needed) {
        Duration left = same.stream()
                .map(ResourceView.Holder::left)
                .sorted(Comparator.reverseOrder())
                .skip(needed - 1L)
                .findFirst()
                .orElseThrow();
        long token = same.stream().mapToLong(ResourceView.Holder::token).min().orElse(0);
        ResourceView.Holder one = same.get(0);
        return new ResourceView.Holder(
                claim,
                one.weight(),
                token,
                left,
                one.label(),
                same.stream().flatMap(holder -> holder.since().stream()).min(Comparator.naturalOrder()));
    }
}
