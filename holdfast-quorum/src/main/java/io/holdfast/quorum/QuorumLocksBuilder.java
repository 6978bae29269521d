package io.holdfast.quorum;

import io.holdfast.DurationText;
import io.holdfast.Finding;
import io.holdfast.LockClient;
import io.holdfast.LockOptions;
import io.holdfast.redis.RedisLocks;
import io.holdfast.redis.RedisLocksBuilder;
import io.holdfast.redis.RedisMember;
import io.holdfast.spi.LockBackend;
import io.holdfast.spi.TimeSource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.UnaryOperator;

/**
 * The options of a client on a quorum of Redis servers. Each method returns this.
 *
 * <p><b>Failures.</b> {@link IllegalArgumentException} for an option out of its range, at {@link #connect} at the
 * latest; {@link io.holdfast.LockStoreException} when too few nodes can be reached, or one cannot be used.
 *
 * <p><b>Threads.</b> For one thread.
 *
 * @since 0.1
 */
public final class QuorumLocksBuilder {
    private static final Duration SHORTEST_TIMEOUT = Duration.ofMillis(5);
    private static final Duration LONGEST_TIMEOUT = Duration.ofSeconds(10);

    private final List<String> urls;
    private Duration nodeTimeout = Duration.ofMillis(250);
    private Duration longestLease = Duration.ofMinutes(1);
    private boolean startsEmpty;
    private LockOptions defaults = LockOptions.defaults();
    private Duration deadlockDelay = QuorumLocks.defaultDeadlockDelay();
    private UnaryOperator<RedisLocksBuilder> node = UnaryOperator.identity();

    QuorumLocksBuilder(List<String> urls) {
        this.urls = List.copyOf(urls);
    }

    /**
     * Sets how long to wait for one node. A node that takes longer counts as down until it answers again, and delays
     * nobody in the meantime.
     *
     * @param timeout from 5 milliseconds to 10 seconds; a quarter of a second if not set
     * @return this
     */
    public QuorumLocksBuilder nodeTimeout(Duration timeout) {
        this.nodeTimeout = Objects.requireNonNull(timeout, "timeout");
        return this;
    }

    /**
     * Sets the longest lease that any client may ask for. A node that may have forgotten something grants nothing for
     * that long. Must be the same in every client.
     *
     * @param lease a minute if not set
     * @return this
     */
    public QuorumLocksBuilder longestLease(Duration lease) {
        this.longestLease = Objects.requireNonNull(lease, "lease");
        return this;
    }

    /**
     * Returns the longest lease that anybody may ask for.
     *
     * @return what {@link #longestLease(Duration)} says
     */
    public Duration leaseLimit() {
        return longestLease;
    }

    /**
     * Declares that nobody holds anything, so new nodes need not wait. Only for the first client of a new installation:
     * if it is not true, two clients may get one lock. A node that was marked by an earlier process still waits.
     *
     * @return this
     */
    public QuorumLocksBuilder startEmpty() {
        this.startsEmpty = true;
        return this;
    }

    /**
     * Sets how long somebody waits before this client looks for a deadlock, and about how often it looks.
     *
     * @param delay 250 ms to a minute, or zero to look for none; a second if not set
     * @return this
     */
    public QuorumLocksBuilder deadlockDelay(Duration delay) {
        this.deadlockDelay = QuorumLocks.checkedDeadlockDelay(delay);
        return this;
    }

    /**
     * Sets the options of locks for which none are given.
     *
     * @param defaults the options
     * @return this
     */
    public QuorumLocksBuilder defaults(LockOptions defaults) {
        this.defaults = Objects.requireNonNull(defaults, "defaults");
        return this;
    }

    /**
     * Sets how each node is connected to: prefix, TLS, client name, pool. The quorum itself sets safety, longest lease
     * and emptiness.
     *
     * @param node changes the options of one node
     * @return this
     */
    public QuorumLocksBuilder eachNode(UnaryOperator<RedisLocksBuilder> node) {
        this.node = Objects.requireNonNull(node, "node");
        return this;
    }

    /**
     * Opens the client.
     *
     * @return the client, to be closed
     */
    public LockClient connect() {
        return QuorumLocks.start(backend(TimeSource.system()), defaults, deadlockDelay);
    }

    /**
     * Examines every node by itself, as {@link RedisLocksBuilder#examine()} does. A majority may be well although some
     * findings are not.
     *
     * @return what was found, node by node
     * @throws IllegalArgumentException if a URL or an option makes no sense
     */
    public List<Finding> examine() {
        List<Finding> findings = new ArrayList<>();
        urls.forEach(url -> findings.addAll(member(url).examine()));
        return findings;
    }

    /**
     * Makes the backend without a client, for code that uses the engine directly.
     *
     * @return a backend that was not started
     */
    public LockBackend newBackend() {
        return newBackend(TimeSource.system());
    }

    /**
     * Makes the backend without a client on it, with clocks that the caller provides.
     *
     * @param clocks those of the engine on it
     * @return a backend that was not started
     */
    public LockBackend newBackend(TimeSource clocks) {
        return backend(Objects.requireNonNull(clocks, "clocks"));
    }

    QuorumBackend backend(TimeSource clocks) {
        if (nodeTimeout.compareTo(SHORTEST_TIMEOUT) < 0 || nodeTimeout.compareTo(LONGEST_TIMEOUT) > 0) {
            throw new IllegalArgumentException("nodeTimeout is " + DurationText.of(nodeTimeout) + ", expected from "
                    + DurationText.of(SHORTEST_TIMEOUT) + " to " + DurationText.of(LONGEST_TIMEOUT));
        }
        List<LockBackend> members = new ArrayList<>();
        List<String> labels = new ArrayList<>();
        for (String url : urls) {
            members.add(member(url).newBackend(clocks));
            labels.add(label(url));
        }
        return new QuorumBackend(members, labels, nodeTimeout, clocks);
    }

    private RedisMember member(String url) {
        RedisLocksBuilder builder =
                node.apply(RedisLocks.builder(url).connectTimeout(nodeTimeout)).longestLease(longestLease);
        return RedisMember.of(startsEmpty ? builder.startEmpty() : builder, urls.size());
    }

    /** The URL without its secrets. */
    private static String label(String url) {
        int at = url.lastIndexOf('@');
        int scheme = url.indexOf("://");
        return at < 0 ? url : url.substring(0, scheme + 3) + url.substring(at + 1);
    }
}
