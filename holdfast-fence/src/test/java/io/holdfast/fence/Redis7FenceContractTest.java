package io.holdfast.fence;

import io.holdfast.testing.redis.RedisVersion;

class Redis7FenceContractTest extends RedisFenceContract {
    Redis7FenceContractTest() {
        super(RedisVersion.V7_0);
    }
}
