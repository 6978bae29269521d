package io.holdfast.quorum;

import io.holdfast.LockClient;
import io.holdfast.LockOptions;
import io.holdfast.engine.LockEngine;
import io.holdfast.spi.LockBackend;
import io.holdfast.spi.TimeSource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * Opens clients whose locks live on a majority of independent servers: what Redlock is for.
 *
 * <p><b>Guarantees.</b> All that {@link LockClient} promises, while fewer than half of the nodes are down, cut off,
 * slow, restarted or emptied. Tokens grow from holder to holder, whatever the nodes' clocks say. After nodes forget,
 * they still do if the clocks differ by less than the longest lease. A lock and its release are one round trip each, to
 * all nodes at once.
 *
 * <p><b>Not guaranteed.</b> A node whose clock jumps forward ends leases early. A holder on all nodes survives as many
 * such nodes as may be down. A semaphore of k permits needs more nodes than a lock: {@code n · k / (k + 1)}, rounded
 * down, plus one. {@code docs/quorum.md} has the whole table.
 *
 * <p><b>Threads.</b> Safe for use by any number of threads.
 *
 * <p><b>Failures.</b> {@link io.holdfast.LockStoreException} when too few nodes answer, naming each node and the
 * reason; {@link io.holdfast.LockRefusedException} while nodes that may have forgotten something wait until old leases
 * have ended; {@link IllegalArgumentException} for an even number of nodes, fewer than three, or one server named
 * twice.
 *
 * <pre>{@code
 * try (LockClient locks = QuorumLocks.connect(List.of("redis://a:6379", "redis://b:6379", "redis://c:6379"))) {
 *     try (Lease lease = locks.lock("order:42").acquire()) {
 *         ship(lease.token());
 *     }
 * }
 * }</pre>
 *
 * @since 0.1
 */
public final class QuorumLocks {
    private static final int LEAST_NODES = 3;
    private static final int MOST_NODES = 9;

    private QuorumLocks() {}

    /**
     * Opens a client with the default options.
     *
     * @param urls one {@code redis://host:port} for each node, in the same order in every client; an odd number, at
     *     least three
     * @return the client, to be closed
     */
    public static LockClient connect(List<String> urls) {
        return builder(urls).connect();
    }

    /**
     * Begins a client with options.
     *
     * @param urls as for {@link #connect}
     * @return a builder
     */
    public static QuorumLocksBuilder builder(List<String> urls) {
        checkNumber(urls.size());
        return new QuorumLocksBuilder(urls);
    }

    /**
     * Opens a client over nodes of any kind, with the default options. Each backend must guard itself against
     * forgetting, as the one of {@code RedisMember} does; a memory store is for tests.
     *
     * @param nodes backends that were not started, an odd number, at least three; closed with the client
     * @return the client, to be closed
     */
    public static LockClient over(List<? extends LockBackend> nodes) {
        return over(nodes, LockOptions.defaults());
    }

    /**
     * Opens a client over nodes of any kind, as {@link #over(List)} does.
     *
     * @param nodes backends that were not started, an odd number, at least three; closed with the client
     * @param defaults the options of locks for which none are given
     * @return the client, to be closed
     */
    public static LockClient over(List<? extends LockBackend> nodes, LockOptions defaults) {
        return LockEngine.start(backendOver(nodes, TimeSource.system()), Objects.requireNonNull(defaults, "defaults"));
    }

    static QuorumBackend backendOver(List<? extends LockBackend> nodes, TimeSource clocks) {
        checkNumber(nodes.size());
        List<String> labels = new ArrayList<>();
        for (int i = 0; i < nodes.size(); i++) {
            Objects.requireNonNull(nodes.get(i), "node");
            labels.add("node " + (i + 1));
            if (nodes.indexOf(nodes.get(i)) < i) {
                throw new IllegalArgumentException(
                        "node " + (i + 1) + " is given twice; each needs a backend of its own");
            }
            if (!nodes.get(i).raisesTokens()) {
                throw new IllegalArgumentException("node " + (i + 1) + ", " + nodes.get(i)
                        + ", gives tokens that cannot be raised, so that a majority could never agree on one; use"
                        + " stores whose LockBackend.raisesTokens() is true, such as Redis");
            }
        }
        return new QuorumBackend(List.copyOf(nodes), labels, Duration.ofMillis(500), clocks);
    }

    static LockClient start(QuorumBackend backend, LockOptions defaults, Duration deadlockDelay) {
        return LockEngine.start(backend, defaults, deadlockDelay);
    }

    static Duration defaultDeadlockDelay() {
        return LockEngine.DEFAULT_DEADLOCK_DELAY;
    }

    static Duration checkedDeadlockDelay(Duration delay) {
        return LockEngine.checkedDeadlockDelay(delay);
    }

    private static void checkNumber(int nodes) {
        if (nodes < LEAST_NODES || nodes > MOST_NODES || nodes % 2 == 0) {
            throw new IllegalArgumentException("a quorum of " + nodes + " nodes, expected an odd number from "
                    + LEAST_NODES
                    + " to " + MOST_NODES
                    + (nodes % 2 == 0 && nodes > LEAST_NODES
                            ? ": the last one would add cost and no safety, since a majority of " + nodes
                                    + " survives no more losses than one of " + (nodes - 1)
                            : nodes < LEAST_NODES ? ": fewer cannot lose any. For one server use RedisLocks" : ""));
        }
    }
}
