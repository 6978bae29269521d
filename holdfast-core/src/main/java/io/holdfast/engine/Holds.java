package io.holdfast.engine;

import io.holdfast.spi.ClaimId;
import io.holdfast.spi.ClientLine;
import io.holdfast.spi.TimeSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What one client has of one resource at a gate: the grants whose leases users have, those that nobody uses just now
 * because the next user is on its way, and those on their way back to the store. Guarded by the gate's mutex.
 */
final class Holds {

    /** How long after the grant somebody else here may still get a lease of it. */
    private static final long COHORT_NANOS = 50 * Deadline.NANOS_PER_MILLI;

    /** For how many times as long as a long section readers keep to claims of their own, and for how long at most. */
    private static final int APART = 10;

    private static final long MOST_APART_NANOS = 60_000 * Deadline.NANOS_PER_MILLI;

    private final TimeSource time;
    private final List<StoreGrant> all = new ArrayList<>(0); // most gates have one at most, and there are many gates

    /** Those that nobody uses and that somebody here was called for. */
    private final List<StoreGrant> idle = new ArrayList<>(0);

    /** The one that users have together who can, the newest if there are several. */
    private @Nullable StoreGrant shared;

    /** Whether a section was long, and until when readers therefore do not come in under a claim of all. */
    private boolean apart;

    private long apartUntilNanos;

    Holds(TimeSource time) {
        this.time = time;
    }

    /** Also those on their way back. */
    List<StoreGrant> all() {
        return all;
    }

    void add(StoreGrant grant) {
        all.add(grant);
    }

    /** False if it was not here. */
    boolean remove(StoreGrant grant) {
        closed(grant);
        return all.remove(grant);
    }

    /** Nobody gets a lease of the grant from now on, unless it is left to others. */
    void closed(StoreGrant grant) {
        idle.remove(grant);
        shared = shared == grant ? null : shared;
    }

    /** Whether all of the resource is here, so that asking the store for more is of no use. */
    boolean hasAll() {
        return whole() != null;
    }

    /** The grant that has all of the resource, or null. */
    @Nullable
    StoreGrant whole() {
        for (StoreGrant grant : all) {
            if (isAll(grant) && !grant.isLost()) {
                return grant;
            }
        }
        return null;
    }

    /** A lease was made of the grant, for somebody who shares it or does not. */
    void used(StoreGrant grant, boolean shares) {
        idle.remove(grant);
        shared = shares ? grant : shared;
    }

    /** Nobody uses the grant any more. */
    void unused(StoreGrant grant) {
        closed(grant);
        idle.add(grant);
    }

    /** Whether there is anything that somebody could be called for. */
    boolean isAnyFree() {
        return shared != null || !idle.isEmpty();
    }

    /** What this waiter may have without asking the store, if it is its turn; or null. */
    @Nullable
    StoreGrant usableBy(Waiter waiter) {
        for (StoreGrant grant : idle) {
            if (fits(waiter, grant)) {
                return grant;
            }
        }
        return waiter.shares && shared != null && fits(waiter, shared) ? shared : null;
    }

    private boolean fits(Waiter waiter, StoreGrant grant) {
        return waiter.request.weight() <= grant.claim().weight()
                && grant.mayPass(COHORT_NANOS)
                && !(waiter.shares && isAll(grant) && isApart());
    }

    private static boolean isAll(StoreGrant grant) {
        return grant.claim().weight() == grant.claim().resource().capacity();
    }

    /**
     * A section took so long. Readers under a claim of all keep every other reader out, so that a long one costs
     * others as much: with this, a tenth of the time at most.
     */
    void sectionTook(long nanos) {
        if (nanos >= COHORT_NANOS) {
            long untilNanos = time.nanoTime() + Math.min(nanos, MOST_APART_NANOS / APART) * APART;
            apartUntilNanos = apart && apartUntilNanos - untilNanos > 0 ? apartUntilNanos : untilNanos;
            apart = true;
        }
    }

    private boolean isApart() {
        apart = apart && time.nanoTime() - apartUntilNanos < 0;
        return apart;
    }

    /** Takes out what nobody uses and none of the waiters may have, of whom this is the first. */
    List<StoreGrant> takeSpent(@Nullable Waiter first, int waiters) {
        List<StoreGrant> spent = List.of();
        int wanted = first == null ? 0 : first.shares ? 1 : waiters;
        for (Iterator<StoreGrant> each = idle.iterator(); each.hasNext(); ) {
            StoreGrant grant = each.next();
            if (first != null && wanted > 0 && fits(first, grant)) {
                wanted--;
            } else {
                each.remove();
                spent = spent.isEmpty() ? new ArrayList<>(1) : spent;
                spent.add(grant);
            }
        }
        return spent;
    }

    /** How many wait for their users to come. */
    int idle() {
        return idle.size();
    }

    /** One that a user has a lease of, or null. */
    private @Nullable StoreGrant anyUsed() {
        for (StoreGrant grant : all) {
            if (!grant.isIdle()) {
                return grant;
            }
        }
        return null;
    }

    /** What the store cannot show of a lock for which so many wait here, or null. */
    @Nullable
    ClientLine unseen(String name, int waiters) {
        StoreGrant held = anyUsed();
        if (held == null) {
            return waiters < 2 ? null : new ClientLine(name, 0, "", waiters - 1);
        }
        return waiters == 0 && !held.isPassedOn()
                ? null
                : new ClientLine(name, held.claim().id().sequence(), label(held), waiters);
    }

    /** Who has them, for people. */
    Map<ClaimId, String> labels() {
        Map<ClaimId, String> labels = new HashMap<>();
        for (StoreGrant grant : all) {
            if (!grant.isIdle()) {
                labels.put(grant.claim().id(), label(grant));
            }
        }
        return labels;
    }

    /** Who has a grant that is not idle: the one that came last, and how many more. */
    private static String label(StoreGrant grant) {
        CurrentLease[] leases = grant.leases();
        String last = leases[leases.length - 1].label();
        return leases.length == 1 ? last : last + " and " + (leases.length - 1) + " more";
    }
}
