package io.holdfast.redis;

import io.holdfast.tck.BackendContract;
import io.holdfast.tck.BackendFixture;
import io.holdfast.testing.redis.RedisServer;
import io.holdfast.testing.redis.RedisVersion;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;

@Tag("integration")
class Redis7ContractTest extends BackendContract {
    @AutoClose
    private static RedisServer server;

    @BeforeAll
    static void start() {
        server = RedisServer.start(RedisVersion.V7_0);
    }

    @Override
    protected BackendFixture newFixture() {
        return new RedisFixture(server);
    }
}
