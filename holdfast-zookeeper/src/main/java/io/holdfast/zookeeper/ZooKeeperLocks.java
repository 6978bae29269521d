package io.holdfast.zookeeper;

import io.holdfast.LockClient;

/**
 * Opens clients whose locks live in ZooKeeper, on one server or on an ensemble.
 *
 * <p><b>Guarantees.</b> All that {@link LockClient} promises, while a majority of the ensemble keeps its disk. Each
 * claim is one ephemeral sequential node, and who holds follows from the order of the nodes: nobody writes down that
 * something is granted, so nothing is granted twice. Tokens are the numbers of ZooKeeper's transactions: they grow over
 * all names, new leaders and deleted nodes, whatever clocks say. No wall clock counts anywhere. Once the session of a
 * client has expired, everything that it held is told to be lost.
 *
 * <p><b>Not guaranteed.</b> A lease is never longer than the session carries, which is two thirds of it: see
 * {@link ZooKeeperLocksBuilder#session}. What a client that was killed held is free when its session has expired, not
 * when its lease would have ended. A data folder that was wiped begins with small tokens again; clients notice, log it
 * and lose their leases.
 *
 * <p><b>Connections.</b> One per client, with two threads of ZooKeeper's client and one of Holdfast.
 *
 * <p><b>Threads.</b> Safe for use by any number of threads.
 *
 * <p><b>Failures.</b> {@link io.holdfast.LockStoreException} when ZooKeeper cannot be reached or cannot be used; the
 * message says what to change.
 *
 * <pre>{@code
 * try (LockClient locks = ZooKeeperLocks.connect("a:2181,b:2181,c:2181/app")) {
 *     try (Lease lease = locks.lock("order:42").acquire()) {
 *         ship(lease.token());
 *     }
 * }
 * }</pre>
 *
 * @since 0.1
 */
public final class ZooKeeperLocks {
    private ZooKeeperLocks() {}

    /**
     * Opens a client with the default options.
     *
     * @param connect the servers and perhaps a path, as {@code host:port,host:port/path}; the path is created if it
     *     does not exist
     * @return the client, to be closed
     */
    public static LockClient connect(String connect) {
        return builder(connect).connect();
    }

    /**
     * Begins a client with options.
     *
     * @param connect the servers and perhaps a path, as {@code host:port,host:port/path}
     * @return what to set them on
     */
    public static ZooKeeperLocksBuilder builder(String connect) {
        return new ZooKeeperLocksBuilder(connect);
    }
}
