package io.holdfast.redis;

import io.holdfast.tck.BackendFixture;
import io.holdfast.tck.LineContract;
import io.holdfast.tck.StoreContract;
import io.holdfast.testing.redis.RedisServer;
import io.holdfast.testing.redis.RedisVersion;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;

/** What the store does on the older version. The engine above it does not know which one it is. */
@Tag("integration")
class Redis6StoreContractTest extends StoreContract {
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

    @Nested
    class Line extends LineContract {
        @Override
        protected BackendFixture newFixture() {
            return Redis6StoreContractTest.this.newFixture();
        }
    }
}
