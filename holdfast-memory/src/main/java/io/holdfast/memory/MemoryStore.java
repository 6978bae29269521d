package io.holdfast.memory;

import io.holdfast.spi.AttemptResult;
import io.holdfast.spi.LockBackend;
import io.holdfast.spi.ResourceView;
import io.holdfast.spi.TimeSource;
import java.time.Duration;
import java.util.Objects;
import java.util.stream.Stream;

/**
 * A store in the memory of this process, shared by any number of clients: the server that the others have far away.
 *
 * <p><b>Guarantees.</b> All rules of {@link LockBackend}. Work on one resource never waits for work on another. Tokens
 * of a name grow even when the store has forgotten the name, when its wall clock is set back, and after {@link
 * #restart}. Only its own clock counts leases; clients may have clocks of their own.
 *
 * <p><b>Not guaranteed.</b> Nothing outlives the process. A lease that ends is noticed by the next attempt or release
 * on the same resource, not by a timer. The place in a long line may count some who have left it.
 *
 * <p><b>Threads.</b> Safe for use by any number of threads, platform or virtual. Has none of its own: a client is told
 * of a hand-over on the thread whose call caused it.
 *
 * <p><b>Failures.</b> None, but {@link AttemptResult.Refused} after a restart that forgot.
 *
 * <pre>{@code
 * MemoryStore store = new MemoryStore();
 * try (LockClient one = MemoryLocks.connect(store);
 *         LockClient other = MemoryLocks.connect(store)) {
 *     Lease lease = one.lock("order:42").acquire();
 *     assert other.lock("order:42").tryAcquire().isEmpty();
 * }
 * }</pre>
 *
 * @since 0.1
 */
public final class MemoryStore {
    /** How long a claim keeps its place in a line without asking again. */
    public static final Duration PLACE_LEASE = ResourceState.PLACE_LEASE;

    /**
     * The lease of a claim that is served while it waits, unless its own is shorter; a dead client costs the others
     * this long.
     */
    public static final Duration GRANT_LEASE = ResourceState.GRANT_LEASE;

    /** How long at least a resource that nobody uses is remembered. */
    public static final Duration RETENTION = Contents.RETENTION;

    private final Contents contents;

    /** Creates an empty store that uses the clocks of the machine. */
    public MemoryStore() {
        this(TimeSource.system());
    }

    /**
     * Creates an empty store.
     *
     * @param time the clocks of the store: the monotonic one counts leases, the wall clock makes tokens
     */
    public MemoryStore(TimeSource time) {
        this(time, new Guard(true));
    }

    private MemoryStore(TimeSource time, Guard guard) {
        this.contents = new Contents(time, guard);
    }

    /**
     * Creates an empty store that grants at once after a restart, even what a client from before still believes to
     * hold. Only for tests that show what the guard is good for.
     *
     * @param time the clocks of the store
     * @return a store whose {@link #restart} is unsafe
     */
    public static MemoryStore withoutGuard(TimeSource time) {
        return new MemoryStore(time, new Guard(false));
    }

    /**
     * Connects a client that runs on the clocks of the machine.
     *
     * @return for one client, which starts and closes it
     */
    public LockBackend connect() {
        return connect(TimeSource.system());
    }

    /**
     * Connects a client.
     *
     * <p>After {@link LockBackend#close()} its waiting claims are passed over, what it holds stays until the lease
     * ends, and its methods throw {@link IllegalStateException}.
     *
     * @param clientTime the clocks of that client, in which it is told when a lease began
     * @return for one client, which starts and closes it
     */
    public LockBackend connect(TimeSource clientTime) {
        return new MemoryBackend(contents, Objects.requireNonNull(clientTime, "clientTime"));
    }

    /**
     * Does what a restart of a server does; for tests. Every client is told that it may have missed messages.
     *
     * <p>A store that forgets drops every holder and every line, and then refuses all claims until the longest lease
     * that it ever gave has passed, because a client that holds one cannot know that it is forgotten. The order of
     * tokens survives.
     *
     * @param forget whether the store comes back empty
     */
    public void restart(boolean forget) {
        contents.restart(forget);
    }

    /** Those that somebody holds or waits for. */
    Stream<ResourceView> list(String namePrefix) {
        return contents.list(namePrefix);
    }

    /** How many resources are remembered, used or not. */
    int size() {
        return contents.size();
    }
}
