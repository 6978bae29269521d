package io.holdfast.redis;

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
        boolean startsEmpty) {

    /** What a lease may outlive the server's idea of it by, and what a cut-off master needs to notice: Redis' default. */
    private static final Duration REPLICA_LAG = Duration.ofSeconds(10);

    boolean isStrict() {
        return safety == Safety.STRICT;
    }

    /** How long a server that may have forgotten grants nothing new. */
    Duration shutTime() {
        return longestLease.plus(longestLease.dividedBy(100)).plus(REPLICA_LAG).plusSeconds(1);
    }

    /**
     * The shortest lease that its holder may take along to a server that took over. A shorter one may have ended, and been handed on, by
     * a cut-off master that did not know yet that it was cut off.
     */
    Duration shortestReassertable() {
        return REPLICA_LAG.plusSeconds(2).multipliedBy(3).dividedBy(2);
    }

    String channelPrefix() {
        return prefix + ":client:";
    }
}
