package io.holdfast.quorum;

import io.holdfast.testing.redis.RedisServer;
import io.holdfast.testing.redis.RedisVersion;
import java.util.List;
import java.util.stream.Stream;

/** Independent servers. */
final class Servers implements AutoCloseable {
    private final List<RedisServer> all;

    private Servers(List<RedisServer> all) {
        this.all = all;
    }

    static Servers start(int number) {
        return new Servers(Stream.generate(() -> RedisServer.start(RedisVersion.V7_0))
                .limit(number)
                .toList());
    }

    RedisServer get(int index) {
        return all.get(index);
    }

    List<RedisServer> list() {
        return all;
    }

    List<String> urls() {
        return all.stream().map(RedisServer::uri).toList();
    }

    @Override
    public void close() {
        all.forEach(RedisServer::close);
    }
}
