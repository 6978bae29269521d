package io.holdfast.redis.settings;

import io.holdfast.LockStoreException;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The options of a client, checked.
 *
 * @param prefix the start of every key and channel
 * @param clientName for people, or null
 * @param requestTimeout how long one request may take
 * @param time the clocks
 * @param isStrict whether a server that may have forgotten something grants nothing new for a while
 * @param longestLease the longest lease that a guarded server gives
 * @param replicas how many replicas must have a grant, or zero
 * @param replicasTimeout how long to wait for them
 * @param acceptsEviction whether a server may evict keys
 * @param startsEmpty whether the user declares that nobody holds anything on a guarded server
 * @param whenDown who is told that a client was opened although nobody answers; null if that fails the opening
 * @param members how many servers vote, or zero for a server that does not; a member may be down at first, and never
 *     takes over as a replica
 */
public record RedisSettings(
        String prefix,
        @Nullable String clientName,
        Duration requestTimeout,
        Timing time,
        boolean isStrict,
        Duration longestLease,
        int replicas,
        Duration replicasTimeout,
        boolean acceptsEviction,
        boolean startsEmpty,
        @Nullable Consumer<? super LockStoreException> whenDown,
        int members) {

    public RedisSettings {
        OptionRange.prefix(prefix);
        if (clientName != null) {
            OptionRange.clientName(clientName);
        }
        OptionRange.timeout("requestTimeout", requestTimeout);
        OptionRange.timeout("timeout of replicas", replicasTimeout);
        OptionRange.lease("longestLease", longestLease);
    }

    /**
     * How long a replaced master may go on writing because it does not know: {@code min-replicas-max-lag}, which is 10
     * s by default; two seconds more, because Redis counts whole seconds and checks once a second; and one for messages
     * under way and drifting clocks.
     */
    public static final Duration CUT_OFF = Duration.ofSeconds(10 + 2 + 1);

    /** How long an unused mark is kept. That is long, because a missing mark means that the server forgot something. */
    public static final Duration MARK_LIFE = Duration.ofDays(30);

    /** The same settings for one of several servers that vote. */
    public RedisSettings asMember(int members) {
        return with(true, members);
    }

    /** The same settings without a guard. */
    public RedisSettings unguarded() {
        return with(false, 0);
    }

    private RedisSettings with(boolean strict, int otherMembers) {
        return new RedisSettings(
                prefix,
                clientName,
                requestTimeout,
                time,
                strict,
                longestLease,
                replicas,
                replicasTimeout,
                acceptsEviction,
                startsEmpty,
                whenDown,
                otherMembers);
    }

    /** After a longer one a guarded server would open again before it has ended. */
    public Optional<Duration> leaseLimit() {
        return isStrict ? Optional.of(longestLease) : Optional.empty();
    }

    /** Whether a client is opened although nobody answers. */
    public boolean mayBeDown() {
        return whenDown != null;
    }

    public boolean isMember() {
        return members > 0;
    }

    /** How long a server that may have forgotten something grants nothing new. */
    public Duration shutTime() {
        return longestLease.plus(longestLease.dividedBy(100)).plus(isMember() ? Duration.ofSeconds(1) : CUT_OFF);
    }

    /** Members have a key of their own, because they are shut for a different time. */
    public String markKey() {
        return prefix + (isMember() ? ":member" : ":guard");
    }

    /** The key of the mark on a server with this hash tag, which may be empty. */
    public String markKey(String tag) {
        return markKey() + (tag.isEmpty() ? "" : ":" + tag);
    }

    /** How long after a takeover the earlier server may still hand on what has ended there. */
    public Duration cutOff() {
        return CUT_OFF;
    }

    public String channelPrefix() {
        return prefix + ":client:";
    }
}
