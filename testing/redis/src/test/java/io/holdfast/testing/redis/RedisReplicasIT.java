package io.holdfast.testing.redis;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@Tag("integration")
class RedisReplicasIT {
    @ParameterizedTest
    @EnumSource(RedisVersion.class)
    void promote_afterCut_losesWhatWasNotReplicated(RedisVersion version) {
        try (RedisReplicas replicas = RedisReplicas.start(version, 1)) {
            RedisServer master = replicas.master();
            RedisServer replica = replicas.replicas().get(0);
            master.command("SET", "k", "1");
            replicas.awaitInStep();
            assertThat(replica.command("GET", "k")).isEqualTo("1");

            replicas.cutReplication();
            master.command("SET", "k", "2");
            assertThat(replica.command("GET", "k")).isEqualTo("1");
            replicas.healReplication();
            replicas.awaitInStep();
            assertThat(replica.command("GET", "k")).isEqualTo("2");

            replicas.stallReplication();
            master.command("SET", "k", "3");
            assertThat(replica.isLinkUp()).isTrue();
            replicas.promote(replica);
            assertThat(replica.command("GET", "k")).isEqualTo("2");
            assertThat(replica.command("SET", "k", "4")).isEqualTo("OK");
            assertThat(master.command("GET", "k")).isEqualTo("3");
            replica.restart();
            assertThat(replica.isMaster()).isTrue();
        }
    }
}
