package io.holdfast.simulation;

import io.holdfast.Fairness;
import io.holdfast.LockKind;
import io.holdfast.simulation.Stats.Sharing;
import io.holdfast.spi.Resource;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * Who has what of one resource, in true time. Checks exclusion and the order of tokens.
 *
 * <p>A lease counts from its hand-out until it is closed, until its own deadline passes or until it is told lost,
 * whichever comes first, exactly as {@link io.holdfast.Lease#isValid()} would say at that instant. So two leases
 * overlap if and only if there is an instant at which both would answer yes.
 */
final class ResourceLedger {
    private final SimWorld world;
    private final Resource resource;
    private final List<SimLease> open = new ArrayList<>();
    private final Set<Long> tokens = new HashSet<>();
    private final Map<Integer, Long> endedByWeight = new TreeMap<>();
    private final Map<Integer, Long> givenByWeight = new TreeMap<>();
    private final Set<String> claims = new HashSet<>();
    private int waiting;
    private long progressNanos;

    ResourceLedger(SimWorld world, Resource resource) {
        this.world = world;
        this.resource = resource;
    }

    Resource resource() {
        return resource;
    }

    /** Somebody begins to wait. */
    void asked() {
        waiting++;
    }

    /**
     * A token that is smaller than the one somebody gets who asks from now on for so much. Whoever may share what its
     * client holds only comes after those that it cannot be there together with.
     */
    long floor(int weight, Fairness fairness) {
        boolean shares = resource.kind() != LockKind.LOCK && fairness == Fairness.THROUGHPUT;
        long floor = Long.MIN_VALUE;
        for (Map.Entry<Integer, Long> given : givenByWeight.entrySet()) {
            if (!shares || excludes(given.getKey(), weight)) {
                floor = Math.max(floor, given.getValue());
            }
        }
        return floor;
    }

    void answered() {
        waiting--;
        progressNanos = world.now();
    }

    int waiting() {
        return waiting;
    }

    /** When something last went on here. */
    long progressNanos() {
        return progressNanos;
    }

    /** @param floor what {@link #floor} returned when this lease was asked for */
    void handedOut(SimLease fresh, long floor) {
        progressNanos = world.now();
        forgetThoseThatAreOver();
        if (!tokens.add(fresh.token())) {
            world.violated(Rule.TOKEN_ORDER, fresh + " has a token that was given before");
        }
        // A process can be paused just before its user gets the lease. It may then be handed out invalid, and no rule
        // is about such a lease.
        if (fresh.isValidNow()) {
            compare(fresh, floor);
        }
        givenByWeight.merge(fresh.weight(), fresh.token(), Math::max);
        countSharing(fresh);
        open.add(fresh);
        check();
    }

    private void countSharing(SimLease fresh) {
        boolean known = !claims.add(fresh.lease().id());
        boolean joined = open.stream()
                .anyMatch(other -> other.isValidNow()
                        && other.lease().id().equals(fresh.lease().id()));
        if (known && resource.kind() != LockKind.LOCK) {
            fresh.stats().gotShare(joined ? Sharing.JOINED : Sharing.PASSED_ON);
        }
    }

    private void compare(SimLease fresh, long floor) {
        if (fresh.token() <= floor) {
            world.violated(
                    Rule.TOKEN_ORDER,
                    fresh + " was asked for after a lease with the token " + floor + " was handed out");
        }
        endedByWeight.forEach((weight, token) -> {
            if (excludes(weight, fresh.weight()) && token >= fresh.token()) {
                world.violated(Rule.TOKEN_ORDER, fresh + " comes after a lease with the token " + token);
            }
        });
        for (SimLease other : open) {
            if (!other.isValidNow() && excludes(other.weight(), fresh.weight()) && other.token() >= fresh.token()) {
                world.violated(Rule.TOKEN_ORDER, fresh + " comes after " + other);
            }
        }
    }

    private boolean excludes(int one, int other) {
        return one + other > resource.capacity();
    }

    /** Looks whether there is too much of it in use at this instant. */
    void check() {
        if (open.size() < 2) {
            return;
        }
        long used = 0;
        for (SimLease lease : open) {
            if (lease.isValidNow()) {
                used += lease.weight();
            }
        }
        if (used > resource.capacity()) {
            world.violated(
                    Rule.EXCLUSION,
                    "of " + resource.capacity() + " of " + resource.name() + ", " + used + " are held: "
                            + open.stream().filter(SimLease::isValidNow).toList());
        }
    }

    /** Looks whether all were told of what is over. */
    void checkTold(long toleranceNanos) {
        forgetThoseThatAreOver();
        for (SimLease lease : open) {
            if (lease.isOverslept(toleranceNanos)) {
                world.violated(Rule.LOSS_IS_TOLD, lease + " is past its deadline and nobody was told");
            }
        }
    }

    private void forgetThoseThatAreOver() {
        for (int i = open.size() - 1; i >= 0; i--) {
            SimLease lease = open.get(i);
            if (lease.isOver()) {
                if (lease.isTakenAway()) {
                    world.violated(Rule.LOST_IS_FINAL, lease + " was closed, and not by its user");
                }
                open.remove(i);
                endedByWeight.merge(lease.weight(), lease.token(), Math::max);
            }
        }
    }
}
