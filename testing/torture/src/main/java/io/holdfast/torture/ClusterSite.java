package io.holdfast.torture;

import io.holdfast.redis.Safety;
import io.holdfast.testing.redis.ClockShim;
import io.holdfast.testing.redis.RedisCluster;
import io.holdfast.testing.redis.RedisServer;
import io.holdfast.testing.redis.RedisVersion;
import java.util.List;

/** Three masters with a replica each. */
final class ClusterSite extends Site {
    private static final int REPLICAS = 1;

    private final RedisCluster cluster;

    ClusterSite(ClockShim clock, RedisVersion version, Safety safety) {
        super(clock);
        this.cluster = RedisCluster.start(version, REPLICAS, server -> guarded(configured(server, clock), safety));
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
    List<RedisServer> masters() {
        return cluster.masters();
    }

    @Override
    void awaitHealthy() {
        cluster.awaitOk();
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

    @Override
    public void close() {
        cluster.close();
    }
}
