package io.holdfast.simulation;

import io.holdfast.Fairness;
import io.holdfast.LockKind;
import io.holdfast.LockOptions;
import io.holdfast.spi.Resource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** What the users of a run want: which resources there are, how long leases are, what each user does next. */
final class Workload {
    private static final List<Long> LEASE_MILLIS = List.of(100L, 300L, 300L, 1_000L, 1_000L, 4_000L, 10_000L);

    private static final long LONGEST_EXTENSION_MILLIS = 3_000;

    private final SimWorld world;
    private final List<ResourceLedger> ledgers = new ArrayList<>();
    private final List<Duration> leases = new ArrayList<>();
    private final boolean crowds;
    private boolean draining;

    Workload(SimWorld world, Rng rng, Profile profile) {
        this.world = world;
        this.crowds = profile.hasCrowds();
        add(LockKind.LOCK, "m0", 1);
        if (rng.chance(profile.hasViews() ? 7_000 : 3_000)) {
            add(LockKind.LOCK, "m1", 1);
        }
        if (crowds || rng.chance(4_000)) {
            add(LockKind.READ_WRITE, "r0", Resource.ALL_READERS);
        }
        if (crowds || rng.chance(4_000)) {
            add(LockKind.SEMAPHORE, "s0", 2 + rng.below(2));
        }
        leases.add(Duration.ofMillis(rng.pick(LEASE_MILLIS)));
        leases.add(Duration.ofMillis(rng.pick(LEASE_MILLIS)));
    }

    private void add(LockKind kind, String name, int capacity) {
        ledgers.add(new ResourceLedger(world, new Resource(kind, name, capacity)));
    }

    List<ResourceLedger> ledgers() {
        return ledgers;
    }

    /** Of the leases that are asked for, and of what {@code extend} asks for beyond them. */
    long longestLeaseNanos() {
        long longest = LONGEST_EXTENSION_MILLIS * SimWorld.MILLI;
        for (Duration lease : leases) {
            longest = Math.max(longest, lease.toNanos());
        }
        return longest;
    }

    Duration extension(Rng rng) {
        return Duration.ofMillis(rng.between(100, LONGEST_EXTENSION_MILLIS));
    }

    /** No new wishes, and what is held is given back soon. */
    void drain() {
        draining = true;
    }

    boolean isDraining() {
        return draining;
    }

    /** What several of may be locked at once. */
    List<ResourceLedger> mutexes() {
        return of(LockKind.LOCK);
    }

    /** What can be locked and unlocked. */
    ResourceLedger lockable(Rng rng) {
        return rng.pick(of(LockKind.LOCK, LockKind.READ_WRITE));
    }

    private List<ResourceLedger> of(LockKind... kinds) {
        return ledgers.stream()
                .filter(ledger -> List.of(kinds).contains(ledger.resource().kind()))
                .toList();
    }

    ResourceLedger ledger(Rng rng) {
        return rng.pick(crowds && rng.chance(8_000) ? of(LockKind.READ_WRITE, LockKind.SEMAPHORE) : ledgers);
    }

    int weight(Resource resource, Rng rng) {
        return switch (resource.kind()) {
            case READ_WRITE -> rng.chance(3_000) ? resource.capacity() : 1;
            case SEMAPHORE -> crowds && rng.chance(7_000) ? 1 : 1 + rng.below(resource.capacity());
            default -> 1;
        };
    }

    LockOptions options(Rng rng, String label) {
        Duration lease = rng.pick(leases);
        LockOptions options = LockOptions.defaults().label(label);
        options = rng.chance(7_500) ? options.lease(lease) : options.fixedLease(lease);
        if (rng.chance(1_000)) {
            options = options.maxHold(Duration.ofMillis(rng.between(100, 3_000)));
        }
        return rng.chance(crowds ? 1_000 : 4_000) ? options.fairness(Fairness.FIFO) : options;
    }

    /** Half of the leases end by themselves, so that many are lost. */
    LockOptions viewOptions(Rng rng, String label) {
        LockOptions options = options(rng, label);
        return rng.chance(3_000) ? options.fixedLease(options.lease()) : options;
    }

    /** How long a user holds what it got. */
    long holdNanos(Rng rng, LockOptions options) {
        if (draining) {
            return rng.below(20 * SimWorld.MILLI);
        }
        int kind = rng.below(100);
        if (kind < 60) {
            return rng.below(3 * SimWorld.MILLI);
        }
        if (kind < 88) {
            return rng.below(100 * SimWorld.MILLI);
        }
        return rng.below(Math.min(options.lease().toNanos() * 3, 6 * SimWorld.SECOND));
    }

    /** How long a user waits, all told. */
    Duration waitTime(Rng rng) {
        int kind = rng.below(100);
        if (kind < 30) {
            return Duration.ZERO;
        }
        return Duration.ofNanos(
                kind < 70 ? rng.between(1, 150 * SimWorld.MILLI) : rng.between(SimWorld.MILLI, 3 * SimWorld.SECOND));
    }

    /** How long a user thinks before the next wish. */
    long thinkNanos(Rng rng) {
        int kind = rng.below(100);
        if (kind < (crowds ? 75 : 40)) {
            return rng.below(200 * SimWorld.MICRO);
        }
        return kind < 80 ? rng.below(30 * SimWorld.MILLI) : rng.below(800 * SimWorld.MILLI);
    }
}
