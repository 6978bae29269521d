package io.holdfast.fence;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.testing.redis.RedisServer;
import io.holdfast.testing.redis.RedisVersion;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import redis.clients.jedis.RedisClient;

/** A real Redis server, and a fence over Jedis. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class RedisFenceFixture {
    static final String A = "a-client:1";
    static final String B = "b-client:7";
    static final String INCREMENT = "return redis.call('INCR', KEYS[1])";

    private final RedisVersion version;
    private final AtomicInteger names = new AtomicInteger();
    private RedisServer server;
    RedisClient redis;
    RedisFence fence;

    RedisFenceFixture(RedisVersion version) {
        this.version = version;
    }

    @BeforeAll
    void startServer() {
        server = RedisServer.start(version);
        redis = RedisClient.create(server.host(), server.port());
        fence = RedisFence.over(redis::eval);
    }

    @AfterAll
    void endServer() {
        redis.close();
        server.close();
    }

    /** A name that no other test uses. */
    String newName() {
        return "order:" + names.incrementAndGet();
    }

    static String fenceKey(String name) {
        return "{" + name + "}:fence";
    }

    static String dataKey(String name) {
        return "{" + name + "}:data";
    }

    void enter(String name, long token, String holder) {
        run(name, token, holder, "return 1");
    }

    Object run(String name, long token, String holder, String script, String... arguments) {
        return fence.run(
                new FenceEntry(name, token, holder),
                fenceKey(name),
                script,
                List.of(dataKey(name)),
                List.of(arguments));
    }

    void assertStored(String name, long token, String holder) {
        assertThat(redis.hgetAll(fenceKey(name)))
                .containsEntry("token", String.valueOf(token))
                .containsEntry("holder", holder)
                .hasSize(2);
    }
}
