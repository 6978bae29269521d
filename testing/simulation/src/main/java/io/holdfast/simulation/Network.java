package io.holdfast.simulation;

import io.holdfast.spi.ClaimId;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Everything between the clients and the store: decides what becomes of requests and of messages. */
final class Network {
    private static final List<FaultKind> CALL_FAULTS = List.of(
            FaultKind.LOST_REQUEST,
            FaultKind.LOST_REPLY,
            FaultKind.LOST_REPLY,
            FaultKind.LATE_REQUEST,
            FaultKind.LATE_REQUEST,
            FaultKind.DUPLICATE_REQUEST,
            FaultKind.REFUSAL);
    private static final List<FaultKind> PUSH_FAULTS =
            List.of(FaultKind.PUSH_LOST, FaultKind.PUSH_LATE, FaultKind.PUSH_TWICE);
    private static final long LONGEST_PUSH_DELAY_NANOS = 5 * SimWorld.SECOND;

    private final SimWorld world;
    private final Profile.Wire wire;
    private final Stats stats;
    private final Map<Integer, Long> cutUntilNanos = new HashMap<>();
    private final Set<ClaimId> duplicated = new HashSet<>();
    private final Map<ClaimId, Integer> underWay = new HashMap<>();
    private long downUntilNanos;
    private long stalledUntilNanos;

    Network(SimWorld world, Profile profile, Stats stats) {
        this.world = world;
        this.wire = profile.wire();
        this.stats = stats;
    }

    void cut(SimProcess process, long nanos) {
        cutUntilNanos.put(process.index(), world.now() + nanos);
    }

    void down(long nanos) {
        downUntilNanos = Math.max(downUntilNanos, world.now() + nanos);
    }

    /** The store stops for a while, and then executes what has come in meanwhile. */
    void stall(long nanos) {
        stalledUntilNanos = Math.max(stalledUntilNanos, world.now() + nanos);
    }

    boolean isDown() {
        return downUntilNanos > world.now();
    }

    void heal() {
        cutUntilNanos.clear();
        downUntilNanos = 0;
        stalledUntilNanos = 0;
    }

    boolean isCut(SimProcess process) {
        return isDown() || cutUntilNanos.getOrDefault(process.index(), 0L) > world.now();
    }

    /**
     * Remembers that a request of a claim is executed twice, the second time perhaps after everything else about the
     * claim.
     */
    void duplicated(ClaimId claim) {
        duplicated.add(claim);
    }

    boolean isDuplicated(ClaimId claim) {
        return duplicated.contains(claim);
    }

    /** Whether a request of the claim was sent and may still be executed. */
    boolean isUnderWay(ClaimId claim) {
        return underWay.containsKey(claim);
    }

    boolean isQuiet() {
        return underWay.isEmpty();
    }

    /** The store executes a request after some time, whatever has become of the sender. */
    void later(ClaimId claim, long afterNanos, Runnable execution) {
        underWay.merge(claim, 1, Integer::sum);
        world.post(null, world.now() + afterNanos, () -> {
            underWay.computeIfPresent(claim, (same, count) -> count == 1 ? null : count - 1);
            execution.run();
        });
    }

    /**
     * @param patienceNanos when the caller gives up
     * @param latestNanos when at the latest a request may be executed
     */
    Fate fate(SimProcess process, Rng rng, long patienceNanos, long latestNanos) {
        long failsAfter = Math.min(patienceNanos, latestNanos);
        if (isCut(process)) {
            stats.count(FaultKind.CUT_CALL);
            return new Fate(Fate.NEVER, Fate.NEVER, Fate.NEVER, failsAfter(rng, failsAfter), false);
        }
        if (stalledUntilNanos > world.now()) {
            return behindStall(rng, failsAfter, latestNanos);
        }
        if (stats.isFaulty() && rng.chance(wire.faulty())) {
            return bad(rng, failsAfter, latestNanos);
        }
        long arrivesAfter = tripNanos(rng);
        long repliesAfter = tripNanos(rng);
        if (stats.isFaulty() && rng.chance(wire.slow())) {
            stats.count(FaultKind.SLOW_CALL);
            arrivesAfter = rng.below(failsAfter);
            repliesAfter = rng.below(failsAfter);
        }
        return new Fate(arrivesAfter, repliesAfter, Fate.NEVER, failsAfter, false);
    }

    private Fate bad(Rng rng, long failsAfter, long latestNanos) {
        FaultKind kind = rng.pick(CALL_FAULTS);
        stats.count(kind);
        long soon = tripNanos(rng);
        long fails = failsAfter(rng, failsAfter);
        return switch (kind) {
            case LOST_REPLY -> new Fate(soon, Fate.NEVER, Fate.NEVER, fails, false);
            case LATE_REQUEST -> new Fate(rng.below(latestNanos), Fate.NEVER, Fate.NEVER, fails, false);
            case DUPLICATE_REQUEST -> new Fate(soon, tripNanos(rng), rng.below(latestNanos), failsAfter, false);
            case REFUSAL -> new Fate(soon, tripNanos(rng), Fate.NEVER, failsAfter, true);
            default -> new Fate(Fate.NEVER, Fate.NEVER, Fate.NEVER, fails, false);
        };
    }

    /** Whether one of the claims of a renewal, and only that one, meets trouble. */
    boolean isHalfRenewed(Rng rng) {
        boolean half = stats.isFaulty() && rng.chance(wire.faulty() / 3);
        if (half) {
            stats.count(FaultKind.HALF_RENEWED);
        }
        return half;
    }

    private Fate behindStall(Rng rng, long failsAfter, long latestNanos) {
        stats.count(FaultKind.SLOW_CALL);
        long arrivesAfter = stalledUntilNanos - world.now() + rng.below(SimWorld.MILLI);
        boolean executed = arrivesAfter < latestNanos;
        return new Fate(executed ? arrivesAfter : Fate.NEVER, tripNanos(rng), Fate.NEVER, failsAfter, false);
    }

    /** A connection that breaks is noticed at once, one that hangs only by the time-out. */
    private static long failsAfter(Rng rng, long timeoutNanos) {
        return rng.chance(5_000) ? Math.min(timeoutNanos, tripNanos(rng)) : timeoutNanos;
    }

    private static long tripNanos(Rng rng) {
        long kind = rng.below(100);
        if (kind < 50) {
            return 0;
        }
        return kind < 90 ? rng.below(300 * SimWorld.MICRO) : rng.below(2 * SimWorld.MILLI);
    }

    /** When a message arrives, once for each time. */
    long[] pushes(SimProcess process, Rng rng) {
        if (isCut(process)) {
            stats.count(FaultKind.PUSH_LOST);
            return new long[0];
        }
        long soon = tripNanos(rng) + rng.below(100 * SimWorld.MICRO);
        if (!stats.isFaulty() || !rng.chance(wire.pushes())) {
            return new long[] {soon};
        }
        FaultKind kind = rng.pick(PUSH_FAULTS);
        stats.count(kind);
        long late = rng.below(rng.chance(5_000) ? LONGEST_PUSH_DELAY_NANOS : 50 * SimWorld.MILLI);
        return switch (kind) {
            case PUSH_LOST -> new long[0];
            case PUSH_LATE -> new long[] {late};
            default -> new long[] {soon, late};
        };
    }
}
