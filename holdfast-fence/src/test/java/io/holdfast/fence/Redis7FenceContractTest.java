package io.holdfast.fence;

import io.holdfast.testing.redis.RedisVersion;
import org.junit.jupiter.api.Tag;

@Tag("integration")
class Redis7FenceContractTest extends RedisFenceContract {
    Redis7FenceContractTest() {
        super(RedisVersion.V7_0);
    }
}
