package io.holdfast.redis;

import io.holdfast.memory.MemoryStore;
import io.holdfast.tck.CallByCall;
import io.holdfast.testing.redis.RedisServer;
import io.holdfast.testing.redis.RedisVersion;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The scripts against the memory store, which is the reference. */
@Tag("integration")
class RedisReferenceTest {
    @ParameterizedTest
    @EnumSource(RedisVersion.class)
    void randomCalls_everyKind_areAnsweredAsTheReferenceDoes(RedisVersion version) {
        try (RedisServer server = RedisServer.start(version)) {
            CallByCall.compare(
                    RedisLocks.builder(server.uri()).newBackend(),
                    new MemoryStore().connect(),
                    60,
                    Duration.ofMinutes(10));
        }
    }
}
