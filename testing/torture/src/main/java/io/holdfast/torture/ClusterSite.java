package io.holdfast.torture;

import io.holdfast.Safety;
import io.holdfast.testing.redis.ClockShim;
import io.holdfast.testing.redis.RedisCluster;
import io.holdfast.testing.redis.RedisServer;
import io.holdfast.testing.redis.RedisVersion;
import java.util.List;
import java.util.function.BooleanSupplier;

/** Three masters with a replica each, or with two where a master without a replica takes no writes. */
final class ClusterSite extends Site {
    private static final String TIMEOUT = "cluster-node-timeout";

    /** As servers have it that nobody configures. */
    private static final String LONG_TIMEOUT_MILLIS = "15000";

    private final RedisCluster cluster;

    ClusterSite(ClockShim clock, RedisVersion version, Safety safety) {
        super(clock);
        int replicas = safety == Safety.STRICT ? 2 : 1;
        this.cluster =
                RedisCluster.startWithFronts(version, replicas, server -> guarded(configured(server, clock), safety));
    }

    @Override
    String url() {
        return cluster.uri();
    }

    @Override
    List<RedisServer> servers() {
        return cluster.nodes();
    }

    @Override
    int announcedPort(RedisServer server) {
        return cluster.announcedPort(server);
    }

    @Override
    List<RedisServer> masters() {
        return cluster.masters();
    }

    @Override
    void awaitHealthy() {
        cluster.awaitOk();
    }

    @Override
    RedisServer masterOf(String key) {
        return cluster.masterOf(key);
    }

    @Override
    void failOver(Rng rng) {
        cluster.failover(replicaOf(rng.pick(masters())));
    }

    @Override
    void loseWrites(Rng rng) {
        RedisServer master = rng.pick(masters());
        RedisServer replica = replicaOf(master);
        starveReplicas(master, rng.between(300, 1_500));
        master.kill();
        cluster.takeover(replica);
        master.restart();
    }

    private RedisServer replicaOf(RedisServer master) {
        Patience.until(
                "a replica of " + master, () -> !cluster.replicasOf(master).isEmpty());
        return cluster.replicasOf(master).get(0);
    }

    /** Moves the slot of a key to another master, with a pause in the middle. */
    void migrate(String key, long pauseMillis, Rng rng) {
        int slot = RedisCluster.slotOf(key);
        RedisServer from = cluster.masterOf(slot);
        RedisServer to =
                rng.pick(masters().stream().filter(master -> master != from).toList());
        cluster.beginMigration(slot, from, to);
        Threads.sleep(pauseMillis);
        cluster.moveKeys(slot, from, to);
        cluster.finishMigration(slot, from, to);
    }

    /**
     * Half of the time by hand, as an operator would, and with a master that believes in its majority for long: then
     * both serve side by side for as long as replicas may lag.
     */
    @Override
    void part(RedisServer master, boolean silently, Rng rng) {
        RedisServer replica = replicaOf(master);
        boolean byHand = rng.chance(50);
        master.command("CONFIG", "SET", TIMEOUT, byHand ? LONG_TIMEOUT_MILLIS : RedisCluster.NODE_TIMEOUT_MILLIS);
        cluster.isolate(master, silently);
        if (byHand) {
            Threads.sleep(rng.between(0, 2_000));
            cluster.takeover(replica);
        }
    }

    @Override
    void rejoin() {
        cluster.rejoin();
        servers().forEach(node -> node.command("CONFIG", "SET", TIMEOUT, RedisCluster.NODE_TIMEOUT_MILLIS));
    }

    @Override
    BooleanSupplier replacementOf(RedisServer master) {
        RedisServer replica = replicaOf(master);
        return () -> isMaster(replica);
    }

    /** Moves the slots of all subjects away from a master; returns how many. */
    int empty(RedisServer from, Rng rng) {
        int moved = 0;
        for (Subject subject : Subject.values()) {
            String key = Nemesis.key(subject);
            if (cluster.masterOf(key) == from) {
                migrate(key, 0, rng);
                moved++;
            }
        }
        return moved;
    }

    @Override
    public void close() {
        cluster.close();
    }
}
