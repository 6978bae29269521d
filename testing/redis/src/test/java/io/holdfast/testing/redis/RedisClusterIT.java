package io.holdfast.testing.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("integration")
class RedisClusterIT {
    @ParameterizedTest
    @EnumSource(RedisVersion.class)
    void migrateSlot_stepByStep_movesKeys(RedisVersion version) {
        try (RedisCluster cluster = RedisCluster.start(version)) {
            assertThat(cluster.uri()).matches("redis-cluster://127\\.0\\.0\\.1:\\d+(,127\\.0\\.0\\.1:\\d+){2}");
            int slot = RedisCluster.slotOf("{tag}1");
            RedisServer from = cluster.masterOf("{tag}1");
            RedisServer to = cluster.masters().stream()
                    .filter(node -> node != from)
                    .findFirst()
                    .orElseThrow();
            from.command("SET", "{tag}1", "v");
            assertThat(from.command("CLUSTER", "KEYSLOT", "{tag}1")).isEqualTo((long) slot);
            assertThatThrownBy(() -> to.command("GET", "{tag}1")).hasMessageStartingWith("MOVED " + slot);

            cluster.beginMigration(slot, from, to);
            assertThat(from.command("GET", "{tag}1")).isEqualTo("v");
            assertThatThrownBy(() -> from.command("GET", "{tag}2")).hasMessageStartingWith("ASK " + slot);
            assertThat(cluster.moveKeys(slot, from, to)).isEqualTo(1);
            assertThatThrownBy(() -> from.command("GET", "{tag}1")).hasMessageStartingWith("ASK " + slot);
            cluster.finishMigration(slot, from, to);

            assertThat(cluster.masterOf("{tag}1")).isSameAs(to);
            assertThat(to.command("GET", "{tag}1")).isEqualTo("v");
            cluster.migrateSlot(slot, to, from);
            assertThat(from.command("GET", "{tag}1")).isEqualTo("v");
        }
    }

    @ParameterizedTest
    @EnumSource(RedisVersion.class)
    void failover_replicas_becomeMasters(RedisVersion version) {
        try (RedisCluster cluster = RedisCluster.startWithReplicas(version)) {
            RedisServer first = cluster.masterOf("k");
            first.command("SET", "k", "v");
            RedisServer second = cluster.replicasOf(first).get(0);
            cluster.failover(second);
            assertThat(cluster.masterOf("k")).isSameAs(second);
            assertThat(second.command("GET", "k")).isEqualTo("v");
            cluster.awaitOk();

            cluster.takeover(first);
            assertThat(cluster.awaitMasterOtherThan(second, "k")).isSameAs(first);
            cluster.awaitOk();
        }
    }

    @ParameterizedTest
    @EnumSource(RedisVersion.class)
    void kill_master_replicaBecomesMasterAndTheOldOneItsReplica(RedisVersion version) {
        try (RedisCluster cluster = RedisCluster.startWithReplicas(version)) {
            RedisServer first = cluster.masterOf("k");
            RedisServer second = cluster.replicasOf(first).get(0);
            first.kill();
            assertThat(cluster.awaitMasterOtherThan(first, "k")).isSameAs(second);
            cluster.awaitOk();
            assertThat(second.command("SET", "k", "w")).isEqualTo("OK");
            first.restart();
            cluster.awaitOk();
            assertThat(cluster.replicasOf(second)).containsExactly(first);
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void isolate_master_bothSidesAreMastersUntilTheyRejoin(boolean silently) {
        try (RedisCluster cluster = RedisCluster.startWithFronts(RedisVersion.V7_0, 1, node -> node)) {
            RedisServer former = cluster.masterOf("k");
            RedisServer replica = cluster.replicasOf(former).get(0);
            former.command("SET", "k", "v");
            assertThat(former.command("WAIT", "1", "5000")).isEqualTo(1L);
            former.command("CONFIG", "SET", "cluster-node-timeout", "60000");

            cluster.isolate(former, silently);
            assertThat(cluster.awaitMasterOtherThan(former, "k")).isSameAs(replica);
            assertThat(former.command("SET", "k", "old")).isEqualTo("OK");
            assertThat(replica.command("SET", "k", "new")).isEqualTo("OK");

            cluster.rejoin();
            cluster.awaitOk();
            assertThat(former.isMaster()).isFalse();
            assertThat(cluster.masterOf("k").command("GET", "k")).isEqualTo("new");
        }
    }
}
