package io.holdfast.testing.redis;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * A Redis Cluster of three masters, each with some replicas.
 *
 * <p>Nodes are plain {@link RedisServer}s: kill, pause and restart them at will. Who is master of what is asked of the
 * nodes at each call, never remembered. Thread-safe.
 *
 * <p>{@link #startWithFronts With fronts} a node can be parted from the others while all of them live.
 */
public final class RedisCluster implements AutoCloseable {
    private static final int MASTERS = 3;

    /** After which a node that does not answer is taken for dead. */
    public static final String NODE_TIMEOUT_MILLIS = "1500";

    private final List<RedisServer> nodes = new ArrayList<>();
    private final Fronts fronts = new Fronts();

    private RedisCluster() {}

    /** Three masters without replicas. */
    public static RedisCluster start(RedisVersion version) {
        return start(version, 0, node -> node);
    }

    /** Three masters with one replica each. */
    public static RedisCluster startWithReplicas(RedisVersion version) {
        return start(version, 1, node -> node);
    }

    /** Three masters with that many replicas each; every node is made the way the last argument says. */
    public static RedisCluster start(
            RedisVersion version, int replicasPerMaster, UnaryOperator<RedisServerBuilder> options) {
        return start(version, replicasPerMaster, options, false);
    }

    /** The same, with fronts: nodes know each other by the addresses of proxies. */
    public static RedisCluster startWithFronts(
            RedisVersion version, int replicasPerMaster, UnaryOperator<RedisServerBuilder> options) {
        return start(version, replicasPerMaster, options, true);
    }

    private static RedisCluster start(
            RedisVersion version, int replicasPerMaster, UnaryOperator<RedisServerBuilder> options, boolean fronted) {
        RedisCluster cluster = new RedisCluster();
        try {
            for (int i = 0; i < MASTERS * (1 + replicasPerMaster); i++) {
                RedisServerBuilder node = RedisServer.builder(version)
                        .clusterEnabled()
                        .config("cluster-node-timeout", NODE_TIMEOUT_MILLIS)
                        .config("cluster-replica-validity-factor", "0");
                cluster.nodes.add(options.apply(node).start());
            }
            if (fronted) {
                cluster.nodes.forEach(cluster.fronts::openNode);
            }
            cluster.form();
            return cluster;
        } catch (RuntimeException e) {
            cluster.close();
            throw e;
        }
    }

    private void form() {
        for (int i = 0; i < nodes.size(); i++) {
            nodes.get(i).command("CLUSTER", "SET-CONFIG-EPOCH", String.valueOf(i + 1));
            if (i < MASTERS) {
                assign(nodes.get(i), Slots.COUNT * i / MASTERS, Slots.COUNT * (i + 1) / MASTERS);
            }
            if (i > 0) {
                meet(nodes.get(i));
            }
        }
        Await.until(
                "all nodes of the cluster know each other", () -> nodes.stream().allMatch(this::knowsAll));
        for (int i = MASTERS; i < nodes.size(); i++) {
            nodes.get(i).command("CLUSTER", "REPLICATE", id(nodes.get(i % MASTERS)));
        }
        awaitOk();
    }

    private void meet(RedisServer node) {
        String port = String.valueOf(announcedPort(node));
        nodes.get(0).command("CLUSTER", "MEET", node.host(), port, String.valueOf(fronts.busPort(node)));
    }

    /** The port by which the others know this node, and which clients are told. */
    public int announcedPort(RedisServer node) {
        return fronts.port(node);
    }

    /**
     * Parts a node from all others, until {@link #rejoin}; clients that use its own address still reach it. With fronts
     * only.
     *
     * @param silently whether connections of its replicas stay open, and dumb; otherwise they are reset, and new ones
     *     refused
     */
    public void isolate(RedisServer node, boolean silently) {
        fronts.isolate(node, silently);
    }

    /** All reach each other again. */
    public void rejoin() {
        fronts.rejoin();
    }

    private static void assign(RedisServer node, int from, int to) {
        List<String> words = new ArrayList<>(List.of("CLUSTER", "ADDSLOTS"));
        IntStream.range(from, to).mapToObj(String::valueOf).forEach(words::add);
        node.command(words.toArray(String[]::new));
    }

    private boolean knowsAll(RedisServer node) {
        return view(node).stream().filter(ClusterNode::isReady).count() == nodes.size();
    }

    /**
     * Waits until every node that lives finds the cluster whole, all see it alike and replicas follow their masters.
     */
    public void awaitOk() {
        Await.until("the cluster is whole", Await.PATIENCE, this::isWhole, this::views);
    }

    private boolean isWhole() {
        List<RedisServer> living = living();
        Set<String> ids = living.stream().map(RedisCluster::id).collect(Collectors.toSet());
        return living.stream().allMatch(RedisCluster::isWhole)
                && living.stream().map(node -> roles(node, ids)).distinct().count() == 1;
    }

    private List<RedisServer> living() {
        return nodes.stream().filter(RedisServer::isAlive).toList();
    }

    /** What each node has to say, for the report of a wait in vain. */
    private String views() {
        return living().stream()
                .map(node -> "\nseen from " + node.port() + ":\n" + node.command("CLUSTER", "NODES")
                        + node.command("CLUSTER", "INFO"))
                .collect(Collectors.joining());
    }

    private static boolean isWhole(RedisServer node) {
        return "ok".equals(Replies.fields(node.command("CLUSTER", "INFO")).get("cluster_state"))
                && (self(node).isMaster() || node.isLinkUp());
    }

    private static Map<String, String> roles(RedisServer node, Set<String> ids) {
        return view(node).stream()
                .filter(each -> ids.contains(each.id()))
                .collect(Collectors.toMap(ClusterNode::id, each -> each.master() + each.slots()));
    }

    public String uri() {
        return nodes.stream()
                .map(node -> node.host() + ":" + node.port())
                .collect(Collectors.joining(",", "redis-cluster://", ""));
    }

    /** All nodes, first those that began as masters. */
    public List<RedisServer> nodes() {
        return List.copyOf(nodes);
    }

    /** The nodes that are masters now, as far as they know themselves. */
    public List<RedisServer> masters() {
        return nodes.stream().filter(RedisServer::isMaster).toList();
    }

    /** The nodes that follow this one. */
    public List<RedisServer> replicasOf(RedisServer master) {
        String id = id(master);
        return nodes.stream()
                .filter(node ->
                        node != master && node.isAlive() && self(node).master().equals(id))
                .toList();
    }

    /** The slot of a key. */
    public static int slotOf(String key) {
        return Slots.of(key);
    }

    /** The master that has the key's slot. */
    public RedisServer masterOf(String key) {
        return masterOf(slotOf(key));
    }

    /** The master that has the slot: of several that claim it, the one with the latest configuration. */
    public RedisServer masterOf(int slot) {
        return owner(slot).orElseThrow(() -> new IllegalStateException("No node that lives has slot " + slot));
    }

    /** Each node is looked at once: one that is deposed between two looks would be judged by its successor's epoch. */
    private Optional<RedisServer> owner(int slot) {
        Map<RedisServer, ClusterNode> owners = new LinkedHashMap<>();
        for (RedisServer node : masters()) {
            ClusterNode self = self(node);
            if (self.isMaster() && self.owns(slot)) {
                owners.put(node, self);
            }
        }
        return owners.entrySet().stream()
                .max(Comparator.comparingLong(owner -> owner.getValue().epoch()))
                .map(Map.Entry::getKey);
    }

    /** Moves a slot and its keys. */
    public void migrateSlot(int slot, RedisServer from, RedisServer to) {
        beginMigration(slot, from, to);
        moveKeys(slot, from, to);
        finishMigration(slot, from, to);
    }

    /** From now on the old master answers ASK for keys that it does not have. */
    public void beginMigration(int slot, RedisServer from, RedisServer to) {
        to.command("CLUSTER", "SETSLOT", String.valueOf(slot), "IMPORTING", id(from));
        from.command("CLUSTER", "SETSLOT", String.valueOf(slot), "MIGRATING", id(to));
    }

    /** Moves the keys that are in the slot now; returns how many. */
    public int moveKeys(int slot, RedisServer from, RedisServer to) {
        int moved = 0;
        while (true) {
            List<String> keys = Replies.strings(from.command("CLUSTER", "GETKEYSINSLOT", String.valueOf(slot), "100"));
            if (keys.isEmpty()) {
                return moved;
            }
            List<String> words = new ArrayList<>(
                    List.of("MIGRATE", to.host(), String.valueOf(to.port()), "", "0", "5000", "REPLACE", "KEYS"));
            words.addAll(keys);
            from.command(words.toArray(String[]::new));
            moved += keys.size();
        }
    }

    /** Gives the slot to its new master, and waits until every node that lives knows. */
    public void finishMigration(int slot, RedisServer from, RedisServer to) {
        String id = id(to);
        List<RedisServer> order = new ArrayList<>(List.of(to, from));
        masters().stream().filter(node -> node != to && node != from).forEach(order::add);
        order.forEach(node -> node.command("CLUSTER", "SETSLOT", String.valueOf(slot), "NODE", id));
        Await.until(
                "all nodes know who has slot " + slot,
                () -> nodes.stream()
                        .filter(RedisServer::isAlive)
                        .allMatch(node ->
                                view(node).stream().anyMatch(each -> each.id().equals(id) && each.owns(slot))));
    }

    /**
     * Hands over from the master to this replica of it, without loss; returns once the replica is master.
     *
     * <p>Redis forgets the votes for it only after twice the nodes' timeout: a replica that must be elected again
     * before that makes itself master with the old votes and the old epoch, which nobody accepts, and the cluster stays
     * broken.
     */
    public void failover(RedisServer replica) {
        failover(replica, "CLUSTER", "FAILOVER");
    }

    /** Makes this replica a master at once and without asking anyone, as with a master that cannot be reached. */
    public void takeover(RedisServer replica) {
        failover(replica, "CLUSTER", "FAILOVER", "TAKEOVER");
    }

    private static void failover(RedisServer replica, String... command) {
        replica.command(command);
        Await.until(replica + " is master", replica::isMaster);
    }

    /** Waits until another node than this one has the key's slot; returns that node. */
    public RedisServer awaitMasterOtherThan(RedisServer former, String key) {
        int slot = slotOf(key);
        Await.until(
                "another master than " + former,
                () -> owner(slot).filter(owner -> owner != former).isPresent());
        return masterOf(slot);
    }

    private static String id(RedisServer node) {
        return String.valueOf(node.command("CLUSTER", "MYID"));
    }

    private static ClusterNode self(RedisServer node) {
        return view(node).stream().filter(ClusterNode::isMyself).findFirst().orElseThrow();
    }

    private static List<ClusterNode> view(RedisServer node) {
        return ClusterNode.parse(String.valueOf(node.command("CLUSTER", "NODES")));
    }

    @Override
    public void close() {
        List<AutoCloseable> all = new ArrayList<>(nodes);
        all.add(fronts);
        Closing.all(all);
    }
}
