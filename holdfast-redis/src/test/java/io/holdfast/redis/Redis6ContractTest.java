package io.holdfast.redis;

import io.holdfast.tck.BackendContract;
import io.holdfast.tck.BackendFixture;
import io.holdfast.testing.redis.RedisServer;
import io.holdfast.testing.redis.RedisVersion;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;

/** For the profile "full"; {@link Redis6StoreContractTest} always runs, and what breaks servers on both versions. */
@Tag("integration")
@Tag("full")
class Redis6ContractTest extends BackendContract {
    @AutoClose
    private static RedisServer server;

    @BeforeAll
    static void start() {
        server = RedisServer.start(RedisVersion.V6_2);
    }

    @Override
    protected BackendFixture newFixture() {
        return new RedisFixture(server);
    }
}
