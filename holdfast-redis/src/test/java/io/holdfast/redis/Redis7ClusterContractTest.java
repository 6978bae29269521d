package io.holdfast.redis;

import io.holdfast.tck.BackendContract;
import io.holdfast.tck.BackendFixture;
import io.holdfast.testing.redis.RedisCluster;
import io.holdfast.testing.redis.RedisVersion;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;

@Tag("integration")
class Redis7ClusterContractTest extends BackendContract {
    @AutoClose
    private static RedisCluster cluster;

    @BeforeAll
    static void start() {
        cluster = RedisCluster.start(RedisVersion.V7_0);
    }

    @Override
    protected BackendFixture newFixture() {
        return new RedisFixture(() -> RedisLocks.builder(cluster.uri()), cluster::masters);
    }
}
