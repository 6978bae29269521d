package io.holdfast.redis;

import io.holdfast.tck.BackendContract;
import io.holdfast.tck.BackendFixture;
import io.holdfast.testing.redis.RedisSentinels;
import io.holdfast.testing.redis.RedisVersion;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;

/** The rules for every store, behind Sentinels. For the profile "full"; what breaks them always runs. */
@Tag("integration")
@Tag("full")
class Redis7SentinelContractTest extends BackendContract {
    @AutoClose
    private static RedisSentinels sentinels;

    @BeforeAll
    static void start() {
        sentinels = RedisSentinels.start(RedisVersion.V7_0);
    }

    @Override
    protected BackendFixture newFixture() {
        return new RedisFixture(
                () -> RedisLocks.builder(sentinels.uri()).startEmpty().longestLease(Duration.ofMinutes(3)),
                () -> List.of(sentinels.currentMaster()));
    }
}
