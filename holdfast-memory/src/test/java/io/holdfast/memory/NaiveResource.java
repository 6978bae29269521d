package io.holdfast.memory;

import io.holdfast.LockKind;
import io.holdfast.spi.AttemptResult;
import io.holdfast.spi.Claim;
import io.holdfast.spi.ClaimId;
import io.holdfast.spi.RenewResult;
import io.holdfast.spi.Renewal;
import io.holdfast.spi.Resource;
import io.holdfast.spi.ResourceView;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * The rules of one resource written down without a thought of speed: two lists, and every question walks over them.
 * Time is a plain number of its own, so it shares nothing with the store that it is compared with.
 */
final class NaiveResource {
    private final LockKind kind;
    private final List<Held> held = new ArrayList<>();
    private final List<Waits> line = new ArrayList<>();
    private final List<ClaimId> told = new ArrayList<>();
    private int capacity;
    private long lastToken;
    private long nowNanos;
    private long wallMicros;

    private record Held(Claim claim, long firstToken, long untilNanos) {}

    private record Waits(Claim claim, long untilNanos) {}

    NaiveResource(Resource resource, long wallMicros) {
        this.kind = resource.kind();
        this.capacity = resource.capacity();
        this.wallMicros = wallMicros;
    }

    void advance(Duration duration) {
        nowNanos += duration.toNanos();
        wallMicros += duration.toMillis() * 1000;
    }

    void stepWall(Duration duration) {
        wallMicros += duration.toMillis() * 1000;
    }

    AttemptResult attempt(Claim claim) {
        held.removeIf(this::ended);
        if (claim.resource().capacity() != capacity) {
            line.removeIf(this::ended);
            serve(claim, false);
            if (kind == LockKind.READ_WRITE || !held.isEmpty() || !line.isEmpty()) {
                return new AttemptResult.Mismatched(capacity);
            }
            capacity = claim.resource().capacity();
        }
        boolean known = find(claim.id()).isPresent();
        if (known) {
            extend(claim.id(), claim.lease());
        }
        boolean queues = claim.waits() && !(kind == LockKind.LATCH && claim.weight() > 0);
        boolean place = line.stream().anyMatch(waits -> waits.claim.id().equals(claim.id()));
        line.replaceAll(waits -> waits.claim.id().equals(claim.id()) ? place(claim) : waits);
        boolean passesTheLine = kind == LockKind.LATCH && claim.weight() > 0 && fits(claim);
        if (!known && !place && passesTheLine) {
            grant(claim, claim.lease());
        } else if (!known && !place) {
            line.add(place(claim)); // everybody goes through the line, if only for a moment
        }
        serve(claim, true);
        if (!queues && line.removeIf(waits -> waits.claim.id().equals(claim.id()))) {
            serve(claim, false);
        }
        return find(claim.id())
                .<AttemptResult>map(holder -> new AttemptResult.Granted(holder.firstToken, left(holder)))
                .orElseGet(() -> queues
                        ? new AttemptResult.Queued(placeOf(claim), soonestEnd(), true)
                        : new AttemptResult.Busy(soonestEnd()));
    }

    boolean release(Claim claim) {
        boolean known = held.removeIf(holder -> holder.claim.id().equals(claim.id()));
        known |= line.removeIf(waits -> waits.claim.id().equals(claim.id()));
        if (known) {
            held.removeIf(this::ended);
            serve(claim, false);
        }
        return known;
    }

    boolean isAlive(Claim claim) {
        return find(claim.id()).filter(holder -> !ended(holder)).isPresent()
                || line.stream().anyMatch(waits -> waits.claim.id().equals(claim.id()) && !ended(waits));
    }

    RenewResult renew(Renewal renewal) {
        ClaimId id = renewal.claim().id();
        if (find(id).filter(holder -> !ended(holder)).isEmpty()) {
            return new RenewResult.Gone();
        }
        extend(id, renewal.lease());
        return new RenewResult.Renewed(left(find(id).orElseThrow()));
    }

    Optional<ResourceView> inspect(Resource resource) {
        List<ResourceView.Holder> holders = held.stream()
                .filter(holder -> !ended(holder))
                .sorted(Comparator.comparingLong(Held::untilNanos).thenComparingLong(Held::firstToken))
                .map(holder -> new ResourceView.Holder(
                        holder.claim.id(),
                        holder.claim.weight(),
                        holder.firstToken + holder.claim.tokens() - 1,
                        left(holder),
                        holder.claim.label()))
                .toList();
        List<ResourceView.Waiting> waiting = line.stream()
                .filter(waits -> !ended(waits))
                .map(waits -> new ResourceView.Waiting(waits.claim.id(), waits.claim.weight(), waits.claim.label()))
                .toList();
        return holders.isEmpty() && waiting.isEmpty()
                ? Optional.empty()
                : Optional.of(
                        new ResourceView(new Resource(resource.kind(), resource.name(), capacity), holders, waiting));
    }

    /** Who was told of a hand-over since the last question. */
    List<ClaimId> takeTold() {
        List<ClaimId> taken = List.copyOf(told);
        told.clear();
        return taken;
    }

    private void serve(Claim asking, boolean answered) {
        while (!line.isEmpty() && (ended(line.get(0)) || fits(line.get(0).claim))) {
            Waits first = line.remove(0);
            boolean asks = answered && first.claim.id().equals(asking.id());
            if (asks) {
                grant(first.claim, first.claim.lease());
            } else if (!ended(first)) {
                Duration three = Duration.ofSeconds(3);
                grant(first.claim, first.claim.lease().compareTo(three) < 0 ? first.claim.lease() : three);
                told.add(first.claim.id());
            }
        }
    }

    private void grant(Claim claim, Duration lease) {
        long first = Math.max(lastToken + 1, wallMicros);
        lastToken = first + claim.tokens() - 1;
        held.add(new Held(claim, first, nowNanos + lease.toNanos()));
    }

    private void extend(ClaimId id, Duration lease) {
        held.replaceAll(holder -> holder.claim.id().equals(id)
                ? new Held(holder.claim, holder.firstToken, Math.max(holder.untilNanos, nowNanos + lease.toNanos()))
                : holder);
    }

    private boolean fits(Claim claim) {
        int used = held.stream().mapToInt(holder -> holder.claim.weight()).sum();
        return claim.weight() == 0 ? used == capacity : used + claim.weight() <= capacity;
    }

    private Waits place(Claim claim) {
        return new Waits(claim, nowNanos + Duration.ofSeconds(3).toNanos());
    }

    private int placeOf(Claim claim) {
        return line.stream().map(waits -> waits.claim.id()).toList().indexOf(claim.id()) + 1;
    }

    private Optional<Held> find(ClaimId id) {
        return held.stream().filter(holder -> holder.claim.id().equals(id)).findFirst();
    }

    private Duration soonestEnd() {
        return held.stream()
                .min(Comparator.comparingLong(Held::untilNanos))
                .map(this::left)
                .orElse(Duration.ofSeconds(3));
    }

    private Duration left(Held holder) {
        return Duration.ofNanos(holder.untilNanos - nowNanos);
    }

    private boolean ended(Held holder) {
        return holder.untilNanos <= nowNanos;
    }

    private boolean ended(Waits waits) {
        return waits.untilNanos <= nowNanos;
    }
}
