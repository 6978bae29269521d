package io.holdfast.redis;

import io.holdfast.LockKind;
import io.holdfast.spi.Resource;
import io.holdfast.spi.UnfitClaimException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What a client was told, checked.
 *
 * @param prefix with which every key and channel begins
 * @param clientName for people, or null
 * @param requestTimeout how long one request may take
 * @param safety what happens after a server may have forgotten
 * @param longestLease the longest lease that a guarded server gives
 * @param replicas how many replicas must have a grant, or zero
 * @param replicasTimeout how long to wait for them
 * @param acceptsEviction whether a server may evict keys
 * @param startsEmpty whether the user says that nobody holds anything on a guarded server
 * @param members of how many servers that vote this is one, or zero: then it may be down at first, and is never a replica's heir
 */
record RedisSettings(
        String prefix,
        @Nullable String clientName,
        Duration requestTimeout,
        Safety safety,
        Duration longestLease,
        int replicas,
        Duration replicasTimeout,
        boolean acceptsEviction,
        boolean startsEmpty,
        int members) {

    /**
     * How long a master that was replaced may go on writing because it does not know: {@code min-replicas-max-lag}, which is 10 s by default; two
     * more, because Redis counts whole seconds and counts once a second; and one for a message on its way and clocks that drift.
     */
    static final Duration CUT_OFF = Duration.ofSeconds(10 + 2 + 1);

    /** How long a mark is kept that nobody looks at. A missing one means that something was forgotten, so that is long. */
    static final Duration MARK_LIFE = Duration.ofDays(30);

    /** The same for one of several servers that vote. */
    RedisSettings asMember(int members) {
        return with(Safety.STRICT, members);
    }

    /** The same without any guard. */
    RedisSettings unguarded() {
        return with(Safety.AVAILABLE, 0);
    }

    private RedisSettings with(Safety otherSafety, int otherMembers) {
        return new RedisSettings(
                prefix,
                clientName,
                requestTimeout,
                otherSafety,
                longestLease,
                replicas,
                replicasTimeout,
                acceptsEviction,
                startsEmpty,
                otherMembers);
    }

    /** Whether a guarded server would open again before such a lease has ended. */
    boolean isTooLong(LockKind kind, Duration lease) {
        return isStrict() && kind != LockKind.LATCH && lease.compareTo(longestLease) > 0;
    }

    UnfitClaimException tooLong(Resource resource, Duration lease) {
        return new UnfitClaimException(
                resource,
                "a lease of " + lease + " for '" + resource.name() + "' is longer than the " + longestLease
                        + " that Safety.STRICT can guard; ask for less, or raise longestLease() in every client");
    }

    boolean isStrict() {
        return safety == Safety.STRICT;
    }

    boolean isMember() {
        return members > 0;
    }

    /** How long a server that may have forgotten grants nothing new. */
    Duration shutTime() {
        return longestLease.plus(longestLease.dividedBy(100)).plus(isMember() ? Duration.ofSeconds(1) : CUT_OFF);
    }

    /** Members have a key of their own: they are shut for another time. */
    String markKey() {
        return prefix + (isMember() ? ":member" : ":guard");
    }

    /** The mark of a server that has this hash tag of its own, or none. */
    String markKey(String tag) {
        return markKey() + (tag.isEmpty() ? "" : ":" + tag);
    }

    /** How long after a server took over the one before it may still hand on what has ended there. */
    Duration cutOff() {
        return CUT_OFF;
    }

    String channelPrefix() {
        return prefix + ":client:";
    }
}
