package io.holdfast.fence;

import io.holdfast.testing.redis.RedisVersion;
import org.junit.jupiter.api.Tag;

@Tag("integration")
class Redis6FenceContractTest extends RedisFenceContract {
    Redis6FenceContractTest() {
        super(RedisVersion.V6_2);
    }
}
