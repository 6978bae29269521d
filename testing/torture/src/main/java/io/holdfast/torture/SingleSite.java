package io.holdfast.torture;

import io.holdfast.testing.redis.ClockShim;
import io.holdfast.testing.redis.RedisServer;
import io.holdfast.testing.redis.RedisVersion;
import java.util.List;

/** One server. */
final class SingleSite extends Site {
    private final RedisServer server;

    SingleSite(ClockShim clock, RedisVersion version) {
        super(clock);
        this.server = configured(RedisServer.builder(version), clock).start();
    }

    @Override
    String url() {
        return server.uri();
    }

    @Override
    List<RedisServer> servers() {
        return List.of(server);
    }

    @Override
    List<RedisServer> masters() {
        return servers();
    }

    @Override
    void awaitHealthy() {
        server.command("PING");
    }

    @Override
    public void close() {
        server.close();
    }
}
