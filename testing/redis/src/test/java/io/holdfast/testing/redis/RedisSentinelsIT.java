package io.holdfast.testing.redis;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("integration")
class RedisSentinelsIT {
    @ParameterizedTest
    @EnumSource(RedisVersion.class)
    void failover_toldOrMasterKilled_anotherIsMaster(RedisVersion version) {
        try (RedisSentinels sentinels = RedisSentinels.start(version, 2, server -> server)) {
            assertThat(sentinels.uri()).matches("redis-sentinel://(127\\.0\\.0\\.1:\\d+,?){3}/holdfast");
            RedisServer first = sentinels.awaitMaster();
            first.command("SET", "k", "v");
            assertThat(first.command("WAIT", "2", "5000")).isEqualTo(2L);

            RedisServer second = sentinels.failover();
            assertThat(second).isNotSameAs(first);
            assertThat(second.command("GET", "k")).isEqualTo("v");
            assertThat(sentinels.replicas()).hasSize(2).contains(first);

            second.kill();
            RedisServer third = sentinels.awaitMasterOtherThan(second);
            assertThat(third.command("SET", "k", "w")).isEqualTo("OK");
            assertThat(sentinels.addReplica().command("GET", "k")).isEqualTo("w");
        }
    }

    /** Sentinels leave a former master that is back alone for eight seconds. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    @Tag("full")
    void isolate_master_bothSidesAreMastersUntilTheyRejoin(boolean silently) {
        try (RedisSentinels sentinels = RedisSentinels.startWithFronts(RedisVersion.V7_0, 2, server -> server)) {
            RedisServer former = sentinels.awaitMaster();
            former.command("SET", "k", "v");
            assertThat(former.command("WAIT", "2", "5000")).isEqualTo(2L);

            sentinels.isolate(former, silently);
            RedisServer next = sentinels.awaitMasterOtherThan(former);
            assertThat(next.command("SET", "k", "new")).isEqualTo("OK");
            assertThat(former.command("SET", "k", "old")).isEqualTo("OK");
            assertThat(next.command("GET", "k")).isEqualTo("new");

            sentinels.rejoin();
            Await.until("the former master follows", () -> former.isLinkUp() && !former.isMaster());
            assertThat(former.command("GET", "k")).isEqualTo("new");
        }
    }
}
