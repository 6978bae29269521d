package io.holdfast.redis;

import io.holdfast.tck.BackendContract;
import io.holdfast.tck.BackendFixture;
import io.holdfast.testing.redis.RedisCluster;
import io.holdfast.testing.redis.RedisVersion;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;

/** The older version in every topology is for the profile "full"; {@link Redis6StoreContractTest} always runs. */
@Tag("integration")
@Tag("full")
class Redis6ClusterContractTest extends BackendContract {
    @AutoClose
    private static RedisCluster cluster;

    @BeforeAll
    static void start() {
        cluster = RedisCluster.start(RedisVersion.V6_2);
    }

    @Override
    protected BackendFixture newFixture() {
        return new RedisFixture(() -> RedisLocks.builder(cluster.uri()), cluster::masters);
    }
}
