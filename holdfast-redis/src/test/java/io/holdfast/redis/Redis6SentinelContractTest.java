package io.holdfast.redis;

import io.holdfast.Safety;
import io.holdfast.tck.BackendContract;
import io.holdfast.tck.BackendFixture;
import io.holdfast.testing.redis.RedisSentinels;
import io.holdfast.testing.redis.RedisVersion;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;

/** The older version in every topology is for the profile "full"; {@link Redis6StoreContractTest} always runs. */
@Tag("integration")
@Tag("full")
class Redis6SentinelContractTest extends BackendContract {
    @AutoClose
    private static RedisSentinels sentinels;

    @BeforeAll
    static void start() {
        sentinels = RedisSentinels.start(RedisVersion.V6_2);
    }

    @Override
    protected BackendFixture newFixture() {
        return new RedisFixture(
                () -> RedisLocks.builder(sentinels.uri()).safety(Safety.AVAILABLE),
                () -> List.of(sentinels.currentMaster()));
    }
}
