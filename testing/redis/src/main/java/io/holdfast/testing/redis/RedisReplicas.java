package io.holdfast.testing.redis;

import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;

/**
 * A master and replicas that nobody watches: failing over is up to the test.
 *
 * <p>Each replica reaches its master through a {@link FaultProxy}, so that replication can be cut or held up while
 * clients still reach both. Thread-safe.
 */
public final class RedisReplicas implements AutoCloseable {
    private final RedisServer master;
    private final List<RedisServer> replicas = new ArrayList<>();
    private final List<FaultProxy> links = new ArrayList<>();

    private RedisReplicas(RedisServer master) {
        this.master = master;
    }

    /** A master and that many replicas, all in step. */
    public static RedisReplicas start(RedisVersion version, int count) {
        return start(version, count, server -> server);
    }

    /** The same; every server is made the way the last argument says. */
    public static RedisReplicas start(RedisVersion version, int count, UnaryOperator<RedisServerBuilder> options) {
        RedisReplicas pair =
                new RedisReplicas(options.apply(RedisServer.builder(version)).start());
        try {
            for (int i = 0; i < count; i++) {
                FaultProxy link = FaultProxy.to(pair.master);
                pair.links.add(link);
                pair.replicas.add(options.apply(RedisServer.builder(version))
                        .replicaOf(link.host(), link.port())
                        .start());
            }
            pair.awaitReplicas();
            return pair;
        } catch (RuntimeException e) {
            pair.close();
            throw e;
        }
    }

    /** The server that began as master. */
    public RedisServer master() {
        return master;
    }

    /** The servers that began as replicas. */
    public List<RedisServer> replicas() {
        return List.copyOf(replicas);
    }

    /** The way from a replica to its master. */
    public FaultProxy link(RedisServer replica) {
        return links.get(replicas.indexOf(replica));
    }

    /** Waits until all replicas are connected to their master. */
    public void awaitReplicas() {
        Await.until("the replicas follow " + master, () -> replicas.stream().allMatch(RedisServer::isLinkUp));
    }

    /** Waits until all replicas have what the master has. */
    public void awaitInStep() {
        awaitReplicas();
        Await.until("the replicas are in step with " + master, () -> {
            String offset = master.info("replication").get("master_repl_offset");
            return replicas.stream()
                    .allMatch(replica -> String.valueOf(offset)
                            .equals(replica.info("replication").get("slave_repl_offset")));
        });
    }

    /** Ends replication: the connections break, and none comes up. Returns once all replicas know. */
    public void cutReplication() {
        links.forEach(FaultProxy::refuse);
        links.forEach(FaultProxy::reset);
        Await.until("the replicas have lost " + master, () -> replicas.stream().noneMatch(RedisServer::isLinkUp));
    }

    /** Holds replication up: from now on nothing reaches the replicas, and neither side notices for a while. */
    public void stallReplication() {
        links.forEach(FaultProxy::cutReplies);
    }

    /** Lets replication go on; replicas catch up with their master. */
    public void healReplication() {
        links.forEach(FaultProxy::heal);
        awaitReplicas();
    }

    /** Makes a replica a master of its own, for good. The former master is not told. */
    public void promote(RedisServer replica) {
        replica.command("REPLICAOF", "NO", "ONE");
        replica.command("CONFIG", "REWRITE");
    }

    @Override
    public void close() {
        List<AutoCloseable> all = new ArrayList<>(replicas);
        all.addAll(links);
        all.add(master);
        Closing.all(all);
    }
}
