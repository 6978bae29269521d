package io.holdfast.redis;

import io.holdfast.testing.redis.RedisServer;
import io.holdfast.testing.redis.RedisVersion;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.Parameter;

/** What parameterized classes need that run all their tests on one server of each version. */
abstract class OnEachVersion {
    static RedisServer server;

    @Parameter
    RedisVersion version;

    @RegisterExtension
    final Bench bench = new Bench();

    @BeforeParameterizedClassInvocation
    static void start(RedisVersion version) {
        server = RedisServer.start(version);
    }

    @AfterParameterizedClassInvocation
    static void stop() {
        server.close();
    }
}
